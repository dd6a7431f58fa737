// TextDecoder and TextEncoder, which the build puts in the place of the global ones: those of the engine or, where
// it has none (jest-environment-jsdom), the two classes here, which know UTF-8 and no streams.

const percent = (byte) => `%${byte.toString(16).padStart(2, '0')}`;

// Sequences by their first byte; one that ends early is one sequence, too.
const sequences = /(?:%[0-7].)+|%[cd].(?:%[89ab].)?|%e.(?:%[89ab].){0,2}|%f.(?:%[89ab].){0,3}|%../g;

export class Utf8Decoder {
  #options;

  constructor(_label, options) {
    this.#options = options;
  }

  decode(given) {
    const bytes = new Uint8Array(given.buffer ?? given, given.byteOffset, given.byteLength);
    const escaped = Array.from(bytes, percent).join('');
    if (this.#options?.fatal) return decodeURIComponent(escaped);
    const text = escaped.replace(sequences, (sequence) => {
      try {
        return decodeURIComponent(sequence);
      } catch {
        return '\ufffd';
      }
    });
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  }
}

export class Utf8Encoder {
  encode(text) {
    const escaped = encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
    return Uint8Array.from(escaped.match(/%..|./g) ?? [], (part) =>
      part.length > 1 ? Number.parseInt(part.slice(1), 16) : part.charCodeAt(0),
    );
  }
}

const decoder = /* @__PURE__ */ (() => globalThis.TextDecoder ?? Utf8Decoder)();
const encoder = /* @__PURE__ */ (() => globalThis.TextEncoder ?? Utf8Encoder)();

export { decoder as TextDecoder, encoder as TextEncoder };
