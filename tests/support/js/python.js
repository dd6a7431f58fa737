// Python of this machine with a module; Debian's own belongs to /usr/bin/python3, which may not be the first of the path.

import { spawnSync } from 'node:child_process';

/**
 * Path of a Python that has a module, or undefined.
 * @param {string} module
 */
export const pythonWith = (module) =>
  ['python3', '/usr/bin/python3'].find(
    (path) => spawnSync(path, ['-c', `import ${module}`]).status === 0,
  );
