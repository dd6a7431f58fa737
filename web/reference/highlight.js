// Syntax colors: code as HTML with classes, so that the style sheet has the colors of the light and the dark
// theme and a strict policy (CSP) allows it. Shiki, a dependency of TypeDoc, has the grammars.

import {
  bundledLanguages,
  codeToTokensWithThemes,
  createOnigurumaEngine,
  createShikiInternal,
  loadBuiltinWasm,
} from '@gerrit0/mini-shiki';
import MarkdownIt from 'markdown-it';

export const { escapeHtml } = new MarkdownIt().utils;

/** Class → TextMate scopes. */
const classes = {
  remark: ['comment', 'punctuation.definition.comment'],
  text: ['string', 'punctuation.definition.string', 'string.template'],
  number: ['constant.numeric', 'constant.language'],
  keyword: ['keyword', 'storage', 'entity.name.tag', 'variable.language'],
  name: ['entity.name.function', 'support.function'],
};
const plain = ['meta.template.expression', 'keyword.operator', 'punctuation', 'support.type'];

// A theme with one color per class, to identify the class of a token.
const colorOf = (index) => `#0000${(index + 16).toString(16)}`;
const names = Object.keys(classes);
const theme = {
  name: 'classes',
  type: /** @type {const} */ ('light'),
  fg: '#000000',
  bg: '#FFFFFF',
  settings: [
    { settings: { foreground: '#000000' } },
    { scope: plain, settings: { foreground: '#000000' } },
    ...names.map((name, index) => ({
      scope: classes[name],
      settings: { foreground: colorOf(index) },
    })),
  ],
};
const classOfColor = new Map(names.map((name, index) => [colorOf(index), name]));

const languages = ['js', 'jsx', 'ts', 'tsx', 'html', 'vue', 'svelte', 'json', 'sh', 'cpp', 'cmake'];
await loadBuiltinWasm();
const shiki = await createShikiInternal({
  engine: await createOnigurumaEngine(),
  langs: languages.map((name) => bundledLanguages[name]),
  themes: [theme],
});

/** Names of types as links, where there is a page that describes them. */
const linked = (text, link) =>
  text
    .split(/\b([A-Z]\w+)\b/)
    .map((part, index) => {
      const address = index % 2 === 1 && link(part);
      return address ? `<a href="${address}">${part}</a>` : escapeHtml(part);
    })
    .join('');

/**
 * @param {string} code
 * @param {string} language its name, or '' for text without colors
 * @param {(name: string) => string | undefined} [link] the address of a type
 */
export function renderCode(code, language, link = () => undefined) {
  const lang = { cjs: 'js' }[language] ?? language;
  if (!languages.includes(lang)) return linked(code, link);
  // With a time limit, a slow machine would produce other colors.
  const options = { lang, themes: { one: 'classes' }, tokenizeTimeLimit: 0 };
  const lines = codeToTokensWithThemes(shiki, code, options);
  const render = ({ content, variants }) => {
    const name = classOfColor.get(variants.one.color?.toLowerCase());
    const isProse = name === 'remark' || name === 'text';
    const html = isProse ? escapeHtml(content) : linked(content, link);
    return name ? `<span class="${name}">${html}</span>` : html;
  };
  return lines.map((tokens) => tokens.map(render).join('')).join('\n');
}
