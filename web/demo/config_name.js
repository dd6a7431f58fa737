// Name of the file that says what a model is: config.json, or a copy of it such as tiny_gemma_config.json.

const others =
  /(^|[_-])(tokenizer|generation|preprocessor|processor|sentence_bert|quantize|adapter)_config\.json$/;

/** @param {string} name without its folder */
export const isConfig = (name) => /^(.*[_.-])?config\.json$/.test(name) && !others.test(name);
