// Files that a reader chose or dropped, as a folder: by their paths within what all of them have in common.

const pathOf = (file) => file.webkitRelativePath || file.name;

/** Without the folder that all of them lie in. */
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
    place: `the ${byPath.size} files given`,
    text: async (name) => byPath.get(name)?.text(),
    bytes: async (name) => byPath.get(name),
  };
}
