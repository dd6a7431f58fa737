// Comments as HTML: Markdown, with the names of the package as links to where they are told.

import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ linkify: false });
const { escapeHtml } = markdown.utils;

export { escapeHtml };

/**
 * Where names are told, seen from one page.
 * @param {Map<string, Map<string, string>>} places page → name → anchor
 * @param {string} page
 */
export function linker(places, page) {
  return (name) => {
    const own = places.get(page)?.get(name);
    if (own) return `#${own}`;
    const pages = ['main.html', ...places.keys()];
    const other = pages.find((one) => places.get(one)?.has(name));
    return other && `${other}#${places.get(other).get(name)}`;
  };
}

/** Types begin with a capital and functions end with (): other words in code are not meant as names. */
function linkOfCode(code, link) {
  const [, name] = /^([A-Z][\w.]*|[a-z][\w.]*(?=\(\)$))(?:\(\))?$/.exec(code) ?? [];
  return name && link(name);
}

/** @param {(name: string) => string | undefined} link */
export function renderMarkdown(text, link) {
  const named = text.replaceAll(/\{@link ([^}\s]+)(?: ([^}]+))?\}/g, (_, name, label) => {
    const address = link(name);
    return address ? `[${label ?? `\`${name}\``}](${address})` : `\`${name}\``;
  });
  return markdown.render(named, { link });
}

const { rules } = markdown.renderer;

rules.code_inline = (tokens, index, _options, { link }) => {
  const { content } = tokens[index];
  const inLink = tokens.slice(0, index).findLast(({ type }) => /^link_/.test(type));
  const address = inLink?.type === 'link_open' ? undefined : linkOfCode(content, link);
  const code = `<code>${escapeHtml(content)}</code>`;
  return address ? `<a href="${address}">${code}</a>` : code;
};

rules.fence = (tokens, index, _options, { link }) =>
  `<pre class="figure"><code>${renderCode(tokens[index].content.trimEnd(), link)}</code></pre>\n`;

// Wide tables are scrolled in a place of their own, by the keyboard too. A heading that says nothing is a plain cell.
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

/** Code with its comments set apart and the package's types as links. */
export function renderCode(code, link = () => undefined) {
  const parts = /(\/\/[^\n]*|\/\*[^]*?\*\/)|('[^'\n]*')|\b([A-Z]\w+)\b/g;
  let html = '';
  let end = 0;
  for (const match of code.matchAll(parts)) {
    const [whole, comment, , name] = match;
    // Not the // of an address.
    const isComment = comment && code[match.index - 1] !== ':';
    const address = name && link(name);
    html += escapeHtml(code.slice(end, match.index));
    if (isComment) html += `<span class="remark">${escapeHtml(whole)}</span>`;
    else html += address ? `<a href="${address}">${whole}</a>` : escapeHtml(whole);
    end = match.index + whole.length;
  }
  return html + escapeHtml(code.slice(end));
}
