// Text normalization before tokenization: one kind of space, apostrophe and quotation mark.

/** The normalizer of tokenizer.json: cleaned text keeps its character positions in the tokens. */
export const clean = (text) =>
  text
    .normalize('NFC')
    .replace(/[\u200b\u00ad\ufeff]/g, '')
    .replace(/[’‘ʼ´`]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();

/** English spacing: no space before . , ? ! : and ; */
export const cleanEnglish = (text) => clean(text).replace(/\s+(?=[?!.,;:])/g, '');

/** French spacing: a space before ? ! : and ; and inside « ». */
export const cleanFrench = (text) =>
  clean(text)
    .replace(/\s*([?!;]+)/g, ' $1')
    .replace(/\s*(:)(?=\s|$)/g, ' $1')
    .replace(/«\s*/g, '« ')
    .replace(/\s*»/g, ' »')
    .trim();
