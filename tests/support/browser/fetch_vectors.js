// Fetches the test vectors into a page or a worker: [json, bytes].

/** @returns {Promise<[json: object, bytes: Uint8Array]>} */
export async function fetchVectors() {
  const fetchFixture = (name) => fetch(new URL(`../../vectors/${name}`, import.meta.url));
  const [json, bytes] = await Promise.all([
    fetchFixture('vectors.json').then((response) => response.json()),
    fetchFixture('vectors.bin').then((response) => response.arrayBuffer()),
  ]);
  return [json, new Uint8Array(bytes)];
}
