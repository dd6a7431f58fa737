// Chart of the loss over the steps, with the current step marked.

/** @import { RunPicture } from './run.js' */

const size = { width: 480, height: 150, left: 36, right: 6, top: 8, bottom: 6 };
const viewBox = `0 0 ${size.width} ${size.height}`;
const maxPoints = 400;

/** Means of at most `maxPoints` groups of neighbors: [step, loss], steps from 1. */
export function pointsOf(losses) {
  const group = Math.max(1, Math.ceil(losses.length / maxPoints));
  return Array.from({ length: Math.ceil(losses.length / group) }, (_, at) => {
    const some = losses.slice(at * group, (at + 1) * group);
    const loss = some.reduce((sum, one) => sum + one, 0) / some.length;
    return [at * group + (some.length + 1) / 2, loss];
  });
}

/** The top of the chart: at first the loss is that of guessing, and a short peak is cut. */
const topOf = (losses) => Math.ceil(2.2 * (losses[0] ?? 1)) / 2;

const bottom = size.height - size.bottom;
const right = size.width - size.right;

/** @param {{ picture: RunPicture | null }} shown the run's */
export function LossCurve({ picture }) {
  if (!picture) return <svg class="curve" role="img" viewBox={viewBox} />;
  const { losses, steps } = picture;
  const top = topOf(losses);
  const x = (at) => size.left + (at / Math.max(1, losses.length)) * (right - size.left);
  const y = (loss) => bottom - Math.min(1, loss / top) * (bottom - size.top);
  const points = pointsOf(losses).map(([at, loss]) => `${x(at).toFixed(1)},${y(loss).toFixed(1)}`);
  const ends = `from ${losses[0]?.toFixed(2)} to ${losses.at(-1)?.toFixed(4)}`;
  return (
    <svg
      class="curve"
      role="img"
      viewBox={viewBox}
      aria-label={
        losses.length > 0 ? `Loss of ${losses.length} steps, ${ends}` : 'Loss: no step yet'
      }
    >
      <g>
        {[0, top / 2, top].map((at) => (
          <>
            <line x1={size.left} x2={right} y1={y(at)} y2={y(at)} />
            <text x={size.left - 5} y={y(at) + 4} text-anchor="end">
              {losses.length > 0 && String(at)}
            </text>
          </>
        ))}
      </g>
      <line class="here" x1={x(steps)} x2={x(steps)} y1={size.top} y2={bottom} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}
