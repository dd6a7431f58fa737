// Copies files of the repository with changes. A file with the same content keeps its time, so that builds skip it.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** All files of a folder, or the file itself, as paths from root. */
function filesOf(root, name) {
  if (!statSync(join(root, name)).isDirectory()) return [name];
  return readdirSync(join(root, name)).flatMap((entry) => filesOf(root, `${name}/${entry}`));
}

/** Copies files and folders; `change(name, text)` returns the text of the copy. */
export function copyChanged(root, names, folder, change) {
  for (const name of names.flatMap((entry) => filesOf(root, entry))) {
    const bytes = readFileSync(join(root, name));
    const isText = /\.(?:js|cpp|h)$/.test(name);
    const wanted = isText ? Buffer.from(change(name, bytes.toString('utf8'))) : bytes;
    const path = join(folder, name);
    if (existsSync(path) && readFileSync(path).equals(wanted)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, wanted);
  }
}
