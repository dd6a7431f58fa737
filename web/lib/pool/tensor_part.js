// A box cut out of a tensor, and put into one: [first, last) of every axis.
import { plainArray } from '../typed_array.js';

/** Calls visit(place in the whole, place in the box, count) for every run of numbers. */
function forEachRun(dims, box, visit) {
  const sizes = box.map(([first, last]) => last - first);
  if (sizes.includes(0)) return;
  const strides = dims.map((_, at) =>
    dims.slice(at + 1).reduce((product, dim) => product * dim, 1),
  );
  // The axes after this one are taken whole, so a range of it is one run.
  const inner = Math.max(
    0,
    sizes.findLastIndex((size, at) => size !== dims[at]),
  );
  const run = sizes[inner] * strides[inner];
  let done = 0;
  const walk = (axis, place) => {
    const [first, last] = box[axis];
    if (axis === inner) {
      visit(place + first * strides[axis], done, run);
      done += run;
      return;
    }
    for (let i = first; i < last; i++) walk(axis + 1, place + i * strides[axis]);
  };
  walk(0, 0);
}

/** The numbers of a box, in memory of their own. */
export function cut({ data: given, dims, type }, box) {
  const data = plainArray(given);
  const sizes = box.map(([first, last]) => last - first);
  const part = new data.constructor(sizes.reduce((product, size) => product * size, 1));
  forEachRun(dims, box, (from, to, count) => part.set(data.subarray(from, from + count), to));
  return { data: part, dims: sizes, type };
}

/** Writes the numbers of a box into it. */
export function put({ data, dims }, box, part) {
  forEachRun(dims, box, (to, from, count) => data.set(part.subarray(from, from + count), to));
}
