// The sources of vectors, in the order of the picker. A source is one module, and one line here (types.d.ts
// says what a Reading is):
//   id, name, says        how it is called, and one sentence about it
//   settings              of 'heads', 'positions', 'files', 'model': the controls that belong to it
//   fields                optional: { mode: [first, second] }, what to call the two texts; where it looks across, of the
//                         parts that do not: encoder and decoder
//   meaning               what its vectors know, for the foot of the page
//   examples              [{ mode, name, lang, first, second?, read }]; first of a mode = where it starts
//   read(request, { api, signal, step, report })
//                         → Promise<Reading>; request: { mode, first, second, heads, positions };
//                         `await step()` between steps of long work; `report({ text, fraction, reading })`
//                         says how far it is, and shows what is there already
//   open(file, context)   optional: takes a file, resolves to { text, files, state, link? }: a sentence about it, all that
//                         are open as { id, name, says }, and what it changes of the page's state
//   close(id)             takes it away again, and resolves to { text, files }
//   cancel()              optional: gives up what is being opened
//   keep(what, context)   optional: keeps what is open for the next visit; resolves to what open() does

import * as files from './files.js';
import * as model from './model.js';
import * as ngrams from './ngrams.js';
import * as ownModel from './own_model.js';

export const sources = [model, ownModel, ngrams, files];
