// A small price list of the reader's own: a hard lookup in it, and a soft one with the weight of every row.

import { maxLookupEntries } from '../../../state_fields.js';
import { findIn } from '../../element.js';
import { formatCell, formatTerm, sumOf } from '../../number_formats.js';

const priceOf = (number) => `${formatTerm(number)} €`;
const isKey = (key) => key.trim() !== '';

/** Rows of `lookup` with the numbers of `found`, the worker's answer, which leaves out rows without a key. */
export function rowsOf({ entries }, found) {
  let next = 0;
  return entries.map(([key, price]) => {
    const at = isKey(key) && found?.weights && next < found.weights.length ? next++ : null;
    if (at === null) return { name: key, price };
    const [score, weight, value] = [found.scores[at], found.weights[at], found.values[at]];
    return { name: key, price, score, weight, value, product: weight * value };
  });
}

/** `lookup`: { query, entries, temperature } of the state; `found`: the worker's answer, or undefined. */
export const HardLookup = ({ lookup: { query, entries }, found }) => (
  <>
    <p class="query">
      {'query '}
      <bdi class="is-read">{query}</bdi>
    </p>
    <table class="hard">
      <caption class="unseen">Hard lookup</caption>
      {headOf(['key', 'equal', 'price, €'])}
      <tbody>
        {entries
          .filter(([key]) => isKey(key))
          .map(([key, price]) => (
            <tr>
              <th scope="row">
                <bdi>{key}</bdi>
              </th>
              <td>{key.trim() === query.trim() ? 'yes' : 'no'}</td>
              <td>{price}</td>
            </tr>
          ))}
      </tbody>
    </table>
    <p class="result">
      {'answer '}
      <span class="answer">
        {(found?.hard ?? null) === null ? 'not found' : priceOf(found.hard)}
      </span>
    </p>
  </>
);

const headOf = (titles) => (
  <thead>
    <tr>
      {titles.map((title) => (
        <th scope="col">{title}</th>
      ))}
    </tr>
  </thead>
);

/** `change(lookup)` replaces the list; `pick(row)` chooses the row that is spelled out, `chosen`. */
export function SoftLookup({ lookup, found, chosen, change, pick }) {
  const { query, entries, temperature } = lookup;
  const rows = rowsOf(lookup, found);
  const edit = (row, place) => (event) =>
    change({
      ...lookup,
      entries: entries.map((entry, at) =>
        at === row ? entry.with(place, event.currentTarget.value) : entry,
      ),
    });
  return (
    <>
      <p class="query">
        <label for="lookup-query">query</label>
        <input
          id="lookup-query"
          class="is-read"
          value={query}
          {...plainText}
          onInput={({ currentTarget: { value } }) => change({ ...lookup, query: value })}
        />
      </p>
      <table class="soft">
        <caption class="unseen">Soft lookup: what each key counts</caption>
        {headOf(['key', 'price, €', 'score', 'weight', 'weight × price', remove])}
        <tbody>
          {rows.map((row, at) => (
            <Row
              {...row}
              at={at}
              isChosen={at === chosen}
              pick={pick}
              edit={edit}
              remove={(event) => removeRow(event, lookup, at, change)}
            />
          ))}
        </tbody>
      </table>
      <button
        type="button"
        class="quiet add"
        disabled={entries.length >= maxLookupEntries}
        onClick={(event) => {
          change({ ...lookup, entries: [...entries, ['', '1']] });
          const figure = /** @type {HTMLElement} */ (event.currentTarget.closest('figure'));
          findIn(figure, 'tbody tr:last-child input').focus();
        }}
      >
        Add a key
      </button>
      <Temperature
        temperature={temperature}
        turn={(value) => change({ ...lookup, temperature: value })}
      />
      <p class="result" role="status">
        {'answer '}
        <span class="answer soft-answer">{answerIn(found)}</span>
      </p>
    </>
  );
}

/** @type {{ dir: 'auto', maxlength: number, autocomplete: 'off', spellcheck: boolean }} */
const plainText = { dir: 'auto', maxlength: 200, autocomplete: 'off', spellcheck: false };
const remove = <span class="unseen">remove</span>;

function answerIn(found) {
  if (!found) return '';
  return found.weights ? priceOf(found.soft) : 'nothing to look up';
}

function Row({ name, price, score, weight, product, at, isChosen, pick, edit, remove: take }) {
  const isKnown = weight !== undefined;
  return (
    <tr class={isChosen ? 'chosen' : undefined} onFocusIn={() => pick(at)} onClick={() => pick(at)}>
      <td>
        <input aria-label={`Key ${at + 1}`} value={name} onInput={edit(at, 0)} {...plainText} />
      </td>
      <td>
        <input
          aria-label={`Price ${at + 1}`}
          type="number"
          step="any"
          value={price}
          onInput={edit(at, 1)}
        />
      </td>
      <td class="score">{isKnown ? formatCell(score, 3) : ''}</td>
      <td class="weight">
        <i style={{ width: `${(100 * (weight ?? 0)).toFixed(2)}%` }} />
        {isKnown ? formatCell(weight, 5) : ''}
      </td>
      <td class="counts">{isKnown ? formatCell(product, 5) : ''}</td>
      <td>
        <button type="button" class="quiet" aria-label={`Remove key ${at + 1}`} onClick={take}>
          ×
        </button>
      </td>
    </tr>
  );
}

/** The next row's button then has the focus; after the last one “Add a key”. */
function removeRow(event, lookup, row, change) {
  event.stopPropagation();
  const figure = event.currentTarget.closest('figure');
  change({ ...lookup, entries: lookup.entries.filter((_, at) => at !== row) });
  if (!figure.contains(document.activeElement)) figure.querySelector('.add').focus();
}

const Temperature = ({ temperature, turn }) => (
  <div class="heat">
    <label for="lookup-temperature">temperature</label>
    <input
      id="lookup-temperature"
      type="range"
      min={-5}
      max={6}
      step={0.01}
      value={Math.log2(temperature)}
      aria-valuetext={String(temperature)}
      onInput={({ currentTarget: { valueAsNumber } }) =>
        turn(Number((2 ** valueAsNumber).toPrecision(3)))
      }
    />
    <output for="lookup-temperature">{String(temperature)}</output>
    <p class="ends" aria-hidden>
      <span>exact match</span>
      <span>plain average</span>
    </p>
  </div>
);

/** The Spelling of a row and of the answer; null until the answer has come. */
export function spellRow(lookup, found, chosen) {
  if (!found?.weights) return null;
  const { scores, weights, values, keys, soft } = found;
  const terms = weights.map((weight, at) => [weight, values[at], keys[at]]);
  const answer = `o = ${sumOf(terms, soft)} €`;
  const { name, score, weight, value, product } = rowsOf(lookup, found)[chosen] ?? {};
  if (weight === undefined) return { lines: [answer], terms };
  const top = Math.max(...scores);
  const total = scores.reduce((sum, one) => sum + Math.exp(one - top), 0);
  return {
    terms,
    lines: [
      `“${name}” has the score ${formatTerm(score)}, already divided by the temperature, ${lookup.temperature}`,
      `α of “${name}” = exp(${formatTerm(score)} − ${formatTerm(top)}) / ${formatTerm(total)} = ${formatTerm(weight)}`,
      `“${name}” counts ${formatTerm(weight)} × ${formatTerm(value)} € = ${formatTerm(product)} €`,
      answer,
    ],
  };
}
