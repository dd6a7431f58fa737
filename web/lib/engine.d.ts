// Newer members of the language and of engines, which the library uses only where they exist: all else is of ES2022.

interface ArrayBuffer {
  readonly resizable?: boolean;
}

interface Uint8ArrayConstructor {
  fromBase64?(text: string): Uint8Array<ArrayBuffer>;
}
