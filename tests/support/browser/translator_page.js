// Translates in this page, from the library's own files; the test awaits globalThis.report.

import { loadTranslator } from '/web/built/translator.js';
import { runTranslatorCases } from './translator_cases.js';

globalThis.report = loadTranslator().then(runTranslatorCases);
globalThis.loadFrom = (url) => loadTranslator({ weights: new URL(url, import.meta.url) });
