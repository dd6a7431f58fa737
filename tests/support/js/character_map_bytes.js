// A map of SentencePiece (the field precompiled_charsmap): a trie in a double array over UTF-8, then the replacements, each
// with a zero behind it. Units of the array are those of Darts-clone: 31 bits of a value; or 8 bits of a label, bit 8 for a
// value below, and from bit 10 on the distance to the children.

const encoder = new TextEncoder();

function treeOf(replacements) {
  const root = { children: new Map() };
  for (const [from, value] of replacements) {
    let node = root;
    for (const byte of encoder.encode(from)) {
      if (!node.children.has(byte)) node.children.set(byte, { children: new Map() });
      node = node.children.get(byte);
    }
    node.value = value;
  }
  return root;
}

/** The double array as numbers by position. Each node has a base of its own: a unit does not name its parent. */
function doubleArray(root) {
  const units = [0];
  let base = 0;
  const place = (node, at, label) => {
    base += 256;
    const own = base;
    units[at] = (((at ^ own) << 10) | (node.value === undefined ? 0 : 256) | label) >>> 0;
    if (node.value !== undefined) units[own] = (node.value | 0x80000000) >>> 0;
    for (const [byte, child] of node.children) place(child, own ^ byte, byte);
  };
  place(root, 0, 0);
  return units;
}

/** Base64 of the map. replacements: [from, to] each, from not empty. */
export function characterMapBytes(replacements) {
  let text = '';
  const values = replacements.map(([from, to]) => {
    const value = encoder.encode(text).length;
    text += `${to}\0`;
    return [from, value];
  });
  const units = doubleArray(treeOf(values));
  const trie = new Uint8Array(
    Uint32Array.from({ length: Math.ceil(units.length / 256) * 256 }, (_, at) => units[at] ?? 0)
      .buffer,
  );
  const size = new Uint8Array(Uint32Array.of(trie.length).buffer);
  return Buffer.concat([size, trie, encoder.encode(text)]).toString('base64');
}
