// The line of effects: what the model writes now, changed words marked, what is blocked, and undo.

import { element, write } from '../element.js';
import { formatProbability } from '../number_formats.js';
import { changedWords } from './changed_words.js';
import { kindsIn } from './actions.js';

/** `setBlock(text)` changes what is blocked; `effect()` resolves to an Effect (types.d.ts) of the current reading. */
export function createChanges({ setBlock, effect }) {
  const says = element('p', { class: 'now', role: 'status' });
  const list = element('ul', { 'aria-label': 'Blocked' });
  const all = element(
    'button',
    { type: 'button', class: 'quiet', title: 'Key U', click: () => setBlock('') },
    'Undo all',
  );
  const means = element('p', { class: 'hint means' });
  const root = element('section', { class: 'what-if', 'aria-label': 'What if', hidden: true });
  root.append(says, element('div', { class: 'blocked' }, list, all, means));
  let known = { key: '', effect: null };
  let pending = '';

  async function fetch(key, draw) {
    if (pending === key) return;
    pending = key;
    const answer = await effect();
    if (pending !== key) return;
    pending = '';
    known = { key, effect: answer };
    draw();
  }

  function showBlocks(blocks) {
    const key = JSON.stringify(blocks);
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    const focused = Array.from(list.children).findIndex((one) =>
      one.contains(document.activeElement),
    );
    const items = blocks.map(({ item }) => item);
    all.hidden = items.length < 2;
    list.replaceChildren(
      ...blocks.map(({ item, says: what }) => {
        const undo = () => setBlock(items.filter((one) => one !== item).join(','));
        return element(
          'li',
          {},
          element('bdi', {}, what),
          element(
            'button',
            { type: 'button', 'aria-label': `Undo: ${what}`, title: 'Undo', click: undo },
            '×',
          ),
        );
      }),
    );
    if (focused >= 0) (list.querySelectorAll('button')[focused] ?? all).focus();
  }

  function showEffect(key, found, block) {
    if (says.dataset.key === key) return;
    says.dataset.key = key;
    if (!found) {
      says.replaceChildren();
      write(means, 'The model writes nothing here. Compare shows the weights as they were.');
      return;
    }
    const { parts, isChanged } = sentenceOf(found);
    says.replaceChildren(...parts);
    write(means, meaningOf(isChanged, kindsIn(block)));
  }

  function show({ state, facts, picture, isReady }) {
    const isOn = state.block !== '' && ['model', 'own'].includes(state.source);
    root.hidden = !isOn;
    if (!isOn) return;
    if (facts?.blocks) showBlocks(facts.blocks);
    if (!isReady || !facts?.blocks || !picture) return;
    const { block, mode, source } = state;
    const key = JSON.stringify([
      source,
      mode,
      block,
      facts.from,
      facts.texts,
      facts.requestedTexts,
    ]);
    if (known.key === key) showEffect(key, known.effect, block);
    else fetch(key, () => show({ state, facts, picture, isReady }));
  }

  return { element: root, show };
}

/** { parts: nodes of a sentence, isChanged } */
export function sentenceOf(found) {
  const { kind, was, now, lang } = found;
  if (kind === 'own') {
    const isChanged = Math.abs(Math.log(was / now)) > 0.01;
    return {
      isChanged,
      parts: [
        'Probability of your text: ',
        element('strong', {}, formatSmall(now)),
        `, ${formatSmall(was)} before`,
      ],
    };
  }
  if (kind === 'likeliest') {
    const isChanged = was[0].text !== now[0].text;
    return {
      isChanged,
      parts: ['Most likely now: ', ...listOf(now), ' · before: ', ...listOf(was)],
    };
  }
  const isChanged = was !== now;
  const text = element('bdi', { class: 'text', lang });
  if (isChanged) {
    const shown = changedWords(was, now).map(marked);
    text.append(...shown.flatMap((one, at) => (at > 0 ? [' ', ...one] : one)));
  } else text.append(element('span', {}, now));
  return { isChanged, parts: [isChanged ? 'Now it writes: ' : 'It still writes: ', text] };
}

/** Words with a mark; screen readers do not tell `ins` and `del` apart, so it is also in hidden words. */
function marked({ text, is }) {
  if (is === 'same') return [text];
  const [name, says] = is === 'new' ? ['ins', '(new: '] : ['del', '(no longer: '];
  const hidden = (words) => element('span', { class: 'unseen' }, words);
  return [hidden(says), element(name, {}, text), hidden(')')];
}

const listOf = (words) =>
  words
    .slice(0, 3)
    .flatMap(({ text, probability }, at) => [
      at > 0 ? ', ' : '',
      element('bdi', {}, text),
      ` ${formatProbability(probability)}`,
    ]);

const formatSmall = (p) => (p >= 0.001 ? p.toFixed(3) : p.toExponential(1).replace('-', '−'));

/** What the result shows, and what it does not. */
export function meaningOf(isChanged, { oneLayer }) {
  if (isChanged) return 'It was used here. In other texts, other words and heads may matter.';
  return oneLayer
    ? 'One layer only: the word may arrive in other layers and heads, or by way of other words. Try all layers.'
    : 'That does not show it was useless: other words and heads may take over.';
}
