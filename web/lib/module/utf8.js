// TextDecoder and TextEncoder, which the build substitutes for the global ones: those of the engine or, if it has none
// (jest-environment-jsdom), those of a library, which refuse malformed text as strictly.
import * as library from '@kayahr/text-encoding/no-encodings'; // UTF-8 without the other encodings

const decoder = /* @__PURE__ */ (() => globalThis.TextDecoder ?? library.TextDecoder)();
const encoder = /* @__PURE__ */ (() => globalThis.TextEncoder ?? library.TextEncoder)();

export { decoder as TextDecoder, encoder as TextEncoder };
