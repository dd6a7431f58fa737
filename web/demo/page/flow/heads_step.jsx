// Step “All heads”: the concatenated heads of the row and their product with W_O.

import { useState } from '../component.jsx';
import { formatTerm } from '../number_formats.js';
import { FormulaLine, FormulaSum, Step, StripLine, Sum, sumOf } from './step.jsx';
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
  return (
    <Step id="heads" title="All heads">
      <FormulaLine text="y = concat(o_1, o_2, …) W_O + b" />
      <StripLine
        symbol="o"
        word={`${heads} heads`}
        values={joined}
        top={largest(joined)}
        palette={palette}
        picked={at}
        onPick={(index) => setChosen({ head: place.head, joined: index })}
      />
      <Sum>{`Number ${at + 1} comes from head ${Math.floor(at / width) + 1} and contributes ${formatTerm(number)} × ${formatTerm(factor)} = ${formatTerm(number * factor)}`}</Sum>
      <StripLine
        symbol="y"
        word="result"
        values={result}
        top={largest(result)}
        palette={palette}
        picked={out}
        onPick={setOut}
      />
      <FormulaSum text={`y_${out + 1} = ${sumOf(terms, result[out], bias[out])}`} />
      <Sum>{`By head: ${shares}`}</Sum>
    </Step>
  );
}
