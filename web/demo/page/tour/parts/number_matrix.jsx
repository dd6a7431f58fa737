// A large matrix as a picture whose numbers can be chosen.

import { Drawing } from '../../component.jsx';
import { createNumberMatrix } from './matrix_drawing.js';

/** @param {import('./matrix_drawing.js').ShownMatrix} shown */
export const NumberMatrix = (shown) => <Drawing {...shown} create={createNumberMatrix} />;
