// One change and its effect in the strip: what is changed, a probability before → after, and what the model writes.

import { formatChance, formatPercent } from '../number_formats.js';
import { changedWords } from './changed_words.js';

/**
 * `changes`: [{ says, undo }], `undo()` is optional; `where`: what chooses where the last one is; `bars`: arguments of
 * BeforeAfter, or null; `button`: what takes the change back, or makes it.
 */
export const Answer = ({ name, changes, where = <></>, bars, button, children }) => (
  <div class="answer">
    <div class="blocked">
      <ul aria-label={name}>
        {changes.map(({ says, undo }) => (
          <li key={says}>
            <Change says={says} undo={undo} />
          </li>
        ))}
      </ul>
      {where}
      {bars && <BeforeAfter {...bars} />}
      {button}
    </div>
    {children}
  </div>
);

const Change = ({ says, undo }) => (
  <>
    <bdi>{says}</bdi>
    {undo && (
      <button type="button" aria-label={`Undo: ${says}`} title="Undo" onClick={undo}>
        ×
      </button>
    )}
  </>
);

/** `before` and `after`: { text, share } of the words; `title` names what they are. */
const BeforeAfter = ({ title, before, after, lang }) => (
  <p class="before-after">
    <span class="says">{`${title}: `}</span>
    <Bar {...before} lang={lang} />
    <span aria-hidden="true">{' → '}</span>
    <span class="unseen">{' before, now '}</span>
    <Bar {...after} lang={lang} />
  </p>
);

const Bar = ({ text, share, lang }) => (
  <span class="bar" style={{ '--share': share.toFixed(4) }}>
    <bdi lang={lang}>{text}</bdi> {formatChance(share)}
  </span>
);

/** The likeliest next word before and after as arguments of BeforeAfter, or null; words: [{ text, share }]; `place` as placeOf(). */
export function nextBars(before, after, lang, place = 'Next word') {
  const likeliest = (words) =>
    words.reduce((best, word) => (best && best.share >= word.share ? best : word), null);
  const [was, now] = [before, after].map(likeliest);
  return was && now ? { title: place, before: was, after: now, lang } : null;
}

/** A text that the model writes, with the words that changed marked. */
export const WrittenText = ({ was, now, lang }) => (
  <>
    {was === now ? 'It still writes: ' : 'Now it writes: '}
    <bdi class="text" lang={lang}>
      {changedWords(was, now).map((part, at) => (
        <>
          {at > 0 && ' '}
          <Part {...part} />
        </>
      ))}
    </bdi>
  </>
);

/**
 * Words with a mark; screen readers do not tell `ins` and `del` apart, so it is also in hidden words.
 * @param {{ text: string, is: 'same' | 'new' | 'gone' }} part
 */
function Part({ text, is }) {
  if (is === 'same') return <span>{text}</span>;
  const [Tag, says] =
    is === 'new'
      ? /** @type {const} */ (['ins', '(new: '])
      : /** @type {const} */ (['del', '(no longer: ']);
  return (
    <>
      <span class="unseen">{says}</span>
      <Tag>{text}</Tag>
      <span class="unseen">)</span>
    </>
  );
}

/** The first of a list of words with their probabilities. */
export const Words = ({ words }) =>
  words.slice(0, 3).map(({ text, probability }, at) => (
    <>
      {at > 0 && ', '}
      <bdi>{text}</bdi>
      {` ${formatPercent(probability)}`}
    </>
  ));
