// Step “All heads”: the concatenated heads of the row and their product with W_O.

import { h, useState } from '../component.js';
import { formatTerm } from '../number_formats.js';
import { FormulaLine, FormulaSum, Step, StripLine, Sum, sumOf } from './step.js';
import { largest } from './strip.js';

export function HeadsStep({ inspection, palette }) {
  const { together, output, place } = inspection;
  const { joined, weight, bias, result } = together;
  const width = output.length; // of a head
  const heads = joined.length / width;
  // Another head begins with its own numbers.
  const [chosen, setChosen] = useState({ head: place.head, joined: place.head * width });
  const [out, setOut] = useState(0);
  const at = chosen.head === place.head ? chosen.joined : place.head * width;
  const terms = Array.from(joined, (number, i) => [number, weight.data[i * result.length + out]]);
  const [number, factor] = terms[at];
  const brought = Array.from({ length: heads }, (_, head) =>
    terms.slice(head * width, (head + 1) * width).reduce((all, [a, b]) => all + a * b, 0),
  );
  const shares = brought.map((share, head) => `head ${head + 1} ${formatTerm(share)}`).join(', ');
  return h(
    Step,
    { id: 'heads', title: 'All heads' },
    h(FormulaLine, { text: 'y = concat(o_1, o_2, …) W_O + b' }),
    h(StripLine, {
      ...{ symbol: 'o', word: `${heads} heads`, values: joined, top: largest(joined), palette },
      ...{ picked: at, onPick: (index) => setChosen({ head: place.head, joined: index }) },
    }),
    h(
      Sum,
      null,
      `Number ${at + 1} comes from head ${Math.floor(at / width) + 1} and contributes ${formatTerm(number)} × ${formatTerm(factor)} = ${formatTerm(number * factor)}`,
    ),
    h(StripLine, {
      ...{ symbol: 'y', word: 'result', values: result, top: largest(result), palette },
      ...{ picked: out, onPick: setOut },
    }),
    h(FormulaSum, { text: `y_${out + 1} = ${sumOf(terms, result[out], bias[out])}` }),
    h(Sum, null, `By head: ${shares}`),
  );
}
