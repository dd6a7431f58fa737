// Paths that a file of a model gives (shards of an index, folders of modules): names of a stranger, which become
// addresses and paths. Folders check again what such a path resolves to.

const isName = (name) => name !== '' && name !== '.' && name !== '..' && name.trim() === name;

/** Whether it names something in the model's folder, without a character that addresses or paths read as another. */
export const isInnerPath = (path) =>
  typeof path === 'string' && !/[\\%?#:\p{Cc}]/u.test(path) && path.split('/').every(isName);
