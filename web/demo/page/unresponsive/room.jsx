// The dialog of a worker that does not respond, in its room above the page, and its style.

import { UnresponsiveDialog } from './unresponsive_dialog.jsx';
import './unresponsive_dialog.css';

/** `isSilent`: the worker does not respond; `stop()` and `keepWaiting()` are the reader's choices. */
export const UnresponsiveRoom = ({ isSilent, stop, keepWaiting }) => (
  <div class="unresponsive" hidden={!isSilent}>
    {isSilent && <UnresponsiveDialog stop={stop} wait={keepWaiting} />}
  </div>
);
