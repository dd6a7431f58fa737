// Rays between the words of the texts, or above those of one: a drawing that says nothing to a screen reader, which hears
// the sentence below the map.

import { classOf, dashes } from './rays.js';

/** @import { DrawnRay } from './rays.js' */

/**
 * `rays`: result of drawnRays().
 * @param {{ rays: DrawnRay[] }} shown
 */
export const Rays = ({ rays }) => (
  <svg class="rays" aria-hidden="true">
    {rays.map((ray) => (
      <path
        key={`${ray.row} ${ray.column}`}
        class={classOf(ray)}
        d={ray.d}
        stroke-width={ray.width}
        opacity={ray.opacity}
        {...(ray.isBlocked && { pathLength: 100, 'stroke-dasharray': dashes })}
      />
    ))}
    {rays.map(
      ({ row, column, label, says, ...ray }) =>
        label && (
          <text
            key={`${row} ${column} says`}
            class={classOf(ray)}
            x={label.x}
            y={label.y}
            text-anchor={label.anchor}
          >
            {says}
          </text>
        ),
    )}
  </svg>
);
