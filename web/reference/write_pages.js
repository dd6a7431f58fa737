// The pages of the reference: one for each entry of the package, one of all of them, one of where it runs.

import { escapeHtml, linker, renderCode, renderMarkdown } from './markdown.js';
import { renderRuntimes } from './runtimes.js';

const titleOfFunction = ({ name, kind }) => (kind === 'function' ? `${name}()` : name);

/** Where each name is told: page → name → anchor. */
function placesOf(types) {
  return new Map(
    types.map(({ page, sections }) => {
      const items = sections.flatMap((section) => section.items);
      const members = items.flatMap((item) => item.members.filter(({ from }) => !from));
      const classes = items.filter(({ kind }) => kind === 'class');
      return [
        page,
        new Map([
          ...[...items, ...members].map(({ anchor }) => [anchor, anchor]),
          ...classes.map(({ name, anchor }) => [`${name}Constructor`, anchor]),
        ]),
      ];
    }),
  );
}

/** An example as it stands in a comment: a sentence, if there is one, and its code. */
export function renderExample(text, link) {
  const [, told, language, code] = /^([^]*?)^```(\w+)\n([^]*?)^```$/m.exec(text);
  const needsNode = /['"]node:/.test(code);
  const where = needsNode ? 'node' : language === 'html' ? 'page' : 'worker';
  const note = needsNode ? '<p class="hint">Runs in Node.js.</p>' : '';
  return (
    renderMarkdown(told, link) +
    `<div class="example" data-runs="${where}"><pre><code>${renderCode(code.trimEnd(), link)}</code></pre>${note}</div>\n`
  );
}

const renderDoc = ({ text, throws, examples }, link) =>
  [
    renderMarkdown(text, link),
    ...throws.map((one) => renderMarkdown(`**Throws** ${one}`, link)),
    ...examples.map((one) => renderExample(one, link)),
  ].join('');

const renderSources = (sources, link) =>
  sources.length === 0
    ? ''
    : `<pre class="signature"><code>${renderCode(sources.join('\n\n'), link)}</code></pre>\n`;

const heading = (level, anchor, name) =>
  `<h${level} id="${anchor}"><a href="#${anchor}">${escapeHtml(name)}</a></h${level}>\n`;

const nameOfMember = ({ name, makes, isMethod }, item) => {
  if (name === 'constructor') return `new ${item.name}()`;
  return `${makes ? `${makes}.` : ''}${name}${isMethod ? '()' : ''}`;
};

function renderMembers(item, link) {
  const renderName = (member) => {
    const address = link(member.anchor.replace(/^[^.]+/, member.from)) ?? link(member.name);
    const name = `<code>${escapeHtml(nameOfMember(member, item))}</code>`;
    return address ? `<a href="${address}">${name}</a>` : name;
  };
  const own = item.members.filter(({ from }) => !from);
  const methods = own.filter(({ isMethod }) => isMethod);
  const properties = own.filter(({ isMethod }) => !isMethod);
  // What comes from interfaces that are told; all else together.
  const fromOthers = item.members.filter(({ from }) => from);
  const told = ({ from }) => (link(from) ? from : '');
  const borrowed = [...new Set(fromOthers.map(told))].map((from) => {
    const names = fromOthers.filter((member) => told(member) === from).map(renderName);
    const whence = from ? ` of <a href="${link(from)}"><code>${from}</code></a>` : '';
    return `<p class="borrowed">Also ${names.join(', ')}${whence}.</p>\n`;
  });
  const list = properties.map(
    (member) =>
      `<dt id="${member.anchor}"><code>${renderCode(member.sources.join('\n'), link)}</code></dt>\n` +
      `<dd>${renderDoc(member.doc, link)}</dd>\n`,
  );
  return [
    list.length > 0 ? `<dl>\n${list.join('')}</dl>\n` : '',
    ...borrowed,
    ...methods.map(
      (member) =>
        `<section class="member">\n${heading(4, member.anchor, nameOfMember(member, item))}` +
        `${renderSources(member.sources, link)}${renderDoc(member.doc, link)}</section>\n`,
    ),
  ].join('');
}

const renderItem = (item, link) =>
  `<section class="item">\n${heading(3, item.anchor, titleOfFunction(item))}` +
  renderSources(item.sources, link) +
  renderDoc(item.doc, link) +
  renderMembers(item, link) +
  '</section>\n';

/** Functions and classes come first. */
const isCallable = ({ kind }) => kind === 'function' || kind === 'class' || kind === 'constant';

function renderContents({ sections }) {
  const list = (items) =>
    `<ul>${items.map((item) => `<li><a href="#${item.anchor}">${escapeHtml(titleOfFunction(item))}</a></li>`).join('')}</ul>\n`;
  const items = sections.flatMap((section) => section.items);
  const groups = [
    ['Functions and classes', items.filter(isCallable)],
    ['Types', items.filter((item) => !isCallable(item))],
  ].filter(([, members]) => members.length > 0);
  return groups
    .map(([title, members], index) => {
      // The second list is long, and who looks for a type comes by its link.
      if (index === 0) return `<h2>${title}</h2>\n${list(members)}`;
      return `<details>\n<summary>${title}</summary>\n${list(members)}</details>\n`;
    })
    .join('');
}

function renderSection({ title, items }, index, link) {
  const anchor = `part-${index}`;
  const inOrder = [...items.filter(isCallable), ...items.filter((item) => !isCallable(item))];
  const named = title ? `<h2 id="${anchor}">${renderInline(title, link)}</h2>\n` : '';
  const unnamed = named || items.length === 0 ? named : '<h2 class="unseen">What it exports</h2>\n';
  return unnamed + inOrder.map((item) => renderItem(item, link)).join('');
}

const renderInline = (text, link) =>
  renderMarkdown(text, link)
    .replace(/^<p>/, '')
    .replace(/<\/p>\n$/, '');

const summary = ({ header: { text } }) =>
  text.replace(/^attention-wasm\S*: /, '').match(/^[^]*?\.(?=\s|$)/)[0];

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** A page with what is around all of them. */
function renderPage({ title, page, body, contents = '' }, types) {
  const links = [
    ['index.html', 'Overview'],
    ...types.map((entry) => [entry.page, entry.name.replace(/^attention-wasm\//, '')]),
    ['runtimes.html', 'Where it runs'],
  ];
  const nav = links
    .map(([address, name]) => {
      const current = address === page ? ' aria-current="page"' : '';
      return `<li><a href="${address === 'index.html' ? './' : address}"${current}>${name}</a></li>`;
    })
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · attention-wasm</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="reference.css">
<script type="module" src="reference.js"></script>
</head>
<body>
<a class="skip" href="#told">Skip to the text</a>
<header>
<p><a href="../">See attention</a></p>
<nav aria-label="Entries"><ul>${nav}</ul></nav>
</header>
<div class="sides">
${contents ? `<nav class="contents" aria-label="On this page">\n${contents}</nav>\n` : ''}<main id="told">
<h1>${title}</h1>
${body}</main>
</div>
<footer><p>Made from the package’s types by TypeDoc. Examples are run by the package’s tests.</p></footer>
</body>
</html>
`;
}

function renderEntry(entry, types, places) {
  const link = linker(places, entry.page);
  const header = {
    ...entry.header,
    text: capital(entry.header.text.replace(/^attention-wasm\S*: /, '')),
  };
  const borrowed =
    entry.borrowed.length === 0
      ? ''
      : `<p>It also has ${['tensor', 'toNested'].map((name) => `<a href="${link(name)}"><code>${name}()</code></a>`).join(' and ')}, and all types of <a href="main.html">attention-wasm</a>.</p>\n`;
  const body =
    renderDoc(header, link) +
    borrowed +
    entry.sections.map((section, index) => renderSection(section, index, link)).join('');
  return renderPage(
    { title: entry.name, page: entry.page, body, contents: renderContents(entry) },
    types,
  );
}

function renderOverview(types, places) {
  const rows = types.map((entry) => {
    const callable = entry.sections.flatMap((section) => section.items.filter(isCallable));
    const names = callable.map(
      (item) => `<a href="${entry.page}#${item.anchor}"><code>${titleOfFunction(item)}</code></a>`,
    );
    const link = linker(places, 'index.html');
    return (
      `<section class="item"><h2><a href="${entry.page}">${entry.name}</a></h2>\n` +
      `${renderMarkdown(capital(summary(entry)), link)}<p class="names">${names.join(' ')}</p></section>\n`
    );
  });
  const body =
    '<p>Everything that the package exports: shapes, defaults, errors, and examples that run here, on your machine, ' +
    `with your changes. <a href="runtimes.html">Where it runs</a>, and how it begins there.</p>\n${rows.join('')}`;
  return renderPage({ title: 'API reference', page: 'index.html', body }, types);
}

/** @returns {Map<string, string>} file name → HTML */
export function writePages(types) {
  const places = placesOf(types);
  const runtimes = renderRuntimes(linker(places, 'runtimes.html'));
  return new Map([
    ['index.html', renderOverview(types, places)],
    ...types.map((entry) => [entry.page, renderEntry(entry, types, places)]),
    [
      'runtimes.html',
      renderPage({ title: 'Where it runs', page: 'runtimes.html', ...runtimes }, types),
    ],
  ]);
}
