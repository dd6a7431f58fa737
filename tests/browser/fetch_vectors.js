// Fetches the test vectors into a page or a worker: [json, bytes].

export async function fetchVectors() {
  const fetchFixture = (name) => fetch(new URL(`../fixtures/${name}`, import.meta.url));
  const [json, bytes] = await Promise.all([
    fetchFixture('attention.json').then((response) => response.json()),
    fetchFixture('attention.bin').then((response) => response.arrayBuffer()),
  ]);
  return [json, new Uint8Array(bytes)];
}
