// openFolder(): the files of a folder, for other uses than loadModel().
import { abortSignal, fetchSignal } from '../../arguments/abort_signal.js';
import { describe } from '../../arguments/describe.js';
import { readOptions, string } from '../../arguments/options.js';
import { isAddress } from './read_source.js';

const kinds = { signal: abortSignal };

/** Creates openFolder() with an environment's function to open an address. */
export function createFolderOpener(openAddress) {
  return function openFolder(address, options) {
    if (!isAddress(address)) {
      throw new TypeError(`address must be a string or a URL, found ${describe(address)}`);
    }
    const { signal } = readOptions('openFolder', options, kinds);
    const folder = openAddress(address, fetchSignal(signal).signal);
    return {
      location: folder.location,
      text: async (path) => folder.text(string(path, 'path')),
      bytes: async (path) => folder.bytes(string(path, 'path')),
      close: async () => folder.close?.(),
    };
  };
}
