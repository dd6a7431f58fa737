// Drawer with everything that the first picture does not need: the source, settings, export, keys, about. Beside the page
// where there is room, else a sheet at the bottom. It opens as its reader left it.

const key = 'attention: more'; // key in localStorage
const sheet = matchMedia('(max-width: 59.99rem)'); // windows in which it is a sheet

/** `opened(name)` is called for each part that is unfolded; parts have the name in data-fold. */
export function createDrawer(button, panel, { opened }) {
  const folds = Array.from(panel.querySelectorAll('details[data-fold]'));

  function open(isOpen) {
    button.setAttribute('aria-expanded', String(isOpen));
    panel.hidden = !isOpen;
    document.body.classList.toggle('with-more', isOpen);
    if (!isOpen) return;
    for (const { open: isUnfolded, dataset } of folds) if (isUnfolded) opened(dataset.fold);
  }

  function toggle() {
    open(panel.hidden);
    remember();
  }

  function close() {
    open(false);
    remember();
    button.focus();
  }

  function remember() {
    const names = folds.filter((one) => one.open).map(({ dataset }) => dataset.fold);
    write({ isOpen: !panel.hidden, names, top: panel.scrollTop });
  }

  button.addEventListener('click', toggle);
  panel.querySelector('.close').addEventListener('click', close);
  for (const one of [panel, button]) {
    one.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || panel.hidden) return;
      event.preventDefault();
      close();
    });
  }
  for (const fold of folds) {
    fold.addEventListener('toggle', () => {
      if (panel.hidden) return;
      remember();
      if (!fold.open) return;
      opened(fold.dataset.fold);
      // The map stays visible above its settings.
      if (sheet.matches && fold.dataset.fold === 'settings') {
        document.querySelector('#picture')?.scrollIntoView();
      }
    });
  }
  panel.addEventListener('scrollend', remember);

  const { isOpen = false, names = [], top = 0 } = read();
  for (const fold of folds) fold.open = names.includes(fold.dataset.fold);
  // A sheet never opens by itself: it would cover the page.
  if (!isOpen || sheet.matches) return;
  open(true);
  panel.scrollTop = top;
}

// localStorage may be unavailable.
function write(state) {
  try {
    localStorage.setItem(key, JSON.stringify(state));
  } catch {
    // The drawer starts closed on the next visit.
  }
}

function read() {
  try {
    const { isOpen, names, top } = JSON.parse(localStorage.getItem(key) ?? 'null') ?? {};
    return { isOpen: isOpen === true, names: [names].flat(), top: Number(top) || 0 };
  } catch {
    return {};
  }
}
