// Entries “Whole block” and “Logit lens” of the selected word's layer: its vectors from x to y, and the likeliest word after
// each layer.

import { useState } from '../component.jsx';
import { SaveTable } from '../exports/save_table.jsx';
import { formatProbability, formatTerm } from '../number_formats.js';
import { linesOf, normSays, sumsOf } from './block_lines.js';
import { FormulaSum, Strip } from './step.jsx';
import { largest } from './strip.js';

/** @import { Palette } from '../palette.js' */

/** `name`: field of the state that is true while it is unfolded. */
function Fold({ id, name, title, chosen, block, change, children }) {
  const { answer, problem = '' } = block ?? {};
  return (
    <details class={`inside ${id}`} id={`step-${id}`} open={chosen[name]} aria-busy={block?.isDue}>
      <summary
        id={`step-${id}-title`}
        onClick={(event) => {
          event.preventDefault(); // the store unfolds it
          change({ [name]: !chosen[name] });
        }}
      >
        <h4>{title}</h4>
      </summary>
      {chosen[name] && answer && children(answer)}
      <p class="hint problem" role="status">
        {problem !== '' && chosen[name] ? `The block could not be computed: ${problem}.` : ''}
      </p>
    </details>
  );
}

const Hint = ({ children }) => <p class="hint">{children}</p>;

export const Block = (shown) => (
  <Fold {...shown} id="block" name="whole" title="Whole block">
    {(block) => (
      <>
        <Hint>{introductionOf(block)}</Hint>
        <Lines block={block} palette={shown.palette} />
        <End block={block} />
      </>
    )}
  </Fold>
);

export const Lens = (shown) => (
  <Fold {...shown} id="lens" name="lens" title="Logit lens">
    {(block) => (
      <>
        <Layers block={block} change={shown.change} />
        {block.lens.why === undefined && (
          <SaveTable what="lens" title="the logit lens" saving={shown.saving} save={shown.save} />
        )}
      </>
    )}
  </Fold>
);

function introductionOf({ token, written, layer, layers, stack }) {
  const name = stack === 'self' ? 'layer' : `${stack} layer`;
  const at =
    written === undefined ? `“${token}”` : `“${token}”, after which “${written}” is written,`;
  return `The vector of ${at} on its way through ${name} ${layer + 1} of ${layers}. Attention and feed-forward each add a vector to it; what passes through all layers and is added to is the residual stream. Each strip is colored by its own largest number.`;
}

function Lines({ block, palette }) {
  const [chosen, pick] = useState(0); // component that is spelled out
  const at = Math.min(chosen, block.vectors.x.length - 1);
  return (
    <>
      <ol class="block-lines" aria-label="Vectors of the block">
        {linesOf(block).map((line) => (
          <Line line={line} palette={palette} picked={at} pick={pick} facts={block.facts} />
        ))}
      </ol>
      <div>
        {sumsOf(block, at).map((sum) => (
          <FormulaSum text={sumText(sum, at)} />
        ))}
      </div>
    </>
  );
}

function sumText({ terms, symbol, total }, at) {
  const names = terms.map(([name]) => `${name}_${at + 1}`).join(' + ');
  const numbers = terms.map(([, number]) => formatTerm(number)).join(' + ');
  const left = symbol ? `${symbol}_${at + 1} = ` : '';
  return `${left}${names} = ${numbers} = ${formatTerm(total)}`;
}

/**
 * A line of the block: symbol, words, and a strip or the numbers of a norm.
 * @param {{
 *   line: { symbol: string, says: string, vector?: ArrayLike<number>, of?: object },
 *   palette: Palette,
 *   picked: number,
 *   pick(index: number): void,
 *   facts: object,
 * }} shown
 */
function Line({ line: { symbol, says, vector, of }, palette, picked, pick, facts }) {
  const numbers = vector && Array.from(vector);
  return (
    <li class={of === undefined ? undefined : 'is-norm'}>
      <span class="symbol">{symbol}</span>
      <span class="says">{says}</span>
      {numbers && (
        <Strip
          name={`${symbol}, ${says}`}
          values={numbers}
          top={largest(numbers)}
          palette={palette}
          picked={picked}
          onPick={pick}
        />
      )}
      {of && <span class="norm">{normSays(of, facts)}</span>}
      {numbers && <span class="size">{`length ${formatTerm(Math.hypot(...numbers), 2)}`}</span>}
    </li>
  );
}

function Layers({ block, change }) {
  const { lens, layer, kind } = block;
  if (lens.why !== undefined) return <Hint>{lens.why}</Hint>;
  const [last] = lens.layers.at(-1);
  return (
    <>
      <ol class="lens-layers" aria-label="Likeliest after each layer">
        {lens.layers.map(([{ text, probability }], at) => (
          <li>
            <button
              type="button"
              aria-current={at === layer ? 'true' : undefined}
              style={{ '--p': probability.toFixed(3) }}
              onClick={() => change({ part: `${kind}.${at}` })}
            >
              <small>{`layer ${at + 1}`}</small>
              <bdi class={text === last.text ? 'is-last' : undefined}>{text}</bdi>
              <span>{formatProbability(probability)}</span>
            </button>
          </li>
        ))}
      </ol>
      <Hint>
        {`The likeliest ${lens.words ? 'token' : 'class'} if the model ended after that layer; bold is what it says in the end. Early layers are read as if they were the last, so they may say little.`}
        {lens.words &&
          ' A word of the list below the map also has to end there, so it is a little less likely than its token.'}
      </Hint>
    </>
  );
}

function End({ block }) {
  const { lens, layer, layers } = block;
  const tokens = layer === layers - 1 && lens.why === undefined ? lens.layers.at(-1) : [];
  return (
    <>
      <Hint>{endOf(block, tokens)}</Hint>
      {tokens.length > 0 && (
        <ol class="likely" aria-label="Likeliest at the end">
          {tokens.map(({ text, probability }) => (
            <li>
              <bdi>{text}</bdi>
              {` ${formatProbability(probability)}`}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function endOf({ lens, layer, layers, stack, facts }, tokens) {
  if (layer < layers - 1) return `y is the x of layer ${layer + 2}.`;
  if (tokens.length > 0) {
    const start = facts.finalNorm ? 'Then a last norm and' : 'Then';
    const what = lens.words ? 'token of the vocabulary' : 'class';
    return `${start} the head (unembedding) gives each ${what} a score, and softmax makes probabilities of them:`;
  }
  return stack === 'encoder'
    ? 'This is the last layer: the decoder looks at its output by cross-attention.'
    : 'This is the last layer.';
}
