// Content security policy of the stand-alone pages: they load nothing.

export const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";
