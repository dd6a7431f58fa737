// Counts of what the library does, instead of seconds: how often a block of its code runs (V8's precise coverage), and the
// lengths of arrays and strings that it requests. Libraries whose requests count are imported after limitRequests().
import { Session } from 'node:inspector/promises';

const typedArrays = [
  ...[Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Uint8Array],
  ...[Uint8ClampedArray, Uint16Array, Uint32Array, BigInt64Array, BigUint64Array, ArrayBuffer],
];

/** Replaces the constructors and functions that take a length by some that throw for one above `max`. */
export function limitRequests(max) {
  const count = (length) => {
    if (length > max) throw new Error(`${length} numbers or characters were requested`);
  };
  const counted = (constructor) =>
    new Proxy(constructor, {
      construct(target, args, self) {
        count(args[0]);
        return Reflect.construct(target, args, self);
      },
      apply(target, self, args) {
        count(args[0]);
        return Reflect.apply(target, self, args);
      },
    });
  for (const constructor of typedArrays) globalThis[constructor.name] = counted(constructor);
  const { from } = Array;
  Array.from = function (source, ...rest) {
    count(source?.length);
    return Reflect.apply(from, this, [source, ...rest]);
  };
  globalThis.Array = counted(Array);
  for (const name of ['repeat', 'padStart', 'padEnd']) {
    const own = String.prototype[name];
    Object.defineProperty(String.prototype, name, {
      value(length, ...rest) {
        count(length);
        return own.call(this, length, ...rest);
      },
    });
  }
}

/** The largest number of runs of any block in scripts whose URL matches, while use() runs. */
export async function countBlocks(pattern, use) {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await use();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    let max = 0;
    for (const { url, functions } of result) {
      if (!pattern.test(url)) continue;
      for (const { ranges } of functions) {
        for (const { count } of ranges) max = Math.max(max, count);
      }
    }
    return max;
  } finally {
    session.disconnect();
  }
}
