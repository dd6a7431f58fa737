// Sources of vectors, in the order of the list on the page. A source is a module with these exports (types.d.ts defines
// Reading):
//   id, name, says        identifier, name on the page, one-sentence description
//   settings              controls of the source: any of 'heads', 'positions', 'files', 'model'
//   fields                optional: labels of the two text fields, { mode: [first, second] }; `encoder` and `decoder`
//                         for those parts of a source with cross-attention
//   meaning               note on the vectors, for the page's “About”
//   examples              [{ mode, name, lang, first, second?, other?, read }]; the first of a mode is its initial text;
//                         `other`: a text to compare with
//   read(request, { api, signal, step, report })
//                         → Promise<Reading>; request: { mode, first, second, heads, positions };
//                         `await step()` between steps of long work; `report({ text, fraction, reading })`
//                         reports progress and partial results
//   open(file, context)   optional: opens a file, resolves to { text, files, state, link? }: a message, all open files
//                         as { id, name, says }, and changes of the page's state
//   close(id)             closes a file, resolves to { text, files }
//   cancel()              optional: cancels opening
//   measure(question, context)   optional: log probabilities with one set of blocks after another: ../models/measured_translation.js
//   keep(what, context)   optional: stores, lists or removes models for the next visit; resolves as open() does

import * as files from './files.js';
import * as ngrams from './ngrams.js';
import * as ownModel from './own_model.js';
import * as trainedModel from './trained_model.js';

/** @import { SourceModule } from '../types' */

/** @type {SourceModule[]} */
export const sources = [trainedModel, ownModel, ngrams, files];
