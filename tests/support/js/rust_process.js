// The Rust library in a process of its own: it ends the process where it panics.
//   fork('rust_process.js'), then { description, texts, ids, from, isEach } → [[index, { value } or { error }], …] of the texts
//   and lists of ids from that index on, in one message or one for each; index -1 for the description
import { messageOf } from '../../../web/lib/arguments/message_of.js';
import { rustTokenizer } from './rust_encoding.js';

async function answer(use) {
  try {
    return { value: await use() };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

process.on('message', async ({ description, texts, ids, from, isEach }) => {
  const { value: tokenizer, error } = await answer(() => rustTokenizer(description));
  /** @type {[index: number, answer: { value?: unknown, error?: string }][]} */
  const answers = [[-1, { error }]];
  const send = () => process.send?.(answers.splice(0));
  if (error !== undefined) {
    send();
    return;
  }
  const uses = [
    ...texts.map((text) => () => tokenizer.encode(text)),
    ...ids.map((list) => () => tokenizer.decode(list)),
  ];
  for (const [index, use] of uses.entries()) {
    if (index < from) continue;
    answers.push([index, await answer(use)]);
    if (isEach) send();
  }
  if (!isEach) send();
});
process.on('disconnect', () => process.exit());
