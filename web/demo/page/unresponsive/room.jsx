// The dialog of a worker that does not respond, in its room above the page, and its style.

import { mountComponent } from '../component.jsx';
import { UnresponsiveDialog } from './unresponsive_dialog.jsx';
import './unresponsive_dialog.css';

/** `actions`: { stop, wait }. */
export function createUnresponsive(root, actions) {
  const room = mountComponent(Shown, root, actions);
  return {
    show(isSilent) {
      root.hidden = !isSilent;
      room.show({ isSilent });
    },
  };
}

const Shown = ({ isSilent, stop, wait }) =>
  isSilent && <UnresponsiveDialog stop={stop} wait={wait} />;
