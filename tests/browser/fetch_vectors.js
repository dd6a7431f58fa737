// Fetches the test vectors into a page or a worker: [json, bytes] of each pair of files.

export function fetchVectors() {
  const fetchFixture = (name) => fetch(new URL(`../fixtures/${name}`, import.meta.url));
  const fetchPair = async (name) => {
    const [json, bytes] = await Promise.all([
      fetchFixture(`${name}.json`).then((response) => response.json()),
      fetchFixture(`${name}.bin`).then((response) => response.arrayBuffer()),
    ]);
    return [json, new Uint8Array(bytes)];
  };
  return Promise.all(['attention', 'family'].map(fetchPair));
}
