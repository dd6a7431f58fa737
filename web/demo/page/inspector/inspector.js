// Inspector: every step from the vectors of the selected pair to the output, with the numbers that went into the
// library and came out of it, and the formula of each step.

import { element, write } from '../element.js';
import { createOutputStep } from './output_step.js';
import { createPiecesStep } from './pieces_step.js';
import { createScaleStep } from './scale_step.js';
import { createScoreStep } from './score_step.js';
import { step, sumLine } from './step.js';
import { createVectorsStep } from './vectors_step.js';
import { createWeightStep } from './weight_step.js';
import '../style/inspector.css';

export { createStrip, largest } from './strip.js';

/**
 * `select({ column })` selects another word by one of its tokens; `spellOut({ row, column })` inspects another pair of
 * tokens of the selected words.
 */
export function createInspector(root, { select, spellOut }) {
  let inspection = null;
  let settings = null;
  const pair = element('p', { class: 'pair-title' });
  const sum = createPiecesStep({ spellOut });
  const headline = sumLine();
  const steps = [
    createVectorsStep(),
    createScoreStep(),
    createScaleStep(),
    createWeightStep({ pick }),
    createOutputStep(),
  ];
  const ends = [
    createLater('Moved', 'transformed', fetchMoved),
    createLater('All heads', 'together', fetchTogether),
  ];
  root.append(
    pair,
    headline,
    sum.element,
    ...steps.map(({ element: one }) => one),
    ...ends.map(({ element: one }) => one),
    root.querySelector('.inside'),
  );

  /** A token of the selected word is inspected; a token of another word selects that word. */
  function pick(column) {
    const { pieces, place } = inspection;
    const isOwn = pieces.pairs.some((one) => one.row === place.row && one.column === column);
    if (isOwn) spellOut({ row: place.row, column });
    else select({ column });
  }

  function draw() {
    root.classList.toggle('empty', !inspection);
    if (!inspection) return;
    const { query, key } = inspection.pieces;
    pair.replaceChildren(
      element('bdi', { class: 'is-read' }, query),
      ' → ',
      element('bdi', { class: 'is-seen' }, key),
    );
    write(headline, settings.note ?? '');
    sum.show(inspection, settings);
    for (const one of [...steps, ...ends]) one.show(inspection, settings);
  }

  return {
    /**
     * Redraws only if something changed.
     * @param {import('../../types').Inspection | null} next
     */
    show(next, { palette, average, note }) {
      const isSame = settings?.palette === palette && settings.average === average;
      if (next === inspection && isSame && settings.note === note) return;
      inspection = next;
      settings = { palette, average, note };
      draw();
    },
  };
}

const fetchMoved = () => import('./moved_step.js').then(({ createMoved }) => createMoved());
const fetchTogether = () =>
  import('./heads_together.js').then(({ createHeadsTogether }) => createHeadsTogether());

/** A step that is loaded when an inspection has the field that it needs. */
function createLater(title, field, fetch) {
  const room = step(title, null, []);
  let fetching = null;
  let shown = null;
  return {
    element: room,
    async show(...what) {
      shown = what;
      room.hidden = !what[0][field];
      if (room.hidden) return;
      fetching ??= fetch().then((made) => {
        room.append(...made.elements);
        return made;
      });
      const { show } = await fetching;
      if (shown[0][field]) show(...shown);
    },
  };
}
