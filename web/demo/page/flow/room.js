// The flow in its room below the map, and its style.

import { mountComponent } from '../component.jsx';
import { Flow } from './flow.jsx';
import './flow.css';
import './details.css';
import './block.css';

/** `actions`: { change, select, spellOut } as in actions.js. */
export const createFlow = (root, actions) => mountComponent(Flow, root, actions);
