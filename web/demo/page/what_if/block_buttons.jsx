// The button that blocks the link of the selected cell, and the one that opens the menu of what else can be blocked.

/** @import { linkAction } from './actions.js' */

/**
 * `action`: null while nothing can be blocked; `isOn`: anything can; `block(text)` and `toggleMenu(button)`, where the buttons
 * can be used.
 * @param {{
 *   action: ReturnType<typeof linkAction>,
 *   isOn: boolean,
 *   isMenuOpen?: boolean,
 *   block?(text: string): void,
 *   toggleMenu?(button: HTMLElement): void,
 * }} shown
 */
export const BlockButtons = ({ action, isOn, isMenuOpen = false, block, toggleMenu }) => (
  <div class="block-link" role="group" aria-label="What if">
    <button
      type="button"
      class="quiet"
      disabled={!action}
      title={action ? `${action.says} (key X)` : undefined}
      onClick={() => action && block?.(action.block)}
    >
      {action?.isUndo ? 'Allow it again' : 'Block it'}
    </button>
    <button
      type="button"
      class="quiet more"
      aria-label="What else to block"
      aria-haspopup="menu"
      aria-expanded={isMenuOpen}
      disabled={!isOn}
      onClick={({ currentTarget }) => toggleMenu?.(currentTarget)}
    >
      ▾
    </button>
  </div>
);
