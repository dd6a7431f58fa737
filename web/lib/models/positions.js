// Position vectors that are computed: sines in the first half of a vector and cosines in the second.
//   halves    sin and cos of p / 10000^(2i/d)                    Marian and Pegasus, after Vaswani et al. (2017)
//   fairseq   sin and cos of p / 10000^(i / (d/2 - 1))           M2M-100; the padding has zeros

const angles = {
  halves: (i, width) => 10_000 ** ((-2 * i) / width),
  fairseq: (i, width) => 10_000 ** (-i / (Math.floor(width / 2) - 1)),
};

/** The vector of position p, added to `row`. */
export function addPosition(row, kind, p) {
  const width = row.length;
  const sines = kind === 'halves' ? Math.ceil(width / 2) : Math.floor(width / 2);
  for (let i = 0; i < sines; i++) row[i] += Math.sin(p * angles[kind](i, width));
  const cosines = Math.floor(width / 2);
  for (let i = 0; i < cosines; i++) row[sines + i] += Math.cos(p * angles[kind](i, width));
}
