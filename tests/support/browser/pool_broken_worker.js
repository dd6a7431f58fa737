// A worker that a pool can do nothing with.

throw new Error('broken on purpose');
