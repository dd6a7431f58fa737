// Names that every object has without having been given them.

export const hostileNames = [
  'constructor',
  'toString',
  'valueOf',
  '__proto__',
  'hasOwnProperty',
  'isPrototypeOf',
  '__defineGetter__',
];
