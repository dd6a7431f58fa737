// The panel of effects in its room below the map, and its style.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { isOfModel } from '../../texts.js';
import { mountComponent } from '../component.jsx';
import { Sweep } from './sweep.jsx';
import './sweep.css';

/** `actions`: { change, lookAtEffect, measureAgain } as in actions.js. */
export function createSweep(root, actions) {
  defineAttentionMap();
  return mountComponent((shown) => isOpen(shown) && <Sweep {...shown} />, root, actions);
}

const isOpen = ({ state, picture }) => state.sweep !== '' && isOfModel(state) && Boolean(picture);
