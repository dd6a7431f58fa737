// The types of the package as the reference describes them: TypeDoc reads the .d.ts files of every export of package.json;
// their declarations come in the order and under the headings of those files.
//
// TypeDoc's own HTML was tried (0.28.20) and not taken. Its pages need inline scripts and styles, which the policy (CSP)
// forbids; axe-core finds four kinds of faults on them (nested controls, no main landmark, text outside of landmarks,
// order of headings); some are wider than a phone; and attention() is a method of an interface on one of 171 pages.

/** @import { ReferenceReflection } from 'typedoc' */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Application, Converter, ReflectionKind } from 'typedoc';
import { entries, root } from './entries.js';

// The files of the main entry in the order in which they are read best; its own comes first.
const order = [
  'index',
  'attention/scaled_dot_product',
  'arguments/tensor',
  'arguments/nested',
  'attention/kernel_attention',
  'attention/linear_attention',
  'attention/key_value_cache',
  'attention/positions',
  'attention/embed',
  'layers/linear',
  'layers/norm',
  'layers/multi_head_attention',
  'layers/transformer_layer',
  'layers/transformer',
].map((name) => join(root, 'web/lib/types', `${name}.d.ts`));

/** Interfaces whose methods are functions of the API object; the reference lists them as functions. */
const functionHolders = ['ScaledDotProduct', 'KernelAttention', 'LinearAttention', 'Positions'];
functionHolders.push('Embed', 'Norms');

async function convert() {
  const folder = join(root, '.build/reference');
  mkdirSync(folder, { recursive: true });
  const tsconfig = join(folder, 'tsconfig.json');
  const files = entries.map(({ file }) => relative(folder, file));
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    noEmit: true,
  };
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files }));
  const app = await Application.bootstrap({
    entryPoints: entries.map(({ file }) => file),
    tsconfig,
    basePath: root,
    disableGit: true,
    sourceLinkTemplate: '{path}',
    readme: 'none',
    sort: ['source-order'],
    skipErrorChecking: true,
    logLevel: 'Error',
  });
  // The source text is available only during conversion.
  const declared = new Map();
  app.converter.on(Converter.EVENT_RESOLVE_END, (context) => {
    for (const reflection of Object.values(context.project.reflections)) {
      declared.set(reflection, declarationOf(context.getSymbolFromReflection(reflection)));
    }
  });
  const project = await app.convert();
  if (!project || app.logger.hasErrors()) throw new Error('TypeDoc cannot read the types');
  return { project, declared };
}

/** Comment parts as Markdown; links stay in braces until all anchors are known. */
const markdownOf = (parts = []) =>
  parts
    .map((part) => (part.kind === 'inline-tag' ? `{@link ${part.text}}` : part.text))
    .join('')
    .trim();

/** { text, throws, examples } of a reflection's comment. */
function docOf(reflection) {
  const comment = reflection.comment ?? reflection.signatures?.find((one) => one.comment)?.comment;
  const accessor = reflection.getSignature?.comment;
  const { summary, blockTags = [] } = comment ?? accessor ?? {};
  const tagged = (tag) =>
    blockTags.filter((one) => one.tag === tag).map(({ content }) => markdownOf(content));
  return {
    text: [markdownOf(summary), ...tagged('@remarks')].filter(Boolean).join('\n\n'),
    throws: tagged('@throws'),
    examples: tagged('@example'),
  };
}

/** Platform types by their standard names: web/lib/types/arguments/platform.d.ts declares them for compilers that lack them. */
const platformNames = new Map([
  ...[
    ...readFileSync(join(root, 'web/lib/types/arguments/platform.d.ts'), 'utf8').matchAll(
      /^export type (\w+) = Known<\s*'(\w+)'/gm,
    ),
  ].map(([, name, there]) => /** @type {[string, string]} */ ([name, there])),
  ['CompiledModule', 'WebAssembly.Module'],
]);

/** Source text of a declaration without comment and `export`, and the interface that it belongs to. */
function declarationOf(symbol) {
  const nodes = symbol?.declarations ?? [];
  const sources = nodes.map((node) => {
    const file = node.getSourceFile();
    const { character } = file.getLineAndCharacterOfPosition(node.getStart());
    return node
      .getText()
      .replaceAll(`\n${' '.repeat(character)}`, '\n')
      .replace(/^export (declare )?/, '')
      .replace(/;$/, '')
      .replaceAll(/\b[A-Z]\w+/g, (name) => platformNames.get(name) ?? name);
  });
  const isOurs = nodes.some((node) =>
    node.getSourceFile().fileName.startsWith(join(root, 'web/lib/types')),
  );
  return { sources, isOurs, owner: nodes[0]?.parent?.name?.text };
}

const fileOf = (reflection) => join(root, reflection.sources?.[0]?.fileName ?? '');

/** A member of an interface; `from` is the interface that it is inherited from, if any. */
function memberOf(declared, reflection, item) {
  const { name, signatures, inheritedFrom } = reflection;
  const { sources, owner } = declared.get(reflection);
  // A constructor's declaration is the whole interface.
  const text = name === 'constructor' ? /new \([^]*?\): \w+/.exec(sources[0]) : sources;
  return {
    name: name.replace(/^\[(?=\w+\])/, '[Symbol.'),
    anchor: `${item}.${name.replaceAll(/[[\]]/g, '')}`,
    isMethod: Boolean(signatures),
    from: inheritedFrom ? owner : null,
    sources: [...text],
    doc: docOf(reflection),
  };
}

const kindNames = new Map([
  [ReflectionKind.Function, 'function'],
  [ReflectionKind.Interface, 'interface'],
  [ReflectionKind.TypeAlias, 'type'],
  [ReflectionKind.Variable, 'constant'],
]);

function itemOf(declared, reflection) {
  const { name, children = [] } = reflection;
  const isInterface = reflection.kind === ReflectionKind.Interface;
  // Members inherited from HTMLElement are left out.
  const members = children
    .filter((one) => declared.get(one).isOurs)
    .map((one) => memberOf(declared, one, name));
  return {
    name,
    anchor: name,
    kind: kindNames.get(reflection.kind),
    file: fileOf(reflection),
    line: reflection.sources?.[0]?.line ?? 0,
    sources: isInterface ? [] : declared.get(reflection).sources,
    doc: docOf(reflection),
    members: isInterface ? members : [],
  };
}

/** Flattens interfaces of functions, and puts constructors before methods. */
function arrange(items) {
  const functions = (item) =>
    item.members.map((member) => ({
      ...item,
      ...member,
      anchor: member.name,
      kind: 'function',
      members: [],
    }));
  const flat = items.flatMap((item) =>
    functionHolders.includes(item.name) ? functions(item) : [item],
  );
  const makers = new Map(flat.map((item) => [item.name, item]));
  return flat
    .filter(({ name }) => !/.Constructor$/.test(name))
    .map((item) => {
      const maker = makers.get(`${item.name}Constructor`);
      if (!maker) return item;
      const made = maker.members
        .filter(({ name }) => name !== 'prototype')
        .map((member) => ({ ...member, anchor: `${item.name}.${member.name}`, makes: item.name }));
      return { ...item, kind: 'class', members: [...made, ...item.members] };
    });
}

/** The header comment of a file, in Markdown, and its examples. */
function headerOf(file) {
  const text = readFileSync(file, 'utf8').replace(/^\/\/\/.*\n/, '');
  const [block] = /^\/\*\*[^]*?\*\//.exec(text) ?? [];
  if (!block) {
    const [comment = ''] = /^(\/\/.*\n)+/.exec(text) ?? [];
    const lines = comment.replaceAll(/^\/\/ ?/gm, '');
    return { text: lines.trim(), throws: [], examples: [] };
  }
  const told = block
    .replace(/^\/\*\*\s?/, '')
    .replace(/\s*\*\/$/, '')
    .replaceAll(/^ ?\* ?/gm, '')
    .replace('@module', '');
  const [intro, ...examples] = told.split('@example\n').map((part) => part.trim());
  return { text: intro, throws: [], examples };
}

/**
 * @returns {Promise<object[]>} for each entry { name, page, file, header, sections: [{ title, items }], borrowed }:
 *   `borrowed` are the names that it re-exports from another entry, `lender`
 */
export async function readTypes() {
  const { project, declared } = await convert();
  return entries.map((entry) => {
    const module = project.children?.find((one) => fileOf(one) === entry.file);
    const own = module?.children ?? [];
    const isBorrowed = ({ kind }) => kind === ReflectionKind.Reference;
    const items = arrange(
      own.filter((one) => !isBorrowed(one)).map((one) => itemOf(declared, one)),
    ).filter(({ kind }) => kind);
    const isMain = entry.page === 'main.html';
    const files = isMain ? order : [entry.file];
    const sections = files.map((file) => ({
      title: isMain && file !== entry.file ? headerOf(file).text.split('\n')[0] : '',
      items: items.filter((item) => !isMain || item.file === file),
    }));
    const told = sections.reduce((sum, section) => sum + section.items.length, 0);
    if (told !== items.length) throw new Error(`${entry.name} has files that are in no section`);
    const references = /** @type {ReferenceReflection[]} */ (own.filter(isBorrowed));
    const borrowed = references.map(({ name }) => name);
    const source = references[0] && fileOf(references[0].getTargetReflectionDeep().parent);
    const lender = entries.find(({ file }) => file === source);
    return { ...entry, header: headerOf(entry.file), sections, borrowed, lender };
  });
}

/** The examples in Markdown: { place, language, code }. */
export const examplesIn = (place, text) =>
  Array.from(text.matchAll(/^```(js|html)\n([\s\S]*?)^```$/gm), ([, language, code]) => ({
    place,
    language,
    code,
  }));

/** Every example of the types. */
export function examplesOf(types) {
  const found = [];
  const take = (place, { examples }) => {
    for (const example of examples) found.push(...examplesIn(place, example));
  };
  for (const entry of types) {
    take(entry.name, entry.header);
    for (const { items } of entry.sections) {
      for (const item of items) {
        take(`${entry.name} ${item.name}`, item.doc);
        for (const member of item.members) {
          if (!member.from) take(`${entry.name} ${member.anchor}`, member.doc);
        }
      }
    }
  }
  return found;
}
