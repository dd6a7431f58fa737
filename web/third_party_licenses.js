// The licenses of what others wrote and the package contains: npm packages in its files, and what Emscripten links.

import { readFileSync } from 'node:fs';

const packages = new URL('../node_modules/', import.meta.url);

/** Packages of others in the library's files, and the file of each license. */
const bundledPackages = {
  fflate: 'LICENSE',
  'oniguruma-parser': 'LICENSE',
};

const mit = (holder) => `Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

/** Emscripten's installation on Debian has no copy of its license, so its parts are named here. */
const linkedLibraries = [
  'Emscripten, whose JavaScript and Embind are in the files (https://emscripten.org); also under the NCSA license\n\n' +
    mit('2010-2022 The Emscripten Authors'),
  'musl, the C library of the modules (https://musl.libc.org)\n\n' +
    mit('2005-2020 Rich Felker, et al.'),
  'libc++, libc++abi and compiler-rt of LLVM, as object code (https://llvm.org)\n\n' +
    'Apache License 2.0 with LLVM Exceptions (https://llvm.org/LICENSE.txt)\n',
  'dlmalloc, the allocator, by Doug Lea (https://gee.cs.oswego.edu): in the public domain (CC0 1.0)\n',
];

/** @returns {string} the text of THIRD_PARTY_LICENSES.txt */
export function thirdPartyLicenses() {
  const bundled = Object.entries(bundledPackages).map(([folder, file]) => {
    const read = (path) => readFileSync(new URL(`${folder}/${path}`, packages), 'utf8');
    const { name, version, homepage, repository } = JSON.parse(read('package.json'));
    return `${name} ${version} (${homepage ?? repository.url})\n\n${read(file)}`;
  });
  const intro = 'The files beside this one contain code of others:\n';
  return [intro, ...bundled, ...linkedLibraries].join('\n');
}
