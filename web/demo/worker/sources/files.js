// Source: the reader's vectors in files, which stay on the machine. The code of the formats is in files/ and loaded
// when this source is first used.

export const id = 'files';
export const name = 'Your files';
export const says = 'Your own queries, keys and values, or weights: JSON, NumPy or safetensors.';
export const meaning = 'Your vectors know what they were made from.';
export const settings = ['heads', 'files'];
export const examples = [];

const room = () => import('./files/open_files.js');

export const open = async (...given) => (await room()).open(...given);
export const close = async (...given) => (await room()).close(...given);
export const read = async (...given) => (await room()).read(...given);
