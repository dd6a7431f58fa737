// The reference's script: runs examples, copies code, searches names. The text is complete without it. Its
// service worker stores all pages for offline use.
import { addCopyButtons } from './copy.js';
import { makeExamplesRun } from './example.js';
import { startSearch } from './search.js';

makeExamplesRun();
addCopyButtons();
startSearch();
navigator.serviceWorker?.register('service_worker.js').catch(() => {});
