// The tokenizer's package brings every kind of normalizer, splitter, model and decoder that there is. Here it
// is cut down, before it is bundled, to those that a tokenizer.json names.

/** Names of the kinds in a part of a tokenizer.json: its own, and those of a sequence. */
function kindsIn(part) {
  if (!part) return [];
  const parts = part.normalizers ?? part.pretokenizers ?? part.processors ?? part.decoders ?? [];
  return [part.type, ...parts.flatMap(kindsIn)];
}

/**
 * The source of @huggingface/tokenizers without the cases, in the functions that make one of several kinds, of
 * kinds that `description`, a tokenizer.json, does not name. The bundler then leaves out their classes.
 */
export function keepTokenizerKinds(source, description) {
  const makers = {
    create_normalizer: description.normalizer,
    create_pre_tokenizer: description.pre_tokenizer,
    create_tokenizer_model: description.model,
    create_post_processor: description.post_processor,
    create_decoder: description.decoder,
  };
  let kept = source;
  for (const [name, part] of Object.entries(makers)) {
    const kinds = kindsIn(part);
    const found = [];
    kept = kept.replace(RegExp(`^function ${name}\\([^]*?^}`, 'm'), (maker) =>
      maker
        .replace(/^ {4}case "(\w+)":\n(?! {4}case).*\n/gm, (text, kind) => {
          found.push(kind);
          return kinds.includes(kind) ? text : '';
        })
        // A model without a type is guessed from what else it has.
        .replace(/^ {6}if \(model_config\.vocab\) \{\n[^]*?^ {6}\}\n/m, ''),
    );
    const unknown = kinds.filter((kind) => !found.includes(kind));
    if (found.length === 0 || unknown.length > 0) {
      throw new Error(
        `@huggingface/tokenizers has another ${name}() than web/tokenizer_kinds.js knows`,
      );
    }
  }
  return kept;
}
