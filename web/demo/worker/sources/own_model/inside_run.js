// What is inside a run of the reader's model: the model that can capture, the input, and what is blocked.

/** `inside(report)` of a reading. */
export const createInside = (opened, input, blocked) => async (report) => ({
  ...{ model: await opened.editable(report), input, blocked, isNaming: opened.isNaming },
});
