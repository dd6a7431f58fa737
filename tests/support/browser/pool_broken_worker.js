// A worker script that fails at start.

throw new Error('broken on purpose');
