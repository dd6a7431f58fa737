// Comparison: the picture, an alternative with one setting or the text changed, and their difference (second minus
// first), with the same rows and columns and one selection for all three.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { element, write } from '../element.js';
import { hasNegative, topWeight } from './head_of_picture.js';
import { optionsFor } from './matrix.js';
import { choicesFor, lessTitle, pairOf, titlesFor } from './compare_choices.js';
import '../style/compare.css';
import { plainPalette, readPalette, screenColors } from '../palette.js';
import { svgDocument, svgElement, writeSVG } from '../svg_element.js';

/** Fills `room`; `select`, `hover` and `change` as in the other views; `type` and `askDifference` as in actions.js. */
export function create(room, { select, hover, change, type, askDifference }) {
  defineAttentionMap();
  let now = null; // latest state
  const picker = element('select', { id: 'beside', change: choose });
  function choose() {
    // Another text starts as a copy, for the reader to change a word.
    const starts = picker.value === 'text' && now.otherText === '';
    change({ beside: picker.value, ...(starts && { otherText: now.text }) });
  }
  const other = element('input', {
    ...{ id: 'other-text', type: 'text', autocomplete: 'off', spellcheck: 'false', dir: 'auto' },
    'aria-label': 'Another text',
    input: () => type({ otherText: other.value }),
  });
  const strongest = element(
    'button',
    {
      ...{ type: 'button', class: 'quiet', click: askDifference },
      title: 'The layer, head and pair of words in which the two texts differ most',
    },
    'Largest difference',
  );
  const choice = element(
    'p',
    { class: 'beside' },
    element('label', { for: 'beside' }, 'Compare with'),
    picker,
    other,
    strongest,
  );
  const panels = ['own', 'other', 'difference'].map((name) => createPanel(name, { select, hover }));
  room.classList.add('compare-view');
  room.append(
    choice,
    element(
      'div',
      { class: 'panels' },
      panels.map((panel) => panel.element),
    ),
  );
  let drawn = [];

  return {
    show(picture, selection, settings, { state, facts }) {
      now = state;
      other.hidden = state.beside !== 'text';
      strongest.hidden = other.hidden || !askDifference;
      if (other.value !== state.otherText) other.value = state.otherText;
      if (!picture.beside) return; // being computed
      const at = { state, facts, picture };
      fillChoices(picker, choicesFor(at), state.beside);
      const pair = inOneScale(pairOf(picture, selection, settings), picture);
      const next = [picture, selection.head, JSON.stringify(settings)];
      const isOther = next.some((value, index) => value !== drawn[index]);
      drawn = next;
      const titles = [...titlesFor(at), lessTitle];
      panels.forEach((panel, index) => {
        panel.show(pair[index], titles[index], { isOther, picture, selection, settings });
      });
    },
    toSVG: ({ dark } = screenColors) => compareToSVG(panels, { dark }),
  };
}

/** One color scale for both pictures, so that their colors can be compared. */
function inOneScale(pair, picture) {
  const domain = domainOf(pair.slice(0, 2), picture);
  return pair.map((one, at) => ({ ...one, domain: at < 2 ? domain : null }));
}

function domainOf(both, { columns }) {
  const finite = both.map(({ values }) => values.filter(Number.isFinite));
  const top = Math.max(...finite.map((values) => topWeight(values, columns.length)));
  const isSigned = both[0].stage !== 'weights' || finite.some(hasNegative);
  if (!isSigned) return [0, top];
  const size = finite.reduce(
    (most, values) => values.reduce((a, b) => Math.max(a, Math.abs(b)), most),
    1e-9,
  );
  return [-size, size];
}

function createPanel(name, { select, hover }) {
  const map = element('attention-map', { fill: true });
  map.addEventListener('select', ({ detail: { row, column } }) => select({ row, column }));
  map.addEventListener('hover', ({ detail }) => {
    hover(detail && { row: detail.row, column: detail.column });
  });
  const title = element('figcaption');
  const figure = element('figure', { class: name }, title, map);
  return {
    element: figure,
    map,
    title: () => title.textContent,
    show(
      { stage, values, hidden, blocked, domain, rows, columns },
      says,
      { isOther, picture, selection, settings },
    ) {
      write(title, says);
      const { row, column } = selection;
      if (!isOther) map.select({ row, column });
      else {
        const one = { ...picture, rows, columns, hidden, blocked, stages: { [stage]: values } };
        map.update({
          ...optionsFor(one, { head: 0 }, { ...settings, stage }),
          signed: domain ? domain[0] < 0 : true,
          domain: settings.scaling === 'row' ? 'row' : (domain ?? 'global'),
          label: `${says}: ${rows.length} rows, ${columns.length} columns`,
          selected: { row, column },
        });
      }
      map.hover(selection.hovered ?? null);
    },
  };
}

function fillChoices(picker, groups, value) {
  const isThere = groups.some(([, list]) => list.some(([id]) => id === value));
  // An alternative that equals the picture, or no longer exists, keeps its entry in the list.
  const all = isThere ? groups : [['Now', [[value, 'The same again']]], ...groups];
  const key = JSON.stringify(all);
  if (picker.dataset.key !== key) {
    picker.dataset.key = key;
    const options = (list) => list.map(([id, name]) => element('option', { value: id }, name));
    picker.replaceChildren(
      ...all.map(([group, list]) => element('optgroup', { label: group }, options(list))),
    );
  }
  picker.value = value;
}

// ---- as one SVG document ---------------------------------------------------------------------------

const gap = 20;
const line = 24;

/** `panels`: { title(), map } each; `dark`: true, false, or undefined for the page's colors. */
function compareToSVG(panels, { dark }) {
  const { ink, surface } = dark === undefined ? readPalette() : plainPalette(dark);
  let x = gap;
  let height = 0;
  const shown = panels.flatMap(({ map, title }, at) => {
    // Ids must be unique within one document.
    const own = map.toSVG({ dark }).replaceAll('heatmap-', `beside-${at}-`);
    const picture = new DOMParser().parseFromString(own, 'image/svg+xml').documentElement;
    const [wide, tall] = ['width', 'height'].map((side) => Number(picture.getAttribute(side)));
    const attributes = { x, y: line - 6, fill: ink, 'font-size': 13, 'font-weight': 600 };
    const parts = [
      svgElement('text', attributes, title()),
      svgElement('g', { transform: `translate(${x} ${line})` }, picture),
    ];
    x += wide + gap;
    height = Math.max(height, line + tall);
    return parts;
  });
  const title = 'Two pictures of attention, and the second minus the first';
  const family = getComputedStyle(document.body).fontFamily;
  return writeSVG(svgDocument({ width: x, height, title, family, surface }, shown));
}
