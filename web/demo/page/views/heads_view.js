// Heads view in its room: all heads in one grid, a row for each layer, with one head enlarged.

import { mountComponent } from '../component.jsx';
import { screenColors } from '../palette.js';
import { headsToSVG } from './heads_drawing.js';
import { Heads } from './heads.jsx';
import './heads.css';

/** @import { Facts } from '../../types' */
/** @import { Saving, Scores, State } from '../../state/types' */
/** @import { Handlers } from '../view_switch.js' */

/** @type {{ state?: State, facts?: Facts | null, scores?: Scores | null, saving?: Saving }} */
const noneAround = {};

/**
 * Fills `root` and takes the height that its rows need.
 * @param {HTMLElement} root
 * @param {Pick<Handlers, 'select' | 'hover' | 'measureHeads'> & Partial<Handlers>} handlers
 */
export function create(root, { select, hover, change, measureHeads, save }) {
  const heads = mountComponent(Heads, root, { select, hover, change, measureHeads, save });
  root.classList.add('heads-view');
  let drawn = null; // what the pictures depend on

  return {
    show(picture, selection, settings = {}, around = noneAround) {
      const { scores: measured } = around;
      const {
        colors = 'blues',
        colorBy = 'weights',
        scaling = 'global',
        unit = 'words',
      } = settings;
      const { palette } = settings;
      const scores = measured?.isRunning ? null : (measured?.found ?? null);
      const { thumbnails = noHeads } = picture ?? {};
      const inputs = { thumbnails, colors, colorBy, scaling, unit, scores, palette };
      if (!drawn || Object.keys(inputs).some((key) => inputs[key] !== drawn[key])) drawn = inputs;
      root.classList.toggle('empty', thumbnails.length === 0);
      heads.show({ picture, selection: selection ?? {}, inputs: drawn, around });
    },
    toSVG: (paper = screenColors) => headsToSVG(drawn, paper),
  };
}

const noHeads = [];
