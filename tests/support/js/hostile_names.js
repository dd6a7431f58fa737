// Property names that every object inherits.

export const hostileNames = [
  'constructor',
  'toString',
  'valueOf',
  '__proto__',
  'hasOwnProperty',
  'isPrototypeOf',
  '__defineGetter__',
];
