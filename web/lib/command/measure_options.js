// The options of `model` that measure a run: --lens, --attribute, --head-scores, and the effect of edits.
import { tableLines } from './matrix_table.js';
import { positionsOf } from './positions.js';
import { UsageError, oneOf, wrongValue } from './shell_options.js';
import { displayWidth, printable, shorten, wrap } from './terminal_text.js';

export const measureOptions = {
  lens: { text: 'the likeliest tokens at --position after each layer (logit lens)' },
  attribute: {
    value: 'TOKEN',
    text: 'what each embedding, head and feed-forward part adds to the logit of TOKEN at --position',
  },
  against: { value: 'TOKEN', text: 'with --attribute: to its difference from this token' },
  position: {
    value: 'P',
    text: 'a word of the text, or a token position counted from 0 (default: the last)',
  },
  'head-scores': {
    value: 'NAME',
    text:
      'how much each head attends to the token before (previous_token), to earlier equal tokens (duplicate_token), or to ' +
      'what followed them (induction)',
    read: oneOf('previous_token', 'duplicate_token', 'induction'),
  },
};

const shownTokens = 5;
const shownRows = 20;

/** The measures in the values of a request. */
export function measuresIn({ lens, attribute, against, position, 'head-scores': scores }) {
  if (against !== undefined && attribute === undefined) {
    throw new UsageError('--against needs --attribute');
  }
  return { lens, attribute, against, position, scores };
}

export const hasMeasures = ({ lens, attribute, scores }) =>
  Boolean(lens) || attribute !== undefined || scores !== undefined;

/** The id of a token as it continues a text, or of a class. */
function idOf({ tokenizer, vocabularySize }, option, text, count) {
  if (!tokenizer || count !== vocabularySize) {
    if (/^\d+$/.test(text) && Number(text) < count) return Number(text);
    throw wrongValue(option, text, `a number from 0 to ${count - 1}`);
  }
  const spellings = [` ${text}`, text].map((spelling) => tokenizer.encodePlain(spelling));
  const single = spellings.find((ids) => ids.length === 1);
  if (single) return single[0];
  const pieces = spellings[0].map((id) => JSON.stringify(tokenizer.tokenOf(id)));
  throw new UsageError(
    `--${option} is "${text}", which is ${pieces.length} tokens: ${pieces.join(', ')}`,
  );
}

/** The options of run() that the measures need. stack: of the residual stream that the head reads. */
export const runOptionsOf = ({ lens, attribute }, stack) => ({
  ...(lens && { capture: [{ at: 'resid_post', stack }] }),
  ...(attribute !== undefined && { attribution: true }),
});

/** The position that is measured: that of the option, or the last. */
export function positionIn(source, { position }) {
  const positions = position === undefined ? [] : positionsOf('position', position, source);
  return positions.at(-1) ?? source.tokens.length - 1;
}

const hasRows = ({ logits }) => logits?.dims.length === 2;

/** The measures of a result: { lens?, attribution?, headScores? }. */
export function measure(model, result, request, position, { headScores }) {
  const { lens, attribute, against, scores } = request;
  const measured = {};
  if (lens) {
    measured.lens = model
      .lens(result, { top: shownTokens })
      .map(({ layer, top }) => ({ layer, top: top[hasRows(result) ? position : 0] }));
  }
  if (attribute !== undefined) {
    const count = result.logits?.dims.at(-1);
    const options = {
      token: idOf(model, 'attribute', attribute, count),
      ...(against !== undefined && { against: idOf(model, 'against', against, count) }),
      ...(hasRows(result) && { position }),
    };
    measured.attribution = { ...options, ...model.attribute(result, options) };
  }
  if (scores !== undefined) {
    const { self } = result.attentions;
    if (!self) throw new UsageError('--head-scores needs a model with one stack');
    measured.headScores = { name: scores, scores: headScores(self, result.ids, scores) };
  }
  return measured;
}

/** The likeliest tokens of two results at a position, and how far they are apart. */
export function effectOf(model, before, after, position, { compare }) {
  const likeliest = ({ logits: { data, dims } }) => {
    const row = dims.length === 2 ? data.slice(position * dims[1], (position + 1) * dims[1]) : data;
    const largest = row.reduce((a, b) => Math.max(a, b), -Infinity);
    const sum = row.reduce((total, logit) => total + Math.exp(logit - largest), 0);
    return Array.from(row.keys())
      .sort((a, b) => row[b] - row[a] || a - b)
      .slice(0, shownTokens)
      .map((id) => ({
        id,
        ...(model.tokenizer && { token: model.tokenizer.tokenOf(id) }),
        logit: row[id],
        probability: Math.exp(row[id] - largest) / sum,
      }));
  };
  const tops = { without: likeliest(before), with: likeliest(after) };
  const options = { token: tops.without[0].id, ...(hasRows(after) && { position }) };
  const { divergence, variation } = compare(before, after, options);
  return { ...tops, divergence, variation };
}

const percent = (probability) => `${(100 * probability).toFixed(1)} %`;

const tokenText = (model, { id, token }) => {
  const decoded = model.tokenizer ? model.tokenizer.decode([id]) : String(id);
  const text = decoded && !decoded.includes('\ufffd') ? decoded : token;
  return `"${printable(text)}"`;
};

const tokensText = (model, top) =>
  top.map((one) => `${tokenText(model, one)} ${percent(one.probability)}`).join(', ');

/** Lines of text with a label before each, aligned. */
function* labeled(rows, width) {
  const margin = Math.max(...rows.map(([label]) => displayWidth(label)));
  for (const [label, text] of rows) {
    yield shorten(`${' '.repeat(margin - displayWidth(label))}${label}  ${text}`, width);
  }
}

function nameOf({ source, layer, head, stack }) {
  const prefix = stack === 'cross' ? 'cross:' : '';
  if (source === 'head') return `head ${prefix}${layer}.${head}`;
  return layer === undefined ? source : `${source} ${prefix}${layer}`;
}

const tables = {
  *lens(model, { lens, position }, { paint, width }) {
    yield* wrap(
      `Logit lens: the likeliest tokens at position ${position} after each layer`,
      width,
    ).map(paint.bold);
    yield* labeled(
      lens.map(({ layer, top }) => [`layer ${layer}`, tokensText(model, top)]),
      width,
    );
  },

  *attribution(
    model,
    { attribution: { total, parts, token, against, position } },
    { paint, width },
  ) {
    const name = (id) => tokenText(model, { id, token: model.tokenizer?.tokenOf(id) });
    const logit =
      against === undefined
        ? `logit of ${name(token)}`
        : `logit of ${name(token)} minus ${name(against)}`;
    yield* wrap(`Parts of the ${logit} at position ${position}`, width).map(paint.bold);
    const sorted = [...parts].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const shown = sorted.slice(0, shownRows);
    const rest = sorted.slice(shownRows).reduce((sum, { value }) => sum + value, 0);
    const signed = (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
    const rows = shown.map((one) => [nameOf(one), signed(one.value)]);
    if (sorted.length > shownRows) rows.push([`${sorted.length - shownRows} others`, signed(rest)]);
    yield* labeled([...rows, ['sum', signed(total)]], width);
  },

  *headScores(_, { headScores }, screen) {
    const view = viewOfScores(headScores, String, String);
    yield* tableLines(view, screen);
  },
};

/** Scores of heads as a view (see matrix_table.js). */
export function viewOfScores({ name, scores: { data, dims } }, rowName, columnName) {
  const [layers, heads] = dims;
  return {
    heading: `Scores of heads: ${name}; a row per layer, a column per head`,
    unit: 'head',
    rows: Array.from({ length: layers }, (_, layer) => rowName(layer)),
    columns: Array.from({ length: heads }, (_, head) => columnName(head)),
    matrices: [{ data }],
  };
}

/** The tables of the measures, separated by empty lines. */
export function* measureLines(model, measured, screen) {
  const names = Object.keys(tables).filter((name) => measured[name]);
  for (const [n, name] of names.entries()) {
    if (n > 0) yield '';
    yield* tables[name](model, measured, screen);
  }
}

/** Lines that compare predictions without and with edits. */
export function* effectLines(model, { position, effect }, width) {
  const { divergence, variation, ...tops } = effect;
  const sizes = `total variation ${variation.toFixed(3)}, KL divergence ${divergence.toFixed(3)}`;
  yield* wrap(`Predictions at position ${position} without and with the edits: ${sizes}`, width);
  yield* labeled(
    Object.entries(tops).map(([name, top]) => [name, tokensText(model, top)]),
    width,
  );
}
