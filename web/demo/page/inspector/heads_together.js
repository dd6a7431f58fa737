// Last step of the inspector: the concatenated heads of the row and their product with W_O.

import { element, write, writeFormula } from '../element.js';
import { formatTerm } from '../number_formats.js';
import { stripLine, sumOf } from './step.js';
import { largest } from './strip.js';

export function createHeadsTogether() {
  let at = { joined: 0, out: 0 };
  let shown = null;
  const choose = (part) => {
    at = { ...at, ...part };
    draw();
  };
  const joinedStrip = stripLine((joined) => choose({ joined }));
  const resultStrip = stripLine((out) => choose({ out }));
  const formula = element('p', { class: 'formula' });
  const [part, sum, shares] = Array.from({ length: 3 }, () => element('p', { class: 'sum' }));

  function draw() {
    const { joined, weight, bias, result, heads, palette } = shown;
    const width = joined.length / heads;
    const top = largest(joined);
    const options = { palette };
    joinedStrip.show('o', `${heads} heads`, joined, { ...options, top, picked: at.joined });
    resultStrip.show('y', 'result', result, { ...options, top: largest(result), picked: at.out });
    const terms = Array.from(joined, (number, i) => [
      number,
      weight.data[i * result.length + at.out],
    ]);
    const head = Math.floor(at.joined / width);
    const [number, factor] = terms[at.joined];
    const [i, c] = [at.joined + 1, at.out + 1];
    write(
      part,
      `Number ${i} comes from head ${head + 1} and contributes ${formatTerm(number)} × ${formatTerm(factor)} = ${formatTerm(number * factor)}`,
    );
    writeFormula(sum, `y_${c} = ${sumOf(terms, result[at.out], bias[at.out])}`);
    const brought = Array.from({ length: heads }, (_, one) =>
      terms.slice(one * width, (one + 1) * width).reduce((all, [a, b]) => all + a * b, 0),
    );
    const list = brought.map((share, one) => `head ${one + 1} ${formatTerm(share)}`);
    write(shares, `By head: ${list.join(', ')}`);
  }

  writeFormula(formula, 'y = concat(o_1, o_2, …) W_O + b');
  return {
    elements: [formula, joinedStrip.line, part, resultStrip.line, sum, shares],
    show({ together, output, place: { head } }, { palette }) {
      const width = output.length;
      const heads = together.joined.length / width;
      // Marks the slice of the inspected head.
      if (shown?.head !== head) at = { ...at, joined: head * width };
      shown = { ...together, heads, head, palette };
      draw();
    },
  };
}
