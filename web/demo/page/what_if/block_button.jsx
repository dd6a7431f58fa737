// The button that blocks the link of the selected cell.

/** @import { linkAction } from './actions.js' */

/**
 * `action`: null while nothing can be blocked; `block(text)`.
 * @param {{ action: ReturnType<typeof linkAction>, block(text: string): void }} shown
 */
export const BlockButton = ({ action, block }) => (
  <button
    type="button"
    class="quiet"
    disabled={!action}
    title={action ? `${action.says} (key X)` : undefined}
    onClick={() => action && block(action.block)}
  >
    {action?.isUndo ? 'Allow it' : 'Block it'}
  </button>
);
