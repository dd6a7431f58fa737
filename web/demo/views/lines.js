// The lines view: two columns of words and a link for every weight, as strong as the weight is, in the
// colour of its head. Words are text; the links are a canvas between them.

import { averageOf, pointedIn } from './head_of_picture.js';
import { colorOfHead, drawLinks, linesToSVG, linksOf } from './lines_drawing.js';

const tallest = 8192; // device pixels that a canvas may have in every browser

let instances = 0;

/** Fills `element`, as tall as it takes; `select` and `hover` are given { row } or { column }. */
export function createLines(element, { select, hover }) {
  const name = `lines-${++instances}`;
  element.classList.add('lines-view');
  const chips = element.appendChild(document.createElement('div'));
  chips.className = 'heads';
  const frame = element.appendChild(document.createElement('div'));
  frame.className = 'columns';
  const sides = { row: createSide('row'), column: createSide('column') };
  const between = document.createElement('div');
  between.className = 'between';
  const canvas = between.appendChild(document.createElement('canvas'));
  canvas.setAttribute('aria-hidden', 'true');
  frame.append(sides.row.box, between, sides.column.box);
  const context = canvas.getContext('2d');

  let picture = null;
  let selection = null;
  let settings = {};
  let hiddenHeads = new Set();
  let soloHead = null; // while a head's chip is pointed at

  // ---- from the state to the screen ---------------------------------------------------------------

  function show(nextPicture, nextSelection, nextSettings = {}) {
    const isEmpty =
      !nextPicture || nextPicture.rows.length === 0 || nextPicture.columns.length === 0;
    frame.hidden = isEmpty;
    chips.hidden = isEmpty || nextPicture.heads < 2;
    if (isEmpty) {
      picture = null;
      return;
    }
    if (picture?.heads !== nextPicture.heads) {
      hiddenHeads = new Set();
      fillChips(nextPicture.heads);
    }
    const before = picture;
    [picture, selection, settings] = [nextPicture, nextSelection, nextSettings];
    const { rowTitle = 'reads', columnTitle = 'is read' } = settings;
    sides.row.fill(picture.rows, before?.rows, rowTitle);
    sides.column.fill(picture.columns, before?.columns, columnTitle);
    frame.dataset.density = densityOf(Math.max(picture.rows.length, picture.columns.length));
    for (const [chip, index] of Array.from(chips.children, (one, i) => [one, i])) {
      chip.setAttribute('aria-pressed', String(!hiddenHeads.has(index)));
    }
    chips.classList.toggle('averaged', selection.head === 'average');
    draw();
  }

  function draw() {
    if (!picture) return;
    const pointed = pointedIn(selection);
    const of = wordPointedAt();
    const links = currentLinks(of);
    const place = placeOf();
    const ratio = Math.min(window.devicePixelRatio || 1, tallest / Math.max(1, place.height));
    const [width, height] = [place.width, place.height].map((length) => Math.round(length * ratio));
    if (canvas.width !== width || canvas.height !== height)
      Object.assign(canvas, { width, height });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, place.width, place.height);
    drawLinks(context, links, place);
    sides.row.mark(
      pointed.row,
      selection.row,
      of?.column === undefined ? null : strengths(links, 'row'),
    );
    sides.column.mark(
      pointed.column,
      selection.column,
      of?.row === undefined ? null : strengths(links, 'column'),
    );
  }

  // Pointing at a word leaves only its links.
  function wordPointedAt() {
    const { hovered } = selection;
    if (!hovered) return null;
    if (hovered.row !== undefined && hovered.column === undefined) return { row: hovered.row };
    if (hovered.column !== undefined && hovered.row === undefined)
      return { column: hovered.column };
    return { row: hovered.row };
  }

  function currentLinks(of) {
    const [rows, columns] = [picture.rows.length, picture.columns.length];
    const { weights } = picture.stages;
    const facts = { rows, columns, of, threshold: settings.threshold };
    if (selection.head === 'average') {
      return linksOf({
        ...facts,
        weights: averageOf(weights, rows * columns, picture.heads),
        heads: [0],
      });
    }
    const heads = Array.from({ length: picture.heads }, (_, head) => head);
    const drawn = soloHead === null ? heads.filter((head) => !hiddenHeads.has(head)) : [soloHead];
    return linksOf({ ...facts, weights, heads: drawn });
  }

  function placeOf() {
    const box = canvas.getBoundingClientRect();
    const style = getComputedStyle(element);
    const average = selection.head === 'average' || picture.heads === 1;
    return {
      width: box.width,
      height: box.height,
      middles: { rows: sides.row.middles(box.top), columns: sides.column.middles(box.top) },
      average,
      strands: average ? 1 : picture.heads,
      blue: style.getPropertyValue('--blue').trim() || '#0a4fa0',
    };
  }

  // How much of the pointed word's attention a word has, over the heads that are drawn.
  function strengths(links, side) {
    const most = new Map();
    for (const link of links)
      most.set(link[side], Math.max(most.get(link[side]) ?? 0, link.weight));
    return most;
  }

  // ---- heads --------------------------------------------------------------------------------------

  function fillChips(heads) {
    chips.setAttribute('role', 'group');
    chips.setAttribute('aria-label', 'Heads that are drawn');
    chips.replaceChildren(
      ...Array.from({ length: heads }, (_, head) => {
        const chip = document.createElement('button');
        chip.type = 'button';
        chip.textContent = String(head + 1);
        chip.title = `Head ${head + 1}; with Shift, only this one`;
        chip.setAttribute('aria-label', `Head ${head + 1}`);
        chip.style.setProperty('--head', colorOfHead(head));
        chip.addEventListener('click', (event) => {
          if (event.shiftKey) keepOnly(head, heads);
          else if (!hiddenHeads.delete(head)) hiddenHeads.add(head);
          if (selection.head === 'average') select({ head });
          show(picture, selection, settings);
        });
        chip.addEventListener('pointerenter', ({ pointerType }) => {
          if (pointerType !== 'touch') solo(head);
        });
        chip.addEventListener('pointerleave', () => solo(null));
        return chip;
      }),
    );
  }

  function keepOnly(head, heads) {
    const others = Array.from({ length: heads }, (_, i) => i).filter((one) => one !== head);
    const isAlone = others.every((one) => hiddenHeads.has(one)) && !hiddenHeads.has(head);
    hiddenHeads = new Set(isAlone ? [] : others);
  }

  function solo(head) {
    soloHead = head;
    draw();
  }

  // ---- words --------------------------------------------------------------------------------------

  function createSide(part) {
    const box = document.createElement('div');
    box.className = `side ${part}`;
    const title = box.appendChild(document.createElement('p'));
    title.id = `${name}-${part}`;
    const list = box.appendChild(document.createElement('ul'));
    list.tabIndex = 0;
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-labelledby', title.id);
    let options = [];

    list.addEventListener('pointerover', (event) => {
      const index = indexOf(event);
      if (event.pointerType !== 'touch' && index !== null) hover({ [part]: index });
    });
    list.addEventListener('pointerleave', () => hover(null));
    list.addEventListener('click', (event) => {
      const index = indexOf(event);
      if (index !== null) select({ [part]: index });
    });
    list.addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || !picture) return;
      const current = selection[part];
      const targets = {
        ArrowUp: current - 1,
        ArrowDown: current + 1,
        PageUp: current - 10,
        PageDown: current + 10,
        Home: 0,
        End: options.length - 1,
      };
      const other = { ArrowRight: 'column', ArrowLeft: 'row' }[event.key];
      if (other) sides[other].list.focus();
      else if (Object.hasOwn(targets, event.key)) {
        const index = Math.max(0, Math.min(options.length - 1, targets[event.key]));
        hover(null);
        select({ [part]: index });
        options[index].scrollIntoView({ block: 'nearest' });
      } else return;
      event.preventDefault();
    });

    const indexOf = ({ target }) => {
      const option = target.closest('[role="option"]');
      return option && Number(option.dataset.index);
    };

    return {
      box,
      list,
      fill(words, before, text) {
        title.textContent = text;
        if (words === before) return;
        options = words.map((word, index) => {
          const option = document.createElement('li');
          option.id = `${name}-${part}-${index}`;
          option.dataset.index = index;
          option.setAttribute('role', 'option');
          const label = option.appendChild(document.createElement('bdi'));
          label.textContent = word.text;
          return option;
        });
        list.replaceChildren(...options);
      },
      /** `strong`: for the other side of the word that is pointed at, how much each has of it. */
      mark(pointed, selected, strong) {
        options.forEach((option, index) => {
          option.classList.toggle('pointed', index === pointed);
          option.classList.toggle('pale', strong !== null && !strong.has(index));
          option.setAttribute('aria-selected', String(index === selected));
          option.style.setProperty('--strength', String(strong?.get(index) ?? 0));
        });
        if (options[selected]) list.setAttribute('aria-activedescendant', options[selected].id);
      },
      middles: (top) =>
        options.map((option) => {
          const { top: upper, height } = option.getBoundingClientRect();
          return upper + height / 2 - top;
        }),
    };
  }

  const resizing = new ResizeObserver(draw);
  resizing.observe(frame);
  const darkness = matchMedia('(prefers-color-scheme: dark)');
  darkness.addEventListener('change', draw);

  return {
    show,
    toSVG() {
      const style = getComputedStyle(element);
      const text = ({ text: word }) => word;
      return linesToSVG({
        rows: picture.rows.map(text),
        columns: picture.columns.map(text),
        links: currentLinks(null),
        place: placeOf(),
        colors: {
          ink: style.color,
          surface: style.getPropertyValue('--surface').trim() || '#ffffff',
        },
        family: style.fontFamily,
      });
    },
    destroy() {
      resizing.disconnect();
      darkness.removeEventListener('change', draw);
      element.replaceChildren();
      element.classList.remove('lines-view');
    },
  };
}

function densityOf(count) {
  if (count <= 24) return 'roomy';
  return count <= 80 ? 'close' : 'dense';
}
