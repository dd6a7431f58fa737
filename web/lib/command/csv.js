// One CSV record as in RFC 4180, without the line break.

export const csvRecord = (fields) =>
  fields
    .map((field) => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
    .join(',');
