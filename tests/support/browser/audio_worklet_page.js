// A page with an audio worklet; an OfflineAudioContext needs no sound device.
globalThis.weightsInWorklet = async () => {
  const context = new OfflineAudioContext(1, 128, 44100);
  await context.audioWorklet.addModule(new URL('audio_worklet.js', import.meta.url));
  const file = await fetch(new URL('../../../web/built/attention.wasm', import.meta.url));
  const wasm = await WebAssembly.compile(await file.arrayBuffer());
  const node = new AudioWorkletNode(context, 'attention', { processorOptions: { wasm } });
  return new Promise((resolve) => {
    node.port.onmessage = ({ data }) => resolve(data);
  });
};
