// CSV as RFC 4180 has it.

const quoted = (field) => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/** @param {(string | number)[][]} lines numbers are written at full precision */
export const writeCSV = (lines) =>
  `${lines.map((line) => line.map((field) => quoted(String(field))).join(',')).join('\r\n')}\r\n`;
