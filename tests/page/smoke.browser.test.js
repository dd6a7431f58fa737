// Smoke test of the page in Chromium (quick tier).
import { launch, listen } from '../support/js/browser.js';
import { smoke } from '../support/browser/page_smoke.js';

smoke('chromium', () => launch('chromium'), listen);
