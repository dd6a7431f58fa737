// For jest-environment-jsdom, which has no TextDecoder and no TextEncoder: a file of Jest's `setupFiles`.
import { TextDecoder, TextEncoder } from 'node:util';

Object.assign(globalThis, { TextDecoder, TextEncoder });
