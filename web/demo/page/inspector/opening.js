// The inspector at the opening of the page: it stays open for who opened it, and opens for links that need it.

const key = 'attention: inspector'; // key in localStorage, which may be unavailable

/** The state of an address, with the inspector open where it `isOpen`, or where the address needs it. */
export function withInspector(state, isOpen = wasOpen()) {
  const { whole, lens, stage } = state;
  // Addresses from before the inspector could be closed.
  const isNeeded = whole || lens || stage !== 'weights';
  return { ...state, inspector: state.inspector || isNeeded || isOpen };
}

/** Where its reader left it so. */
function wasOpen() {
  try {
    return localStorage.getItem(key) === 'open';
  } catch {
    return false;
  }
}

export function rememberInspector(isOpen) {
  try {
    localStorage.setItem(key, isOpen ? 'open' : '');
  } catch {
    // The inspector opens closed the next time.
  }
}
