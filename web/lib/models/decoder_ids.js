// What a decoder reads where nothing was written yet.

/** The ids that the decoder reads: given, or the start and what the caller has it begin with. */
export function decoderIdsOf({ tokenizer, starts, head, type }, read, begin) {
  if (read.decoderIds) {
    if (begin === undefined) return read.decoderIds;
    throw new TypeError(
      'decoderIds and decoder both say what the decoder reads: only one can be given',
    );
  }
  if (starts.decoder === undefined) {
    throw new RangeError(
      `config.json of this ${type} has no 'decoder_start_token_id': give { ids, decoderIds }`,
    );
  }
  // Classes are read off the text itself, moved on by one.
  if (head?.on === 'end' && begin === undefined) return [starts.decoder, ...read.ids.slice(0, -1)];
  if (begin === undefined) return [starts.decoder];
  if (!tokenizer) throw new TypeError('the model came without a tokenizer: give decoderIds');
  return [starts.decoder, ...tokenizer.encodePlain(begin)];
}
