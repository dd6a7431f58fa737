// Copies files of the repository, some of them changed; what would not change keeps its time, for those who build.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** All files of a folder, or the file itself, as paths from root. */
function filesOf(root, name) {
  if (!statSync(join(root, name)).isDirectory()) return [name];
  return readdirSync(join(root, name)).flatMap((entry) => filesOf(root, `${name}/${entry}`));
}

/** The files that `names` are or hold, copied; `change` is given those of texts, and gives what they become. */
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
