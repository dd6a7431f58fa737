// A wrapper around a worker script (its address follows #) that records the WebAssembly memories it creates
// in `memories`.
export {}; // a module, as which it is started

globalThis.memories = [];
/** @type {(...given) => Promise<WebAssembly.WebAssemblyInstantiatedSource | WebAssembly.Instance>} */
const instantiate = WebAssembly.instantiate;
async function watch(...given) {
  const made = await instantiate(...given);
  const { exports } = 'instance' in made ? made.instance : made;
  const found = Object.values(exports).filter((one) => one instanceof WebAssembly.Memory);
  globalThis.memories.push(...found);
  return made;
}
Object.assign(WebAssembly, { instantiate: watch });

// Messages that arrive before the script has a listener are delivered again.
const early = [];
const keep = ({ data }) => early.push(data);
addEventListener('message', keep);
await import(self.location.hash.slice(1));
removeEventListener('message', keep);
for (const data of early) dispatchEvent(new MessageEvent('message', { data }));
