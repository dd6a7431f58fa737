// Converts vocab.txt of BERT (one token per line) and tokenizer_config.json to a tokenizer.json.

export function bertTokenizer(text, config = {}) {
  const lines = text.replace(/\r/g, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const idsByToken = new Map(lines.map((token, id) => [token, id]));
  const special = { unk: '[UNK]', sep: '[SEP]', pad: '[PAD]', cls: '[CLS]', mask: '[MASK]' };
  for (const name of Object.keys(special)) {
    const configured = config[`${name}_token`];
    special[name] = configured?.content ?? configured ?? special[name];
  }
  for (const token of [special.unk, special.cls, special.sep]) {
    if (!idsByToken.has(token)) throw new RangeError(`vocab.txt has no token '${token}'`);
  }
  const template = (id, type) => ({
    [id.length === 1 ? 'Sequence' : 'SpecialToken']: { id, type_id: type },
  });
  const single = [template(special.cls, 0), template('A', 0), template(special.sep, 0)];
  return {
    added_tokens: Object.values(special)
      .filter((content) => idsByToken.has(content))
      .map((content) => ({
        ...{ id: idsByToken.get(content), content, special: true },
        ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
      })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: config.tokenize_chinese_chars ?? true,
      strip_accents: config.strip_accents ?? null,
      lowercase: config.do_lower_case ?? true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single,
      pair: [...single, template('B', 1), template(special.sep, 1)],
      special_tokens: Object.fromEntries(
        [special.cls, special.sep].map((token) => [
          token,
          { id: token, ids: [idsByToken.get(token)], tokens: [token] },
        ]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: special.unk,
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(idsByToken),
    },
  };
}
