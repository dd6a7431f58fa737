// A wrapper around a worker script (its address follows #) that records the WebAssembly memories it creates
// in `memories`.

globalThis.memories = [];
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  const { exports } = made.instance ?? made;
  const found = Object.values(exports).filter((one) => one instanceof WebAssembly.Memory);
  globalThis.memories.push(...found);
  return made;
};

// Messages that arrive before the script has a listener are delivered again.
const early = [];
const keep = ({ data }) => early.push(data);
addEventListener('message', keep);
await import(self.location.hash.slice(1));
removeEventListener('message', keep);
for (const data of early) dispatchEvent(new MessageEvent('message', { data }));
