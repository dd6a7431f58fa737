// Recognizes URL objects, also where the class is missing: audio worklets have none.

export const isUrl = (value) => typeof URL === 'function' && value instanceof URL;
