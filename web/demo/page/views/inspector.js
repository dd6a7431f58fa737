// The inspector: for the selected pair everything from the vectors to the output, with the numbers
// that the library was given and gave back, and the formula of each step.

import { formatEnd } from 'attention-wasm/heatmap';
import { featureMaps, kindOf } from '../../kinds.js';
import { element, formula, write, writeFormula } from '../element.js';
import { formatScore, formatTerm, formatWeight } from '../number_forms.js';
import { createBars } from './bars.js';
import { featureOf, similarity } from './similarity.js';
import { createStrip, largest } from './strip.js';
import '../style/inspector.css';

const shownTerms = 3;

/** `select({ column })` chooses another token, as a token index. */
export function createInspector(root, { select }) {
  let inspection = null;
  let settings = null;
  let component = 0;

  const says = () => element('p', { class: 'sum' });
  const line = () => element('p', { class: 'formula' });
  const strips = Object.fromEntries(
    ['xRow', 'query', 'xColumn', 'key', 'value'].map((name) => [name, stripLine()]),
  );
  const products = stripLine();
  const outputStrip = stripLine((at) => {
    component = at;
    draw();
  });
  const bars = createBars((column) => select({ column }));
  const pair = element('p', { class: 'pair-title' });
  const score = { formula: line(), sum: says(), all: allTerms() };
  const scale = { formula: line(), sum: says(), bias: says() };
  const soft = { formula: line(), sum: says(), row: says() };
  const out = { formula: line(), list: element('ul', { class: 'mix' }), sum: says() };
  const headline = says();
  const together = step('All heads', null, []);
  let headsTogether = null; // fetched when there are heads to be put together

  root.append(
    pair,
    headline,
    step('Vectors', 'x → q, k, v', [
      strips.xRow.line,
      strips.query.line,
      strips.xColumn.line,
      strips.key.line,
      strips.value.line,
    ]),
    step('Score', null, [score.formula, products.line, score.sum, score.all.details]),
    step('Scale', null, [scale.formula, scale.sum, scale.bias]),
    step('Weight', null, [soft.formula, bars.element, soft.sum, soft.row]),
    step('Output', null, [out.formula, out.list, outputStrip.line, out.sum]),
    together,
  );

  /**
   * Redrawn where it can have changed.
   * @param {import('../../types').Inspection | null} next
   */
  function show(next, { palette, average, note }) {
    const isSame = settings?.palette === palette && settings.average === average;
    if (next === inspection && isSame && settings.note === note) return;
    inspection = next;
    settings = { palette, average, note };
    draw();
  }

  function draw() {
    root.classList.toggle('empty', !inspection);
    if (!inspection) return;
    const {
      row,
      columns,
      place: { column },
    } = inspection;
    const names = { query: row, key: columns[column] };
    pair.replaceChildren(
      element('bdi', { class: 'is-read' }, names.query),
      ' → ',
      element('bdi', { class: 'is-seen' }, names.key),
    );
    showVectors(inspection, names);
    showScore(inspection);
    showScale(inspection);
    showWeight(inspection);
    showOutput(inspection);
    showTogether();
  }

  async function showTogether() {
    together.hidden = !inspection.together;
    if (together.hidden) return;
    headsTogether ??= import('./inspector_heads.js').then(({ createHeadsTogether }) => {
      const made = createHeadsTogether({ stripLine, sumOf });
      together.append(...made.elements);
      return made;
    });
    const { show: showHeads } = await headsTogether;
    if (!inspection?.together) return;
    const { together: all, output, place } = inspection;
    const heads = all.joined.length / output.length;
    showHeads(all, { heads, head: place.head, palette: settings.palette });
  }

  function showVectors({ x, query, key, values, output, place: { column, head } }, names) {
    const valueDim = output.length;
    const value = values.slice(column * valueDim, (column + 1) * valueDim);
    const { palette } = settings;
    for (const { line } of [strips.xRow, strips.xColumn]) line.hidden = !x;
    const projected = largest(query, key, value);
    strips.query.show('q', names.query, query, { top: projected, palette, side: 'is-read' });
    strips.key.show('k', names.key, key, { top: projected, palette, side: 'is-seen' });
    strips.value.show('v', names.key, value, { top: projected, palette, side: 'is-seen' });
    if (x) {
      const top = largest(x.row, x.column);
      strips.xRow.show('x', names.query, x.row, { top, palette, side: 'is-read' });
      strips.xColumn.show('x', names.key, x.column, { top, palette, side: 'is-seen' });
    }
    const others = settings.average
      ? `The picture is the mean of all heads; this is head ${head + 1}.`
      : '';
    write(headline, `${settings.note ?? ''} ${others}`.trim());
  }

  function showScore(at) {
    const { kind, query, key, place } = at;
    const { raw } = at.stages;
    const linear = featureMaps.includes(kind) && kind !== 'efficient';
    const map = linear ? featureOf(kind) : (x) => x;
    const terms = Array.from(query, (q, c) => [map(q), map(key[c])]);
    const what = linear ? 'φ(q) · φ(k)' : 'q · k';
    const total = linear ? similarity(kind, query, key, at.options.scale) : raw[place.column];
    writeFormula(score.formula, `${what} = Σ_c ${linear ? 'φ(q_c) φ(k_c)' : 'q_c k_c'}`);
    const list = terms.map(([q, k]) => q * k);
    products.show('qk', 'products', list, { top: largest(list), palette: settings.palette });
    write(score.sum, sumOf(terms, total));
    score.all.show(terms);
  }

  function showScale(at) {
    const { kind, options } = at;
    const { column } = at.place;
    const { raw, scaled, masked } = at.stages;
    const keyDim = at.query.length;
    const { scale: factor, softcap } = options;
    const bias = kind === 'softmax' ? at.bias : undefined;
    scale.bias.hidden = !bias;
    write(scale.bias, bias ? whereFrom(bias, at.place) : '');
    if (kind !== 'softmax') {
      writeFormula(scale.formula, kindOf(kind).formula);
      const hidden = masked[column] === -Infinity;
      write(
        scale.sum,
        hidden
          ? 'hidden: it is left out of the sum'
          : kind === 'efficient'
            ? 'q and k are turned into softmaxes of their own before they meet'
            : `sim = ${formatTerm(similarity(kind, at.query, at.key, factor))}`,
      );
      return;
    }
    const isRoot = Math.abs(factor * Math.sqrt(keyDim) - 1) < 1e-9;
    const written = isRoot ? `÷ √${keyDim}` : `× ${formatEnd(factor)}`;
    const capped = softcap ? `, then ${softcap} · tanh(s / ${softcap})` : '';
    writeFormula(
      scale.formula,
      `s = q·k ${isRoot ? '/ √d_k' : '× scale / T'}${softcap ? ', capped' : ''}${bias ? ' + b' : ''}`,
    );
    const added = bias ? ` = ${formatTerm(scaled[column])}, + ${formatTerm(bias.number)}` : '';
    const total = scaled[column] + (bias?.number ?? 0);
    const value = `${formatTerm(raw[column])} ${written}${capped}${added} = ${formatTerm(total)}`;
    write(scale.sum, masked[column] === -Infinity ? `${value}, but hidden: −∞` : value);
  }

  function showWeight({ kind, stages: { masked, weights }, place: { column }, columns }) {
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const seen = masked.filter((value) => value > -Infinity);
    const weight = formatWeight(weights[column]);
    if (kind === 'softmax') {
      const top = Math.max(...seen);
      const total = seen.reduce((all, value) => all + Math.exp(value - top), 0);
      writeFormula(soft.formula, 'α = exp(s − max) / Σ_j exp(s_j − max)');
      write(
        soft.sum,
        masked[column] === -Infinity
          ? `hidden: α = ${weight}`
          : `exp(${formatTerm(masked[column])} − ${formatTerm(top)}) / ${formatTerm(total)} = ${weight}`,
      );
    } else {
      writeFormula(
        soft.formula,
        kind === 'efficient' ? kindOf(kind).formula : 'α = sim / Σ_j sim_j',
      );
      write(soft.sum, `α = ${weight}`);
    }
    write(soft.row, `all ${weights.length} together: ${formatWeight(sum)}`);
    bars.show(
      `The row’s ${weights.length} weights; “${columns[column]}” has ${weight}`,
      Array.from(weights),
      column,
      settings.palette,
    );
  }

  function showOutput({ stages: { weights }, values, output, columns }) {
    const valueDim = output.length;
    component = Math.min(component, valueDim - 1);
    const top = largest(values, output);
    const order = Array.from(weights.keys())
      .sort((a, b) => weights[b] - weights[a])
      .slice(0, 4);
    writeFormula(out.formula, 'o = Σ_j α_j v_j');
    while (out.list.children.length < order.length) {
      const line = stripLine();
      const item = element('li', {}, line.line);
      item.stripLine = line;
      out.list.append(item);
    }
    Array.from(out.list.children).forEach((item, at) => {
      item.hidden = at >= order.length;
      if (item.hidden) return;
      const column = order[at];
      const part = values
        .subarray(column * valueDim, (column + 1) * valueDim)
        .map((value) => value * weights[column]);
      item.stripLine.show(`${weights[column].toFixed(4)} v`, columns[column], part, {
        top,
        palette: settings.palette,
        side: 'is-seen',
      });
    });
    outputStrip.show('o', 'output', output, { top, palette: settings.palette, picked: component });
    const terms = Array.from(weights, (weight, column) => [
      weight,
      values[column * valueDim + component],
    ]);
    writeFormula(out.sum, `o_${component + 1} = ${sumOf(terms, output[component])}`);
  }

  return { show };
}

/** Where a number stands that the model learnt. */
function whereFrom({ number, distance, name, bucket }, { head }) {
  const far = Math.abs(distance);
  const places = `${far} place${far === 1 ? '' : 's'} ${distance < 0 ? 'back' : 'on'}`;
  const where = far === 0 ? 'the token itself' : `a token ${places}`;
  return `b = ${formatTerm(number)}: what the model learnt for ${where}, row ${bucket + 1}, column ${head + 1} (this head) of ${name}`;
}

/** The largest products of a sum, how many more there are, what else is added, and what the library says it is. */
function sumOf(terms, total, more = null) {
  const order = terms
    .map(([a, b], at) => [Math.abs(a * b), at])
    .sort(([a], [b]) => b - a)
    .slice(0, shownTerms)
    .map(([, at]) => terms[at]);
  const written = order.map(([a, b]) => `${formatTerm(a)} × ${formatTerm(b)}`).join(' + ');
  const rest = terms.length - order.length;
  const others = `${rest > 0 ? ` + … ${rest} more` : ''}${more === null ? '' : ` + ${formatTerm(more)}`}`;
  return `${written}${others} = ${formatScore(total)}`;
}

function step(title, note, children) {
  return element(
    'div',
    { class: 'step' },
    element('h3', {}, title, note && formula(note)),
    children,
  );
}

function stripLine(onPick) {
  const strip = createStrip(onPick);
  const symbol = element('span', { class: 'symbol' });
  const word = element('bdi', { class: 'word' });
  const line = element('div', { class: 'strip-line' }, symbol, word, strip.element);
  return {
    line,
    show(name, of, values, { side = '', ...options }) {
      write(symbol, name === 'qk' ? '' : name);
      write(word, of);
      word.className = `word ${side}`;
      strip.show(`${name} of ${of}`, Array.from(values), options);
    },
  };
}

// Every product of the sum, made only while it is looked at.
function allTerms() {
  const list = element('ol', { class: 'terms' });
  let terms = [];
  const fill = () => {
    if (!details.open) return;
    list.replaceChildren(
      ...terms.map(([a, b]) =>
        element('li', {}, `${formatTerm(a)} × ${formatTerm(b)} = ${formatTerm(a * b)}`),
      ),
    );
  };
  const details = element(
    'details',
    { toggle: fill },
    element('summary', {}, 'all products'),
    list,
  );
  return {
    details,
    show(next) {
      terms = next;
      fill();
    },
  };
}
