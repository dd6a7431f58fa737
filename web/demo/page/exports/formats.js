// Export formats. Each function takes the current { state, picture, … } and { paper, showText(text) }, and returns a
// message.

import { tooLongToShare, writeAddress } from '../address.js';
import { captionOf } from './caption.js';
import { isPair, pairToCSV, toCSV, toJSON } from './data_files.js';
import { fileName } from './origin.js';
import { tableFile } from './tables.js';
import { toJavaScript } from './javascript_lines.js';
import { paint, pictureFile } from './picture_file.js';
import { element } from '../element.js';

function drawn(shown, paper) {
  const dark = { page: undefined, light: false, dark: true }[paper];
  const { views, settings } = shown;
  // The rays are the weights of one head.
  const isOfRays = settings.view === 'matrix' && settings.stage === 'weights';
  const texts = isOfRays ? shown.texts : null;
  return pictureFile(views.get(settings.view), captionOf(shown), { dark, texts, ...settings });
}

/** SVGs of a view in the chosen colors; for 'page' a light and a dark one. */
const drawingsOf = (view, paper) =>
  (paper === 'page' ? ['light', 'dark'] : [paper]).map((scheme) => ({
    scheme,
    svg: view.toSVG({ dark: scheme === 'dark' }),
  }));

const staysHere = ({ source }) => source === 'files' || source === 'own';
const filesOf = ({ source }) =>
  source === 'own'
    ? ' It names the model, whose files stay on this machine: who opens it is asked for them.'
    : ' It names the files, which stay on this machine: who opens it is asked for them.';
const addressOf = (state) => new URL(writeAddress(state) || '#', location.href).href;
const tooLong = (state) =>
  tooLongToShare(state) ? ' A text is too long for a link and stays out of it.' : '';

async function give(text, showText, what, more = '') {
  showText(text);
  const done = await copy(text);
  return `${what} ${done ? 'on the clipboard' : 'here to be copied'}.${more}`;
}

const filesStay =
  'Files stay on this machine, where an embedded page cannot read them. “HTML page” takes them along.';

/** What an export says while there is no picture. */
export function withoutPicture(format, state) {
  if (!staysHere(state)) return 'There is no picture yet: write a text first.';
  return format === 'embed' ? filesStay : 'There is no picture yet: give its file first.';
}

export const ways = {
  async png(shown, { paper }) {
    const name = fileName(shown, { ending: 'png' });
    save(name, await paint(drawn(shown, paper), 2), 'image/png');
    return `${name} is saved, at twice the size of the screen.`;
  },
  svg(shown, { paper }) {
    const name = fileName(shown, { ending: 'svg' });
    save(name, drawn(shown, paper).svg, 'image/svg+xml');
    return `${name} is saved.`;
  },
  csv(shown) {
    const { picture, settings } = shown;
    const { stage } = settings;
    if (isPair(picture, settings)) {
      const name = fileName(shown, { what: 'compared', ending: 'csv' });
      save(name, pairToCSV(shown), 'text/csv');
      return `${name} is saved: the numbers of both pictures, and second minus first.`;
    }
    const name = fileName(shown, { what: stage === 'weights' ? '' : stage, ending: 'csv' });
    save(name, toCSV(shown), 'text/csv');
    return `${name} is saved: the numbers of the stage and head that are shown.`;
  },
  async json(shown) {
    const given = await shown.tensors();
    if (!given) return 'What this picture was computed from is still on its way.';
    const name = fileName(shown, { ending: 'json' });
    save(name, toJSON(shown, given), 'application/json');
    const more = isPair(shown.picture, shown.settings)
      ? ' Of both pictures, and their difference.'
      : '';
    return `${name} is saved: texts, settings, queries, keys, values, scores and weights.${more}`;
  },
  javascript(shown, { showText }) {
    const { state, facts } = shown;
    if (facts.made) return 'The lines compute one attention: choose a layer.';
    if (facts.fixed) return `${facts.fixed} Nothing is computed for them.`;
    return give(
      toJavaScript(state, facts, fileName(shown, { ending: 'json' })),
      showText,
      'The lines are',
    );
  },
  link({ state }, { showText }) {
    const address = addressOf(state);
    const long = tooLong(state);
    const files = staysHere(state) ? filesOf(state) : '';
    return give(address, showText, 'The link is', long + files);
  },
  embed(shown, { showText }) {
    const { state } = shown;
    if (staysHere(state)) {
      return filesStay;
    }
    return give(snippet(shown), showText, 'The snippet is', tooLong(state));
  },
  async page(shown, { paper }) {
    const { standAlonePage } = await import('./stand_alone/stand_alone_page.js');
    const { state, settings, views } = shown;
    const isOther = settings.view !== 'matrix';
    const drawings = isOther ? drawingsOf(views.get(settings.view), paper) : [];
    const matrix = { ...shown, settings: { ...settings, view: 'matrix' } };
    const page = standAlonePage({
      ...shown,
      caption: captionOf(shown),
      drawings,
      below: isOther ? captionOf(matrix)[1] : '',
      link: staysHere(state) ? null : addressOf(state),
      scheme: paper,
    });
    const name = fileName(shown, { ending: 'html' });
    save(name, page, 'text/html');
    return `${name} is saved: one file, which needs no network.`;
  },
  async viewer() {
    const { viewerPage } = await import('./stand_alone/viewer_page.js');
    save('attention-viewer.html', viewerPage(), 'text/html');
    return 'attention-viewer.html is saved: one file, which says how a program writes arrays into it.';
  },
  print() {
    print();
    return '';
  },
};

/** Saves a table, such as “effects.csv”. */
export function saveTable(format, shown) {
  const [what, ending] = format.split('.');
  const { content, none } = tableFile(what, ending, shown);
  if (content === undefined) return none;
  const { state, facts, picture, selection, settings } = shown;
  // Heads of all layers.
  const at = what === 'lens' ? settings : { ...settings, view: 'heads' };
  const name = fileName({ state, facts, picture, selection, settings: at }, { what, ending });
  save(name, content, ending === 'csv' ? 'text/csv' : 'application/json');
  return `${name} is saved.`;
}

// ---- embedding code ----------------------------------------------------------------------------

// ASCII only: the encoding of the other page is unknown.
const attribute = (text) =>
  text.replace(/[&"<>]|[^\x20-\x7e]/gu, (sign) => `&#${sign.codePointAt(0)};`);

/** `shown`: the current state, picture and facts. */
export function snippet(shown) {
  const address = new URL(`embed.html${writeAddress(shown.state)}`, document.baseURI).href;
  const [texts] = captionOf(shown);
  return [
    `<iframe src="${attribute(address)}"`,
    `  title="${attribute(`Attention: ${texts}`)}"`,
    '  width="700" height="500" style="max-width: 100%; border: 0" loading="lazy"></iframe>',
    '',
  ].join('\n');
}

// ---- files and the clipboard -----------------------------------------------------------------------

export function save(name, content, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const url = URL.createObjectURL(blob);
  const link = element('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Resolves to whether the text was copied: some browsers and pages do not allow it. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
