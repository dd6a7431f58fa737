// The tour builds attention from the trained model, one idea per step. The step is part of the state, so that the
// browser's Back button works; the reader's texts stay as they are.

import { Formula, FormulaText, h, useLayoutEffect, useMemo, useRef } from '../component.jsx';
import { Ledger } from './parts/ledger.jsx';
import { Says } from './parts/says.jsx';
import { steps } from './steps.js';
import { tourPalette } from './tour_palette.js';

/** @import { Tour as TourState } from '../../state/types' */
/** @import { StepPlace } from './steps.js' */

/**
 * The lesson of a step that can be shown.
 * @param {TourState} tour
 */
export const isReady = ({ step, lesson }) =>
  step !== null && (lesson !== null || steps[step].withoutModel === true);

/**
 * Reads: `tour` of the store, with a step; `lookup` of the state; `palette`. Calls: change(), pickInTour(), goInTour(),
 * forward(), present().
 */
export function Tour({ tour, lookup, palette, ...act }) {
  const { step: at, lesson, found, failed } = tour;
  const step = steps[at];
  const colors = useMemo(() => tourPalette(palette), [palette]);
  const title = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  useLayoutEffect(() => {
    scrollTo({ top: 0 });
    title.current?.focus({ preventScroll: true });
  }, [at]);
  const go = (index) => act.change({ tour: index });
  const isShown = isReady(tour);
  /** @type {StepPlace} */
  const place = { ...tour.place, lookup, found: found?.answer };
  const isLast = at === steps.length - 1;
  const problem = failed?.step === at ? `The model cannot be shown: ${failed.problem}.` : '';
  return (
    <>
      <div class="head">
        <nav aria-label="Steps of the tour">
          {steps.map((one, index) => (
            <button
              type="button"
              aria-label={`${index + 1}: ${one.title.replace('_', '')}`}
              aria-current={index === at ? 'step' : undefined}
              onClick={() => go(index)}
            >
              {String(index + 1)}
            </button>
          ))}
          <p class="count">{`${at + 1} of ${steps.length}`}</p>
        </nav>
        <button type="button" class="quiet present" title="Key F" onClick={act.present}>
          Lecture view
        </button>
        <h2 tabIndex={-1} ref={title}>
          <FormulaText text={step.title} />
        </h2>
      </div>
      <div class="ground">
        <div class="subject">
          {isShown
            ? h(step.Figure, {
                ...{ key: step.id, lesson, place, tour, palette: colors },
                ...{ pick: act.pickInTour, change: act.change },
              })
            : problem || 'The model is on its way (5 MB).'}
        </div>
        <Ledger spelling={isShown ? step.spell(lesson, place, tour) : null} go={act.goInTour} />
      </div>
      <div class="card">
        <Formula tag="p" text={step.formula} />
        <Says texts={isShown ? step.says(lesson, place) : []} />
        <div class="buttons">
          <button type="button" class="quiet" disabled={at === 0} onClick={() => go(at - 1)}>
            Back
          </button>
          <button type="button" class="next" onClick={act.forward}>
            {isLast ? 'Try my own text' : 'Next'}
          </button>
          <button type="button" class="quiet end" hidden={isLast} onClick={() => go(null)}>
            End the tour
          </button>
        </div>
      </div>
    </>
  );
}
