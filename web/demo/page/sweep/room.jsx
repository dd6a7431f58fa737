// The panel of effects below the map, and its style.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { isOfModel } from '../../texts.js';
import { Sweep } from './sweep.jsx';
import './sweep.css';

defineAttentionMap();

/** As Sweep(). */
export const SweepRoom = (shown) => isOpen(shown) && <Sweep {...shown} />;

const isOpen = ({ state, picture }) => state.sweep !== '' && isOfModel(state) && Boolean(picture);
