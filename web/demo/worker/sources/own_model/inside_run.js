// Captures inside a run of the reader's model: the model, the input, and the blocks.

/** `inside()` of a reading. */
export const createInside =
  ({ model, isNaming }, input, blocked) =>
  async () => ({ model, input, blocked, isNaming });
