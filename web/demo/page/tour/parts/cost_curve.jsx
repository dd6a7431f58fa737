// Chart of time over length: one line for each kind of attention, both axes logarithmic.

const kinds = ['softmax', 'linear'];

const size = { width: 340, height: 196, left: 46, right: 24, top: 10, bottom: 30 };

/** `points`: [length, { softmax, linear } in ms] in ascending order. */
export function CostCurve({ points }) {
  const lengths = [16, 1024, ...points.map(([length]) => length)];
  const times = points.flatMap(([, costs]) => Object.values(costs));
  const x = scale(lengths, [size.left, size.width - size.right]);
  const y = scale(times.length > 0 ? times : [0.01, 1], [size.height - size.bottom, size.top]);
  const marked = [16, 128, 1024].filter((at) => at >= x.ends[0] && at <= x.ends[1]);
  return (
    <svg
      class="curve"
      role="img"
      viewBox={`0 0 ${size.width} ${size.height}`}
      aria-label={labelOf(points)}
    >
      {ticks(y.ends).map((at) => (
        <>
          <line class="grid" x1={size.left} y1={y(at)} x2={size.width - size.right} y2={y(at)} />
          <Text x={size.left - 6} y={y(at) + 4} says={String(at)} anchor="end" />
        </>
      ))}
      {marked.map((at) => (
        <Text x={x(at)} y={size.height - 10} says={String(at)} anchor="middle" />
      ))}
      <Text x={2} y={size.height - 10} says="ms" anchor="start" />
      {points.length > 0 &&
        kinds.map((kind) => (
          <Curve kind={kind} line={points.map(([length, costs]) => [x(length), y(costs[kind])])} />
        ))}
    </svg>
  );
}

function Curve({ kind, line }) {
  const [right, top] = line.at(-1);
  // Beside the steeper line, and below the flatter, which rises to its end.
  const [x, y] = kind === 'softmax' ? [right - 18, top + 10] : [right, top + 30];
  return (
    <>
      <polyline
        class={kind}
        points={line.map((at) => at.map((part) => part.toFixed(1)).join()).join(' ')}
      />
      <Text x={x} y={y} says={kind} anchor="end" />
    </>
  );
}

const Text = ({ x, y, says, anchor }) => (
  <text x={x} y={y} text-anchor={anchor}>
    {says}
  </text>
);

const labelOf = (points) =>
  points.length === 0
    ? 'Time by length: nothing is measured yet'
    : `Time by length, from ${points[0][0]} to ${points.at(-1)[0]} tokens`;

/**
 * Logarithmic scale from one of `ends` to the other.
 * @param {number[]} values
 * @param {number[]} ends
 */
function scale(values, [from, to]) {
  /** @type {[number, number]} */
  const ends = [Math.min(...values), Math.max(...values)];
  const [low, high] = ends.map(Math.log10);
  const range = high - low || 1;
  return Object.assign((value) => from + ((Math.log10(value) - low) / range) * (to - from), {
    ends,
  });
}

/** Powers of ten between the ends. */
function ticks([low, high]) {
  const [from, to] = [Math.ceil(Math.log10(low)), Math.floor(Math.log10(high))];
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => Number(`1e${from + n}`));
}
