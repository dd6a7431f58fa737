// A FileSystemDirectoryHandle as a folder, from a directory picker or the origin private file system.

async function fileAt(directory, path) {
  const names = path.split('/');
  const last = names.pop();
  try {
    let folder = directory;
    for (const name of names) folder = await folder.getDirectoryHandle(name);
    return await (await folder.getFileHandle(last)).getFile();
  } catch (error) {
    const { name } = Object(error);
    if (name === 'NotFoundError' || name === 'TypeMismatchError') return undefined;
    throw error;
  }
}

export const directoryHandle = (directory) => ({
  location: `the folder '${directory.name}'`,
  text: async (name) => (await fileAt(directory, name))?.text(),
  bytes: (name) => fileAt(directory, name),
  has: async (name) => (await fileAt(directory, name)) !== undefined,
});
