// The reader's own vectors, in files that stay on the machine. What they are and how each is read is in files/, which
// is fetched when this source is first asked for anything.

export const id = 'files';
export const name = 'Your files';
export const says = 'Your own word vectors, projections, queries, keys and values, or weights.';
export const meaning = 'Your vectors know what whoever made them put in.';
export const settings = ['heads', 'files'];
export const examples = [];

const room = () => import('./files/open_files.js');

export const open = async (...given) => (await room()).open(...given);
export const close = async (...given) => (await room()).close(...given);
export const read = async (...given) => (await room()).read(...given);
