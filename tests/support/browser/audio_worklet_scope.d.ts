// Global names of audio worklets, which TypeScript's library for pages does not declare.

declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

declare function registerProcessor<Given>(
  name: string,
  processor: new (options: { processorOptions: Given }) => AudioWorkletProcessor,
): void;
