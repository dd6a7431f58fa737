// How sentences are set before they become tokens: spaces, apostrophes and quotation marks of one kind.

/** What the tokenizer does too, so that places in the text are places in the tokens. */
const clean = (text) =>
  text
    .normalize('NFC')
    .replace(/[\u200b\u00ad\ufeff]/g, '')
    .replace(/[’‘ʼ´`]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();

/** No space before . , ? ! : and ; as English has it. */
export const cleanEnglish = (text) => clean(text).replace(/\s+(?=[?!.,;:])/g, '');

/** A space before ? ! : and ; and inside « », as French has it. */
export const cleanFrench = (text) =>
  clean(text)
    .replace(/\s*([?!;]+)/g, ' $1')
    .replace(/\s*(:)(?=\s|$)/g, ' $1')
    .replace(/«\s*/g, '« ')
    .replace(/\s*»/g, ' »')
    .trim();
