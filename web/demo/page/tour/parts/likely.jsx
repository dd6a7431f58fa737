// Likeliest words in the place of one, with their probabilities as numbers and bars.

import { visibleText } from 'attention-wasm/heatmap';
import { formatProbability } from '../../number_formats.js';

const count = 4; // shown words

/** `words`: NextWords['words'], undefined if they are on their way; `own`: the word in whose place they are. */
export const Likely = ({ words, own }) => (
  <div>
    <p class="more">{`likeliest in the place of “${own}”`}</p>
    <ol class="likely" aria-busy={!words}>
      {words?.slice(0, count).map(({ text, special, probability }) => (
        <li style={{ '--share': probability }}>
          <bdi lang="fr">{special ? 'the end' : visibleText(text)}</bdi>{' '}
          <span>{formatProbability(probability)}</span>
        </li>
      ))}
    </ol>
  </div>
);
