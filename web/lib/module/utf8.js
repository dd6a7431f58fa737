// TextDecoder and TextEncoder, which the build substitutes for the global ones: those of the engine or, if it has none
// (jest-environment-jsdom), the two classes here, which support UTF-8 and no streams.

const percent = (byte) => `%${byte.toString(16).padStart(2, '0')}`;

// UTF-8 sequences by their first byte. A truncated one counts as one sequence.
const sequences = /(?:%[0-7].)+|%[cd].(?:%[89ab].)?|%e.(?:%[89ab].){0,2}|%f.(?:%[89ab].){0,3}|%../g;

export class Utf8Decoder {
  #options;

  constructor(_label, options) {
    this.#options = options;
  }

  decode(input) {
    const bytes = new Uint8Array(input.buffer ?? input, input.byteOffset, input.byteLength);
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
    return Uint8Array.from(escaped.match(/%..|./g) ?? [], (sequence) =>
      sequence.length > 1 ? Number.parseInt(sequence.slice(1), 16) : sequence.charCodeAt(0),
    );
  }
}

const decoder = /* @__PURE__ */ (() => globalThis.TextDecoder ?? Utf8Decoder)();
const encoder = /* @__PURE__ */ (() => globalThis.TextEncoder ?? Utf8Encoder)();

export { decoder as TextDecoder, encoder as TextEncoder };
