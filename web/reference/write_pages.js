// The pages of the reference: one for each entry of the package and each guide, an overview; and the names that its search
// finds.

import { readFileSync } from 'node:fs';
import { readGuides } from './guides.js';
import { escapeHtml, renderCode } from './highlight.js';
import { firstSentence, linker, renderInline, renderMarkdown } from './markdown.js';

const titleOfFunction = ({ name, kind }) => (kind === 'function' ? `${name}()` : name);

/** Anchors of all names: page → name → anchor. */
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

const renderDoc = ({ text, throws, examples }, link) =>
  [
    renderMarkdown(text, link),
    ...throws.map((one) => renderMarkdown(`**Throws** ${one}`, link)),
    ...examples.map((one) => renderMarkdown(one, link)),
  ].join('');

const renderSources = (sources, link) =>
  sources.length === 0
    ? ''
    : `<pre class="signature"><code>${renderCode(sources.join('\n\n'), 'ts', link)}</code></pre>\n`;

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
  // Inherited members by interface; other members together.
  const fromOthers = item.members.filter(({ from }) => from);
  const told = ({ from }) => (link(from) ? from : '');
  const borrowed = [...new Set(fromOthers.map(told))].map((from) => {
    const names = fromOthers.filter((member) => told(member) === from).map(renderName);
    const whence = from ? ` of <a href="${link(from)}"><code>${from}</code></a>` : '';
    return `<p class="borrowed">Also ${names.join(', ')}${whence}.</p>\n`;
  });
  const list = properties.map(
    (member) =>
      `<dt id="${member.anchor}"><code>${renderCode(member.sources.join('\n'), 'ts', link)}</code></dt>\n` +
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
      // The second list is long; types are reached by links.
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

const summary = ({ header: { text } }) => firstSentence(text.replace(/^attention-wasm\S*: /, ''));

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** A page with the common header, navigation and footer. */
function renderPage({ title, page, body, contents = '' }, types) {
  const links = [
    ['index.html', 'Overview'],
    ...types.map((entry) => [entry.page, entry.name.replace(/^attention-wasm\//, '')]),
    ['./#guides', 'Guides'],
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
<search hidden><input type="search" aria-label="Search the reference" placeholder="Search ( / )" autocomplete="off" spellcheck="false"><p role="status" class="unseen"></p><ul></ul></search>
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

function renderEntry(entry, link) {
  const header = {
    ...entry.header,
    text: capital(entry.header.text.replace(/^attention-wasm\S*: /, '')),
  };
  const functions = entry.borrowed
    .filter((name) => /^[a-z]/.test(name))
    .map((name) => `<a href="${link(name)}"><code>${name}()</code></a>`);
  const borrowed = entry.lender
    ? `<p>It also has ${functions.join(', ')}, and all types of <a href="${entry.lender.page}">${entry.lender.name}</a>.</p>\n`
    : '';
  const body =
    renderDoc(header, link) +
    borrowed +
    entry.sections.map((section, index) => renderSection(section, index, link)).join('');
  return { title: entry.name, page: entry.page, body, contents: renderContents(entry) };
}

/** The README's first example. */
function firstExample() {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  return String(/^```js\n[^]*?^```$/m.exec(readme)?.[0]);
}

function renderOverview(types, guides, link) {
  const rows = types.map((entry) => {
    const callable = entry.sections.flatMap((section) => section.items.filter(isCallable));
    const names = callable.map(
      (item) =>
        `<dt><a href="${entry.page}#${item.anchor}"><code>${titleOfFunction(item)}</code></a></dt>` +
        `<dd>${renderInline(firstSentence(item.doc.text), link)}</dd>\n`,
    );
    const list = names.length > 0 ? `<dl class="names">\n${names.join('')}</dl>` : '';
    return (
      `<section class="item"><h2><a href="${entry.page}">${entry.name}</a></h2>\n` +
      `${renderMarkdown(capital(summary(entry)), link)}${list}</section>\n`
    );
  });
  const told = guides.map(
    ({ page, title, text, document }) =>
      `<li><a href="${page}">${renderInline(title, link)}</a>: ${renderInline(firstSentence(text), link, document)}</li>\n`,
  );
  const body =
    '<p>All exports of the package: shapes, defaults, errors, and examples that run here, on your machine, ' +
    `with your changes. <a href="runtimes.html">Where it runs</a> has the first lines for each runtime.</p>\n` +
    `<h2>First example</h2>\n${renderMarkdown(firstExample(), link)}` +
    `<h2 id="guides">Guides</h2>\n<ul>\n${told.join('')}</ul>\n${rows.join('')}`;
  return { title: 'API reference', page: 'index.html', body };
}

/** A guide, beside the list of its headings. */
function renderGuide({ page, title, text, document }, link) {
  const headings = Array.from(text.matchAll(/^## (.*)$/gm), ([, heading]) => heading);
  const contents = headings.map(
    (heading) =>
      `<li><a href="#${document.anchorOf(heading)}">${renderInline(heading, link)}</a></li>`,
  );
  return {
    page,
    title,
    body: renderMarkdown(text, link, document),
    contents: contents.length > 1 ? `<h2>In this guide</h2>\n<ul>${contents.join('')}</ul>\n` : '',
  };
}

/** Search index: [name, address, first sentence] of every page, item and member. */
function namesToFind(types, guides) {
  const plain = (text) => firstSentence(text).replaceAll(/`|\{@link |\}|\[|\]\([^)]*\)|\*\*/g, '');
  const found = types.flatMap((entry) => {
    const items = entry.sections.flatMap((section) => section.items);
    const own = items.flatMap((item) => [item, ...item.members.filter(({ from }) => !from)]);
    return [
      [entry.name, entry.page, plain(summary(entry))],
      ...own.map(({ anchor, doc }) => [anchor, `${entry.page}#${anchor}`, plain(doc.text)]),
    ];
  });
  const pages = guides.map(({ title, page, text }) => [title, page, plain(text)]);
  return [...found, ...pages];
}

/** @returns {Map<string, string>} file name → content */
export function writePages(types) {
  const places = placesOf(types);
  const guides = readGuides();
  const linkFrom = (page) => linker(places, page);
  const pages = [
    renderOverview(types, guides, linkFrom('index.html')),
    ...types.map((entry) => renderEntry(entry, linkFrom(entry.page))),
    ...guides.map((guide) => renderGuide(guide, linkFrom(guide.page))),
  ];
  const names = pages.map(({ page }) => page);
  const double = names.filter((name, index) => names.indexOf(name) !== index);
  if (double.length > 0) throw new Error(`a guide and an entry have the same page: ${double}`);
  return new Map([
    .../** @type {[string, string][]} */ (pages.map((one) => [one.page, renderPage(one, types)])),
    ['search.json', JSON.stringify(namesToFind(types, guides))],
  ]);
}
