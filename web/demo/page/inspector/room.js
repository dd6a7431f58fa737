// The inspector in its room beside the map, and its style.

import { mountComponent } from '../component.jsx';
import { Inspector } from './inspector.jsx';
import './inspector.css';
import './block.css';

/** `actions`: { change, spellOut } as in actions.js. */
export const createInspector = (root, actions) => mountComponent(Inspector, root, actions);
