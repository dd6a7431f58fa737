// Files from a file input or a drop, as a folder: paths are relative to their common folder.

const pathOf = (file) => file.webkitRelativePath || file.name;

/** Files by path, without the folder that all paths share. */
function withinFolder(files) {
  const paths = Array.from(files, pathOf);
  const [folder] = paths[0]?.split('/') ?? [];
  const isShared = paths.every((path) => path.startsWith(`${folder}/`));
  return new Map(
    Array.from(files, (file, n) => [isShared ? paths[n].slice(folder.length + 1) : paths[n], file]),
  );
}

export function chosenFiles(files) {
  const byPath = withinFolder(files);
  return {
    location: `the ${byPath.size} selected files`,
    text: async (name) => byPath.get(name)?.text(),
    bytes: async (name) => byPath.get(name),
    has: async (name) => byPath.has(name),
  };
}
