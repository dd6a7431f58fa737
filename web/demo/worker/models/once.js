// A promise that is made with the first request.

/**
 * A function that returns the same promise as long as it is not rejected.
 * @template Result
 * @param {() => Promise<Result>} compute
 * @returns {() => Promise<Result>}
 */
export function once(compute) {
  /** @type {Promise<Result> | undefined} */
  let made;
  return () => {
    made ??= compute().catch((error) => {
      made = undefined; // the next request tries again
      throw error;
    });
    return made;
  };
}
