// Newer members of the language and of engines, which the library uses only where they exist: all else is of ES2022. And
// those of workers, which the types of pages do not have.

interface ArrayBuffer {
  readonly resizable?: boolean;
}

interface Uint8ArrayConstructor {
  fromBase64?(text: string): Uint8Array<ArrayBuffer>;
}

/** In a worker: posts to the thread that started it. */
declare function postMessage(message: unknown, transfer: Transferable[]): void;
