// The inspector in its room beside the map, and its style.

import { mountComponent } from '../component.js';
import { Inspector } from './inspector.js';
import './inspector.css';
import './block.css';

/** `actions`: { change, spellOut } as in actions.js. */
export const createInspector = (root, actions) => mountComponent(Inspector, root, actions);
