// Search of the reference: a list of links to matching names, then to matching sentences. The key / moves the focus to
// the field, arrow keys move through the links, Enter opens the first, Escape closes the list.

const limit = 12; // results shown

/** Rank of an entry, 0 is best: a match of the whole name, its start, a member's name, its start, a substring, its sentence. */
function rankOf([name, , sentence], typed) {
  const lower = name.toLowerCase();
  if (lower === typed) return 0;
  const [item, member = ''] = lower.split(/[./]/);
  if (item.startsWith(typed)) return member === '' ? 1 : 4;
  if (member.startsWith(typed)) return member === typed ? 2 : 3;
  if (lower.includes(typed)) return 5;
  return sentence.toLowerCase().includes(typed) ? 6 : Infinity;
}

function find(entries, text) {
  const typed = text
    .trim()
    .toLowerCase()
    .replace(/\(\)?$/, '');
  if (typed === '') return [];
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, typed) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank || a.entry[0].length - b.entry[0].length)
    .map(({ entry }) => entry);
}

function itemOf([name, address, sentence]) {
  const item = document.createElement('li');
  const link = Object.assign(document.createElement('a'), { href: address });
  const code = Object.assign(document.createElement('code'), { textContent: name });
  const told = Object.assign(document.createElement('span'), { textContent: sentence });
  link.append(code, ' ', told);
  item.append(link);
  return item;
}

/** Installs the page's search. */
export function startSearch() {
  const box = document.querySelector('search');
  const field = box?.querySelector('input');
  const list = box?.querySelector('ul');
  const status = box?.querySelector('[role="status"]');
  if (box && field && list && status) searchWith(box, field, list, status);
}

/**
 * @param {HTMLElement} box
 * @param {HTMLInputElement} field
 * @param {HTMLElement} list
 * @param {Element} status
 */
function searchWith(box, field, list, status) {
  let entries = null;
  box.hidden = false;

  async function show() {
    entries ??= fetch('search.json').then((response) => response.json());
    const found = find(await entries, field.value);
    list.replaceChildren(...found.slice(0, limit).map(itemOf));
    status.textContent = field.value.trim() ? `${found.length} found` : '';
  }
  function close() {
    field.value = '';
    field.focus();
    return show();
  }

  field.addEventListener('input', show);
  box.addEventListener('keydown', (event) => {
    /** @type {HTMLElement[]} */
    const stops = [field, ...list.querySelectorAll('a')];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && at === 0) stops[1]?.click();
    else if (event.key === 'ArrowDown') stops[at + 1]?.focus();
    else if (event.key === 'ArrowUp') stops[at - 1]?.focus();
    else return;
    event.preventDefault();
  });
  // A link within the page that is followed closes the list.
  list.addEventListener('click', () => setTimeout(() => list.replaceChildren()));
  document.addEventListener('keydown', (event) => {
    const { target } = event;
    const isTyped =
      target instanceof Element && target.closest('input, textarea, [contenteditable]');
    if (event.key !== '/' || isTyped) return;
    event.preventDefault();
    field.focus();
  });
}
