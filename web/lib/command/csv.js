// A record of comma-separated values, as in RFC 4180; the end of the line is the writer's.

/** Fields are texts. */
export const csvRecord = (fields) =>
  fields
    .map((field) => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
    .join(',');
