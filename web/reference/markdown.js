// Renders doc comments from Markdown to HTML, with links from names of the package to their descriptions.

import MarkdownIt from 'markdown-it';
import { escapeHtml, renderCode } from './highlight.js';

const markdown = new MarkdownIt({ linkify: false });

/**
 * Addresses of names, relative to one page.
 * @param {Map<string, Map<string, string>>} places page → name → anchor
 * @param {string} page
 */
export function linker(places, page) {
  return (name) => {
    const own = places.get(page)?.get(name);
    if (own) return `#${own}`;
    const pages = ['main.html', ...places.keys()];
    const other = pages.find((one) => places.get(one)?.has(name));
    return other && `${other}#${places.get(other)?.get(name)}`;
  };
}

/** Types begin with a capital and functions end with (); other words in code are not linked. */
function linkOfCode(code, link) {
  const [, name] = /^([A-Z][\w.]*|[a-z][\w.]*(?=\(\)$))(?:\(\))?$/.exec(code) ?? [];
  return name && link(name);
}

/**
 * @param {(name: string) => string | undefined} link
 * @param {object} [document] of texts that are files: `anchorOf(heading)` names its headings, `addressOf(path)` is the address of
 *   a file that it links to, if the reference has it
 */
export function renderMarkdown(text, link, document = {}) {
  const named = text.replaceAll(/\{@link ([^}\s]+)(?: ([^}]+))?\}/g, (_, name, label) => {
    const address = link(name);
    return address ? `[${label ?? `\`${name}\``}](${address})` : `\`${name}\``;
  });
  return markdown.render(named, { link, ...document });
}

/** The same without the paragraph around it. */
export const renderInline = (text, link, document) =>
  renderMarkdown(text, link, document).replace(/^<p>([^]*)<\/p>\n$/, '$1');

/** The first sentence of a comment: of its first paragraph, which may introduce a list or code. */
export const firstSentence = (text) =>
  String(/^[^]*?\.(?=\s|$)|^[^]*/.exec(text.split('\n\n')[0])?.[0])
    .replaceAll(/\s+/g, ' ')
    .replace(/:$/, '.');

const { rules } = markdown.renderer;

rules.code_inline = (tokens, index, _options, { link }) => {
  const { content } = tokens[index];
  const inLink = tokens.slice(0, index).findLast(({ type }) => /^link_/.test(type));
  const address = inLink?.type === 'link_open' ? undefined : linkOfCode(content, link);
  const code = `<code>${escapeHtml(content)}</code>`;
  return address ? `<a href="${address}">${code}</a>` : code;
};

rules.heading_open = (tokens, index, _options, { anchorOf }) => {
  const { tag } = tokens[index];
  if (!anchorOf) return `<${tag}>`;
  const anchor = anchorOf(tokens[index + 1].content);
  return `<${tag} id="${anchor}"><a href="#${anchor}">`;
};
rules.heading_close = (tokens, index, _options, { anchorOf }) =>
  `${anchorOf ? '</a>' : ''}</${tokens[index].tag}>\n`;

// A link to a file that the reference has not is its text.
rules.link_open = (tokens, index, options, { addressOf }, self) => {
  const href = String(tokens[index].attrGet('href'));
  const address = addressOf && !/^[a-z]+:/.test(href) ? addressOf(href) : href;
  if (!address) {
    // The token that closes it is the next one.
    tokens.slice(index).find(({ type }) => type === 'link_close').tag = 'span';
    return '<span>';
  }
  tokens[index].attrSet('href', address);
  return self.renderToken(tokens, index, options);
};

// JavaScript and HTML code is a runnable example; other code, and a file by its name, is a figure.
rules.fence = (tokens, index, _options, { link }) => {
  const [info, name] = tokens[index].info.split(' ');
  const code = tokens[index].content.trimEnd();
  const html = `<code>${renderCode(code, info, link)}</code></pre>`;
  if (name) {
    const caption = `<figcaption><code>${escapeHtml(name)}</code></figcaption>`;
    return `<figure>${caption}<pre class="figure">${html}</figure>\n`;
  }
  if (info !== 'js' && info !== 'html') return `<pre class="figure">${html}\n`;
  const needsNode = /['"]node:/.test(code);
  const where = needsNode ? 'node' : info === 'html' ? 'page' : 'worker';
  const note = needsNode ? '<p class="hint">Runs in Node.js.</p>' : '';
  return `<div class="example" data-runs="${where}"><pre>${html}${note}</div>\n`;
};

// Wide tables scroll in a focusable region. An empty heading becomes a plain cell.
rules.table_open = (tokens, index) => {
  const inHead = tokens.slice(
    index,
    tokens.findIndex(({ type }, at) => at > index && type === 'thead_close'),
  );
  const names = inHead.filter(({ type, content }) => type === 'inline' && content);
  const label = escapeHtml(`Table of ${names.map(({ content }) => content).join(', ')}`);
  return `<div class="wide" role="region" aria-label="${label}" tabindex="0"><table>\n`;
};
rules.table_close = () => '</table></div>\n';
rules.th_open = (tokens, index) => (tokens[index + 1].content === '' ? '<td>' : '<th scope="col">');
rules.th_close = (tokens, index) => (tokens[index - 1].content === '' ? '</td>' : '</th>');
// The policy (CSP) allows no style attribute, by which columns of numbers would be aligned.
rules.td_open = (tokens, index) =>
  tokens[index].attrGet('style') === 'text-align:right' ? '<td class="number">' : '<td>';
