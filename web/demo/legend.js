// What the colours of the picture stand for.

import { colorOf } from './colors.js';

const stops = 24;

export function createLegend(element) {
  const [gradient, end, hidden] = ['gradient', 'top-weight', 'swatch-hidden'].map((name) =>
    element.querySelector(`.${name}`),
  );
  let drawnWith = null;

  return {
    /** `topWeight` is the weight at the strip's end; `hides` says that some cells are out of sight. */
    show({ topWeight, hides, palette }) {
      end.textContent = topWeight > 0.9995 ? '1' : topWeight.toFixed(topWeight < 0.1 ? 3 : 2);
      hidden.hidden = !hides;
      if (palette === drawnWith) return;
      drawnWith = palette;
      const colors = Array.from(
        { length: stops },
        (_, i) => colorOf(i / (stops - 1), 1, palette).fill,
      );
      gradient.style.backgroundImage = `linear-gradient(to right, ${colors.join(', ')})`;
    },
  };
}
