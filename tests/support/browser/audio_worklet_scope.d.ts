// What audio_worklet.js has beside JavaScript's own names: the library of types for pages is without audio worklets.

declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

declare function registerProcessor<Given>(
  name: string,
  processor: new (options: { processorOptions: Given }) => AudioWorkletProcessor,
): void;
