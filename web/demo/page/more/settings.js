// Settings in the drawer, loaded when they are first unfolded, and the line at the map that names those that differ from
// their default.

import { mountComponent } from '../component.jsx';
import { createLater } from '../scheduling.js';
import { InForce } from './in_force.jsx';

/** `change` as for the controls; `wait(promise)` is called while they are loaded. */
export function createSettings(panel, inForce, { change, wait }) {
  const line = mountComponent(InForce, inForce);
  const controls = createLater(async () => {
    const { ControlPanel } = await import('../controls/control_panel.jsx');
    return mountComponent(ControlPanel, panel, { change });
  }, wait);
  let isUnfolded = false; // it was
  let latest = null; // argument of show()

  function show(at) {
    latest = at;
    line.show(at);
    if (isUnfolded) controls.show({ at });
  }

  return {
    unfold() {
      isUnfolded = true;
      if (latest) show(latest);
    },
    /** `at`: { state, facts, picture, source } */
    show,
  };
}
