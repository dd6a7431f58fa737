// The button that blocks the link of the selected cell, and the one that opens the menu of what else can be blocked.

import { h } from '../component.js';

/** `action`: what linkAction() returns, null while nothing can be blocked; `isOn`: anything can; `openMenu(button)`. */
export const BlockButtons = ({ action, isOn, block, openMenu }) =>
  h(
    'div',
    { class: 'block-link', role: 'group', 'aria-label': 'What if' },
    h(
      'button',
      {
        ...{ type: 'button', class: 'quiet', disabled: !action },
        title: action ? `${action.says} (key X)` : null,
        onClick: () => block(action.block),
      },
      action?.isUndo ? 'Allow it again' : 'Block it',
    ),
    h(
      'button',
      {
        ...{ type: 'button', class: 'quiet more', 'aria-label': 'What else to block' },
        ...{ 'aria-haspopup': 'menu', 'aria-expanded': 'false', disabled: !isOn },
        onClick: ({ currentTarget }) => openMenu(currentTarget),
      },
      '▾',
    ),
  );
