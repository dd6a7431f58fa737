// A worker, started as this file with the address of its own behind #: the WebAssembly memories that it makes can be
// asked for, `memories`.

globalThis.memories = [];
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  const { exports } = made.instance ?? made;
  const found = Object.values(exports).filter((one) => one instanceof WebAssembly.Memory);
  globalThis.memories.push(...found);
  return made;
};

// What is said before there is somebody to hear it is said again then.
const early = [];
const keep = ({ data }) => early.push(data);
addEventListener('message', keep);
await import(self.location.hash.slice(1));
removeEventListener('message', keep);
for (const data of early) dispatchEvent(new MessageEvent('message', { data }));
