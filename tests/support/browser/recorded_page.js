// The page as a person gets it, as text: its accessibility tree, the stops of the Tab key, sentence, address and exported
// files. Only what stays the same when elements are made in another way: no ids, no classes, no positions.

import { catchFiles, exported } from './page_driver.js';
import { settled } from './settled_page.js';

const unseen = ['none', 'generic', 'InlineTextBox', 'LineBreak', 'presentation'];
// Of Chromium, not of the page; or true of elements that say nothing of it, and false.
const otherProperties = ['focusable', 'editable', 'settable', 'url', 'actions', 'activedescendant'];
const rare = ['invalid', 'required', 'readonly', 'multiselectable', 'multiline', 'modal', 'busy'];
const maxStops = 400;
const batch = 25; // presses of Tab between two looks

const valueOf = (property) => property?.value ?? '';

/** States and numbers of a node, such as "expanded: false". */
function statesOf({ properties = [], value, description }) {
  const isShown = ({ name, value: { type, value: state } }) =>
    !otherProperties.includes(name) &&
    !/idref|node/i.test(type) &&
    !(rare.includes(name) && ['false', ''].includes(String(state)));
  const states = properties
    .filter(isShown)
    .map(({ name, value: { value: state } }) => `${name}: ${state}`)
    .sort();
  if (value) states.push(`value: ${value.value}`);
  if (valueOf(description)) states.push(`description: ${description.value}`);
  return states;
}

/** Nodes that are seen, in order: { role, name, states, depth, id }; neighboring texts are one. */
function seenNodes(nodes) {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const seen = [];
  function walk(node, depth, above) {
    const role = valueOf(node.role);
    const name = valueOf(node.name);
    let [next, around] = [depth, above];
    if (!node.ignored && !unseen.includes(role)) {
      const last = seen.at(-1);
      if (role !== 'StaticText') {
        seen.push({ role, name, states: statesOf(node), depth, id: node.backendDOMNodeId });
        [next, around] = [depth + 1, name];
      } else if (name.trim() === '' || above.includes(name.trim())) return;
      else if (last.role === role && last.depth === depth) last.name += name;
      else seen.push({ role, name, states: [], depth });
      if (role === 'StaticText') return;
    }
    for (const id of node.childIds ?? []) if (byId.has(id)) walk(byId.get(id), next, around);
  }
  walk(nodes[0], 0, '');
  return seen;
}

const textOf = ({ role, name, states }) =>
  [role, name && `“${name.replace(/\s+/g, ' ').trim()}”`, ...states].filter(Boolean).join(', ');

const nodesOf = async (session) =>
  seenNodes((await session.send('Accessibility.getFullAXTree')).nodes);

/** The accessibility tree, a line for each node. */
async function treeOf(session) {
  return (await nodesOf(session)).map((node) => '  '.repeat(node.depth) + textOf(node));
}

/** The page as it is: { address, sentence, message, tree }. */
export async function recordPage(page, session) {
  await settled(page);
  const seen = await page.evaluate(() => {
    const textOf = (selector) => {
      const one = document.querySelector(selector);
      return one?.checkVisibility() ? (one.textContent ?? '').trim() : '';
    };
    return {
      address: location.hash,
      sentence: textOf('.looking'),
      message: textOf('.message'),
    };
  });
  return { ...seen, tree: await treeOf(session) };
}

/** The exported CSV and JSON: { csv, json }, each a file { says, name, text } or what the page says instead. */
export async function recordExports(page) {
  await catchFiles(page);
  const files = {};
  for (const way of ['csv', 'json']) {
    const { says, name, text } = await exported(page, way);
    files[way] = { says, name, text };
  }
  await settled(page);
  return files;
}

/** The stops of the Tab key from the beginning of the page on, each as role, name and states. */
export async function recordStops(page, session) {
  await page.evaluate(() => {
    const stops = (globalThis.tabStops = []);
    // The first Tab starts from the element that had the focus last.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
    addEventListener('focusin', (event) => stops.push(event.composedPath()[0]), true);
  });
  const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
  for (let pressed = 0, isRound = false; !isRound && pressed < maxStops; pressed += batch) {
    const events = Array.from({ length: batch }, () => ['rawKeyDown', 'keyUp']).flat();
    await Promise.all(
      events.map((type) => session.send('Input.dispatchKeyEvent', { type, ...key })),
    );
    isRound = await page.evaluate(() => {
      const stops = globalThis.tabStops;
      const again = stops.indexOf(stops[0], 1);
      if (again > 0) stops.length = again;
      return again > 0;
    });
  }
  // The last presses may have gone around once more, as far as the browser was fast enough: a focused field hides its words.
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await settled(page);
  const ids = await idsOf(session, 'tabStops');
  const nodes = new Map((await nodesOf(session)).map((node) => [node.id, node]));
  return ids.map((id) => (nodes.has(id) ? textOf(nodes.get(id)) : 'unknown to the tree'));
}

/** Ids of a global list of elements, as the accessibility tree names them. */
async function idsOf(session, name) {
  const { result } = await session.send('Runtime.evaluate', { expression: name });
  const { result: properties } = await session.send('Runtime.getProperties', {
    objectId: result.objectId,
    ownProperties: true,
  });
  const elements = properties.filter(({ name: index }) => /^\d+$/.test(index));
  const described = elements.map(({ value: { objectId } }) =>
    session.send('DOM.describeNode', { objectId }),
  );
  return (await Promise.all(described)).map(({ node }) => node.backendNodeId);
}

/** Entries of the browser's history. */
export const countEntries = (page) => page.evaluate(() => history.length);

/** Address and sentence after Back, where there are more than `entries`; null where there is nothing to go back to. */
export async function recordBack(page, entries) {
  if ((await countEntries(page)) <= entries) return null;
  await page.evaluate(
    () =>
      new Promise((done) => {
        addEventListener('popstate', done, { once: true });
        history.back();
      }),
  );
  await settled(page);
  return page.evaluate(() => ({
    address: location.hash,
    sentence: (document.querySelector('.looking')?.textContent ?? '').trim(),
  }));
}
