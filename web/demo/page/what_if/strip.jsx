// The strip of the answer, the same for what is blocked, for a comparison of two texts, and for a head or word that was
// measured: what changes, before → after, what the model writes then, and undo.

import { formatChance } from '../number_formats.js';
import { SaveTable } from '../exports/save_table.jsx';
import { kindsIn } from './actions.js';
import { placeOf } from '../next_words/next_words.jsx';
import { Answer, nextBars, Words, WrittenText } from './answer.jsx';

/** `blocked`, `compared`, `measured`: arguments of the three answers, or null. */
export const Strip = ({ blocked, compared, measured, ...actions }) => (
  <>
    {blocked && <Blocked {...blocked} {...actions} />}
    {compared && <Compared {...compared} {...actions} />}
    {measured && <Measured {...measured} {...actions} />}
  </>
);

/**
 * `blocks`: SaidBlocks; `reaches`: result of reachesOf() for the latest of them; `effect`: an Effect, null for a model that
 * writes nothing, or undefined until it is known; `next`: NextWords with probabilities before, or null; `isInText`: the text
 * above shows which words changed, and has the button that undoes; `setBlock(text)` changes what is blocked; `saving` and
 * `save` as in SaveTable.
 */
function Blocked({ blocks, reaches = [], effect, next, isInText = false, setBlock, saving, save }) {
  const items = blocks.map(({ item }) => item);
  const without = (item) => setBlock(items.filter((one) => one !== item).join(','));
  const hasReaches = reaches.length > 0;
  const changes = blocks.map(({ item, says, what }, at) => ({
    says: hasReaches && at === blocks.length - 1 ? what : says,
    undo: blocks.length > 1 && (() => without(item)),
  }));
  const undo = !isInText && (
    <Undo title="Key U" act={() => setBlock('')} says={items.length > 1 ? 'Undo all' : 'Undo'} />
  );
  return (
    <Answer
      name="Blocked"
      changes={changes}
      where={<Reaches reaches={reaches} setBlock={setBlock} />}
      bars={next && barsOf(next)}
      button={undo}
    >
      <p class={isInText ? 'now unseen' : 'now'} role="status">
        <Written effect={effect} />
      </p>
      <div class="meaning">
        <p class="hint means">
          {effect !== undefined && meaningOf(effect, kindsIn(items.join(',')))}
        </p>
        {effect && <SaveTable what="blocked" title="before and now" {...{ saving, save }} />}
      </div>
    </Answer>
  );
}

/** Where it is blocked. */
const Reaches = ({ reaches, setBlock }) => (
  <fieldset class="segments reaches" hidden={reaches.length === 0}>
    <legend class="unseen">Where it is blocked</legend>
    {reaches.map(({ name, title, block, isChosen }) => (
      <label key={name} title={title}>
        <input type="radio" name="reach" checked={isChosen} onChange={() => setBlock(block)} />
        <span>{name}</span>
      </label>
    ))}
  </fieldset>
);

/** Words before, and now. */
function barsOf(next) {
  const { words, lang } = next;
  const shares = (name) =>
    words
      .filter((word) => word[name] !== undefined)
      .map((word) => ({ ...word, share: word[name] }));
  return nextBars(shares('was'), shares('probability'), lang, placeOf(next));
}

/**
 * `words`: the words of either text in which they differ; `was` and `now`: what the model writes, undefined where it
 * writes nothing; `next`: NextWords of both texts, or null; `endComparison()`.
 */
function Compared({ words, was, now, lang, next, endComparison }) {
  const [own, other] = words;
  const shares = ({ words: all }) => all.map(({ text, probability: share }) => ({ text, share }));
  const bars = next && nextBars(shares(next[0]), shares(next[1]), next[1].lang);
  return (
    <Answer
      name="Compared"
      changes={[{ says: `${other} in place of ${own}` }]}
      bars={bars}
      button={<Undo title="Ends the comparison" act={endComparison} says="Undo" />}
    >
      {now !== undefined && (
        <p class="now" role="status">
          <WrittenText was={was} now={now} lang={lang} />
        </p>
      )}
    </Answer>
  );
}

/**
 * `says`: the head or word, and what is done to it; `word`: whose probability was measured; `found`: { was, now, effect },
 * null until it is measured; `canDo`: what the button would do, '' for nothing; `does`: the next state of blocks.
 */
function Measured({ says, word, found, effect, canDo, does, setBlock }) {
  const bar = (share) => ({ text: word, share });
  const bars = found && {
    ...{ title: 'Probability', before: bar(found.was), after: bar(found.now) },
  };
  return (
    <Answer
      name="Measured"
      changes={[{ says }]}
      bars={bars}
      button={canDo !== '' && <Undo act={() => setBlock(does)} says={canDo} />}
    >
      <p class="hint means">{effect}</p>
    </Answer>
  );
}

/** @param {{ title?: string, act(): void, says: string }} shown */
const Undo = ({ title, act, says }) => (
  <button type="button" class="quiet undo" title={title} onClick={act}>
    {says}
  </button>
);

/** What the model writes now; `waiting`: text until that is known. */
export const Written = ({ effect, waiting = '' }) =>
  effect ? <Sentence effect={effect} /> : waiting;

function Sentence({ effect }) {
  const { kind, was, now, lang } = effect;
  if (kind === 'own') {
    return (
      <>
        {'Probability of your text: '}
        <strong>{formatChance(now)}</strong>
        {`, ${formatChance(was)} before`}
      </>
    );
  }
  if (kind === 'likeliest') {
    return (
      <>
        {effect.at ? `${effect.at}, most likely now: ` : 'Most likely now: '}
        <Words words={now} />
        {' · before: '}
        <Words words={was} />
      </>
    );
  }
  return <WrittenText was={was} now={now} lang={lang} />;
}

function hasChanged({ kind, was, now }) {
  if (kind === 'own') return Math.abs(Math.log(was / now)) > 0.01;
  return kind === 'likeliest' ? was[0].text !== now[0].text : was !== now;
}

/** What the result shows, and what it does not. */
export function meaningOf(effect, { oneLayer }) {
  if (!effect) return 'The model writes nothing here. Compare shows the weights as they were.';
  if (hasChanged(effect))
    return 'It was used here. In other texts, other words and heads may matter.';
  return oneLayer
    ? 'One layer only: the word may arrive in other layers and heads, or by way of other words.'
    : 'That does not show it was useless: other words and heads may take over.';
}
