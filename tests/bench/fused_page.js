// The page of fused.js.
import { measureFused } from './fused_in.js';

globalThis.measureFused = measureFused;
