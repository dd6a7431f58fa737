// Correct uses of attention-wasm/translator; incorrect ones are under @ts-expect-error.
import { loadTranslator } from 'attention-wasm/translator';

export async function uses(): Promise<string[]> {
  const translator = await loadTranslator();
  const { text, note, target } = translator.translate('Hello', { beam: 4, maxTokens: 20 });
  const { dims } = translator.tensors.get('embedding.weight')!;
  void dims.length;
  const why: 'symbols' | 'foreign' | 'copied' | null = note;
  for (const { begin, probability } of translator.nextWords('Hello', { target: text, word: 1 })) {
    if (probability > 0.5) translator.translate('Hello', { begin });
  }
  // @ts-expect-error: a number
  translator.nextWords('Hello', { count: 'five' });
  for (const soFar of translator.steps('Hello', { maxTokens: null })) void soFar.text;
  // @ts-expect-error maxTokens is a number
  translator.translate('Hello', { maxTokens: 'all' });
  // @ts-expect-error there is no such note
  const wrong = note === 'unknown';
  void wrong;
  return [text, why ?? 'translated', target.text];
}
