// The page in Firefox.
import { launch, listen } from '../support/js/browser.js';
import { smoke } from '../support/browser/page_smoke.js';

smoke('firefox', () => launch('firefox'), listen);
