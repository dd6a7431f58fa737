// Figure: two texts, one above the other, with a line for every weight between them.

const height = 72;
const minVisible = 0.02; // weight of a line

const strongest = (weights) => weights.indexOf(Math.max(...weights));

/** `row`, `column`: the chosen words; `pick(row, column)` is called with a clicked word and its strongest partner. */
export function Alignment({ rows, columns, weights, row, column, pick }) {
  const count = columns.length;
  const weightsOf = (at) => weights.subarray(at * count, (at + 1) * count);
  const columnOf = (at) => rows.map((_, line) => weights[line * count + at]);
  return (
    <div class="alignment">
      <Words
        words={rows}
        at={row}
        name="is-read"
        pick={(at) => pick(at, strongest(weightsOf(at)))}
      />
      <svg viewBox={`0 0 1000 ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {rows.map((_, from) =>
          columns.map((_word, to) => (
            <Line
              weight={weights[from * count + to]}
              start={(1000 * (from + 0.5)) / rows.length}
              end={(1000 * (to + 0.5)) / count}
              isRead={from === row}
            />
          )),
        )}
      </svg>
      <Words
        words={columns}
        at={column}
        name="is-seen"
        pick={(at) => pick(strongest(columnOf(at)), at)}
      />
    </div>
  );
}

const Words = ({ words, at, name, pick }) => (
  <div class="words">
    {words.map((word, index) => (
      <button type="button" class={index === at ? name : ''} onClick={() => pick(index)}>
        <bdi>{word}</bdi>
      </button>
    ))}
  </div>
);

const Line = ({ weight, start, end, isRead }) =>
  weight >= minVisible && (
    <line
      class={isRead ? 'is-read' : ''}
      x1={start}
      x2={end}
      y1={0}
      y2={height}
      stroke-width={1 + 3 * weight}
      stroke-opacity={weight}
    />
  );
