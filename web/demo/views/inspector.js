// The inspector: for the selected pair everything from the vectors to the output, with the numbers
// that the library was given and gave back, and the formula of each step.

import { featureMaps, featureOf, kindOf, similarity } from '../compute/kinds.js';
import { element, formula, write, writeFormula } from '../element.js';
import { formatNumber, formatScale, formatScore, formatWeight } from '../numbers.js';
import { createBars } from './bars.js';
import { createStrip, largest } from './strip.js';

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
    show(inspection, settings);
  });
  const bars = createBars((column) => select({ column }));
  const pair = element('p', { class: 'pair-title' });
  const score = { formula: line(), sum: says(), all: allTerms() };
  const scale = { formula: line(), sum: says() };
  const soft = { formula: line(), sum: says(), row: says() };
  const out = { formula: line(), list: element('ul', { class: 'mix' }), sum: says() };
  const headline = says();

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
    step('Scale', null, [scale.formula, scale.sum]),
    step('Weight', null, [soft.formula, bars.element, soft.sum, soft.row]),
    step('Output', null, [out.formula, out.list, outputStrip.line, out.sum]),
  );

  function show(next, nextSettings) {
    inspection = next;
    settings = nextSettings;
    root.classList.toggle('empty', !next);
    if (!next) return;
    const { rowLabel, columnLabels, column } = next;
    const names = { query: rowLabel.text, key: columnLabels[column].text };
    pair.replaceChildren(
      element('bdi', { class: 'is-read' }, names.query),
      ' → ',
      element('bdi', { class: 'is-seen' }, names.key),
    );
    showVectors(next, names);
    showScore(next);
    showScale(next);
    showWeight(next);
    showOutput(next);
  }

  function showVectors({ x, query, key, values, valueDim, column, head }, names) {
    const value = values.slice(column * valueDim, (column + 1) * valueDim);
    const { palette } = settings;
    const most = largest(x.row, x.column);
    const projected = largest(query, key, value);
    strips.xRow.show('x', names.query, x.row, { most, palette, side: 'is-read' });
    strips.query.show('q', names.query, query, { most: projected, palette, side: 'is-read' });
    strips.xColumn.show('x', names.key, x.column, { most, palette, side: 'is-seen' });
    strips.key.show('k', names.key, key, { most: projected, palette, side: 'is-seen' });
    strips.value.show('v', names.key, value, { most: projected, palette, side: 'is-seen' });
    const others = settings.average
      ? `The picture is the mean of all heads; this is head ${head + 1}.`
      : '';
    write(headline, `${settings.note ?? ''} ${others}`.trim());
  }

  function showScore(at) {
    const { kind, query, key, raw, column } = at;
    const linear = featureMaps.includes(kind) && kind !== 'efficient';
    const map = linear ? featureOf(kind) : (x) => x;
    const terms = Array.from(query, (q, c) => [map(q), map(key[c])]);
    const what = linear ? 'φ(q) · φ(k)' : 'q · k';
    const total = linear ? similarity(kind, query, key, at.options.scale) : raw[column];
    writeFormula(score.formula, `${what} = Σ_c ${linear ? 'φ(q_c) φ(k_c)' : 'q_c k_c'}`);
    const list = terms.map(([q, k]) => q * k);
    products.show('qk', 'products', list, { most: largest(list), palette: settings.palette });
    write(score.sum, sumOf(terms, total));
    score.all.show(terms);
  }

  function showScale(at) {
    const { kind, options, raw, scaled, masked, column, keyDim } = at;
    const { scale: factor, softcap } = options;
    if (kind !== 'softmax') {
      writeFormula(scale.formula, kindOf(kind).formula);
      const hidden = masked[column] === -Infinity;
      write(
        scale.sum,
        hidden
          ? 'hidden: it is left out of the sum'
          : kind === 'efficient'
            ? 'q and k are turned into softmaxes of their own before they meet'
            : `sim = ${formatNumber(similarity(kind, at.query, at.key, factor))}`,
      );
      return;
    }
    const isRoot = Math.abs(factor * Math.sqrt(keyDim) - 1) < 1e-9;
    const written = isRoot ? `÷ √${keyDim}` : `× ${formatScale(factor)}`;
    const capped = softcap ? `, then ${softcap} · tanh(s / ${softcap})` : '';
    write(
      scale.formula,
      `s = q·k ${isRoot ? '/ √d_k' : '× scale / T'}${softcap ? ', capped' : ''}`,
    );
    const value = `${formatNumber(raw[column])} ${written}${capped} = ${formatNumber(scaled[column])}`;
    write(scale.sum, masked[column] === -Infinity ? `${value}, but hidden: −∞` : value);
  }

  function showWeight({ kind, masked, weights, column, columnLabels }) {
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
          : `exp(${formatNumber(masked[column])} − ${formatNumber(top)}) / ${formatNumber(total)} = ${weight}`,
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
      `The row’s ${weights.length} weights; “${columnLabels[column].text}” has ${weight}`,
      Array.from(weights),
      column,
      settings.palette,
    );
  }

  function showOutput({ weights, values, valueDim, output, columnLabels }) {
    component = Math.min(component, valueDim - 1);
    const most = largest(values, output);
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
      item.stripLine.show(`${weights[column].toFixed(4)} v`, columnLabels[column].text, part, {
        most,
        palette: settings.palette,
        side: 'is-seen',
      });
    });
    outputStrip.show('o', 'output', output, { most, palette: settings.palette, picked: component });
    const terms = Array.from(weights, (weight, column) => [
      weight,
      values[column * valueDim + component],
    ]);
    writeFormula(out.sum, `o_${component + 1} = ${sumOf(terms, output[component])}`);
  }

  return { show };
}

/** The largest products of a sum, how many more there are, and what the library says it comes to. */
function sumOf(terms, total) {
  const order = terms
    .map(([a, b], at) => [Math.abs(a * b), at])
    .sort(([a], [b]) => b - a)
    .slice(0, shownTerms)
    .map(([, at]) => terms[at]);
  const written = order.map(([a, b]) => `${formatNumber(a)} × ${formatNumber(b)}`).join(' + ');
  const rest = terms.length - order.length;
  return `${written}${rest > 0 ? ` + … ${rest} more` : ''} = ${formatScore(total)}`;
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
        element('li', {}, `${formatNumber(a)} × ${formatNumber(b)} = ${formatNumber(a * b)}`),
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
