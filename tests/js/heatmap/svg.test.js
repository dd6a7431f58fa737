// attention-wasm/heatmap without a page: colors, sizes, layout, number formats and the SVG document.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as chromatic from 'd3-scale-chromatic';
import {
  colorScale,
  defineAttentionMap,
  heatmapSVG,
  invisibleCharacters,
  visibleText,
} from '../../../web/lib/heatmap.js';
import { keyTarget, keyZoom } from '../../../web/lib/heatmap/keys.js';
import {
  createLabels,
  estimateWidth,
  isRightToLeft,
  visible,
} from '../../../web/lib/heatmap/labels.js';
import * as layouts from '../../../web/lib/heatmap/layout.js';
import { createMatrix } from '../../../web/lib/heatmap/matrix.js';
import { formatBriefly, formatEnd, formatValue } from '../../../web/lib/heatmap/number_formats.js';
import { readHeatmapOptions } from '../../../web/lib/heatmap/options.js';
import { createRamp, luminance, readColor } from '../../../web/lib/heatmap/ramp.js';
import { colorIndex, rasterOf } from '../../../web/lib/heatmap/raster.js';
import { scaleOf } from '../../../web/lib/heatmap/scales.js';
import { createTheme, plainThemes } from '../../../web/lib/heatmap/theme.js';
import { randomWeights } from '../../support/browser/heatmap_weights.js';

const white = [255, 255, 255];
const black = [16, 18, 22];
const matrixOf = (options) => createMatrix(readHeatmapOptions('heatmap', options));
const contrast = (one, other) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

describe('scales of color', () => {
  const originals = {
    blues: chromatic.interpolateBlues,
    cividis: chromatic.interpolateCividis,
    viridis: chromatic.interpolateViridis,
    greys: chromatic.interpolateGreys,
    signed: chromatic.interpolatePuOr,
  };

  it('are those of d3-scale-chromatic, up to an invisible difference', () => {
    for (const [name, original] of Object.entries(originals)) {
      const scale = scaleOf(name);
      for (let i = 0; i <= 1000; i++) {
        const [ours, theirs] = [scale(i / 1000), readColor(original(i / 1000))];
        const away = Math.max(...ours.map((channel, at) => Math.abs(channel - theirs[at])));
        assert.ok(away <= 5.5, `${name} at ${i / 1000} is ${away} of 255 from ${theirs}`);
      }
      for (const end of [0, 1]) {
        const theirs = readColor(original(end)).map(Math.round);
        assert.deepEqual(scale(end).map(Math.round), theirs, `${name} at ${end}`);
      }
    }
  });

  it('change monotonically in lightness, away from the surface', () => {
    for (const colors of ['blues', 'greys', 'viridis', 'cividis']) {
      for (const surface of [white, black]) {
        const { fill } = createRamp({ colors, surface, signed: false });
        const lights = fill.map((color) => luminance(readColor(color)));
        const adapts = colors === 'blues' || colors === 'greys';
        const sign = adapts && surface === white ? -1 : 1;
        lights.slice(1).forEach((light, i) => {
          assert.ok(sign * (light - lights[i]) >= -0.003, `${colors} on ${surface} at ${i}`);
        });
        assert.ok(
          contrast(readColor(fill[0]), readColor(fill[255])) > 8,
          `${colors}: ${fill[255]}`,
        );
        if (adapts) assert.ok(contrast(surface, readColor(fill[0])) < 1.2, `${colors}: ${fill[0]}`);
      }
    }
  });

  it('have readable numbers on them, and equal pixels by name and as a list', () => {
    for (const colors of ['blues', 'greys', 'viridis', 'cividis']) {
      for (const surface of [white, black]) {
        for (const signed of [false, true]) {
          const { fill, text, packed } = createRamp({ colors, surface, signed });
          fill.forEach((color, i) => {
            const rgb = readColor(color);
            assert.ok(contrast(rgb, readColor(text[i])) >= 4.5, `${text[i]} on ${color}`);
            assert.deepEqual([...new Uint8Array(packed.buffer, 4 * i, 4)], [...rgb, 255]);
          });
        }
      }
    }
  });

  it('can be custom colors or a function', () => {
    const list = createRamp({ colors: ['#000', '#ff0000', '#ffffff'], surface: white });
    assert.deepEqual([list.fill[0], list.fill[255]], ['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    assert.match(list.fill[128], /^rgb\(255, [12], [12]\)$/);
    const made = createRamp({ colors: chromatic.interpolatePlasma, surface: white });
    assert.deepEqual(readColor(made.fill[100]), readColor(chromatic.interpolatePlasma(100 / 255)));
    const other = (colors) => () => createRamp({ colors, surface: white });
    for (const name of ['rainbow', 'signed', 'toString']) {
      assert.throws(other(name), new RegExp(`unknown color scale '${name}'`));
    }
    assert.throws(other(['red', 'blue']), /#rrggbb or rgb\(\), found red/);
  });

  it('are the same in colorScale()', () => {
    for (const [surface, behind] of [
      ['#ffffff', white],
      ['rgb(16, 18, 22)', black],
    ]) {
      const matrix = matrixOf({ weights: [[0.2, 0.5, 1, 0]], domain: [0, 1] });
      const ramp = createRamp({ colors: 'blues', surface: behind, signed: false });
      const scale = colorScale({ surface });
      assert.equal(scale.dark, behind === black);
      for (const share of matrix.values) {
        const index = colorIndex(matrix, share, 0);
        assert.deepEqual(scale.colorOf(share), { fill: ramp.fill[index], text: ramp.text[index] });
        assert.equal(scale.pixelOf(share), ramp.packed[index]);
      }
      assert.deepEqual(scale.colorOf(NaN), scale.colorOf(0));
      assert.deepEqual(scale.colorOf(7), scale.colorOf(1));
      const signed = createRamp({ colors: 'blues', surface: behind, signed: true });
      const both = colorScale({ surface, signed: true });
      assert.deepEqual(
        [-1, 0, 1].map((share) => both.pixelOf(share)),
        [0, 128, 255].map((index) => signed.packed[index]),
      );
    }
    assert.throws(() => colorScale({ surface: '' }), /surface must be written #rgb, #rrggbb/);
  });

  it('leave captions readable on light and dark surfaces', () => {
    for (const given of Object.values(plainThemes)) {
      const theme = createTheme(given);
      for (const name of ['ink', 'muted', 'row', 'column']) {
        const ratio = contrast(readColor(theme[name]), given.surface);
        assert.ok(ratio >= 4.5, `${name} has a contrast of ${ratio}`);
      }
      assert.ok(contrast(readColor(theme.row), readColor(theme.onRow)) >= 4.5);
      assert.ok(contrast(readColor(theme.column), readColor(theme.onColumn)) >= 4.5);
    }
  });
});

describe('the matrix', () => {
  const flat = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];

  it('reads tensors, rows and flat arrays', () => {
    const kinds = [
      { weights: { data: Float64Array.from(flat), dims: [2, 3] } },
      { weights: { data: flat, dims: [1, 1, 2, 3] } },
      { weights: { data: [9, 9, 9, 9, 9, 9, ...flat], dims: [2, 2, 3] }, head: 1 },
      { weights: [flat.slice(0, 3), Float64Array.from(flat.slice(3))] },
      { weights: flat, rowLabels: ['a', 'b'], columnLabels: ['x', 'y', 'z'] },
    ];
    for (const options of kinds) {
      const { rows, columns, values } = matrixOf(options);
      assert.deepEqual([rows, columns, [...values]], [2, 3, flat]);
    }
    assert.deepEqual(matrixOf({ weights: [flat] }).columnLabels, ['1', '2', '3', '4', '5', '6']);
    assert.equal(matrixOf({ weights: [], rowLabels: [], columnLabels: ['a'] }).rows, 0);
  });

  it('refuses inconsistent sizes with a message', () => {
    const refused = (options, sentence, type = RangeError) =>
      assert.throws(
        () => matrixOf(options),
        (error) => error instanceof type && sentence.test(error.message),
        `${sentence}`,
      );
    refused({}, /needs the option 'weights'/, TypeError);
    refused(
      { weights: [[1]], wieghts: 1 },
      /has no option 'wieghts'; it has weights, head/,
      TypeError,
    );
    refused({ weights: 'abc' }, /weights must be .* found 'abc'/, TypeError);
    refused({ weights: flat }, /need rowLabels and columnLabels/, TypeError);
    refused({ weights: flat, rowLabels: ['a'], columnLabels: ['b'] }, /1 × 1 numbers.*found 6/);
    refused({ weights: [[1, 2], [3]] }, /weights\[1\] must have 2 numbers .* found 1/);
    refused({ weights: [null] }, /weights\[0\] must be an array of numbers, found null/, TypeError);
    refused({ weights: [['1']] }, /must be numbers, found '1'/, TypeError);
    refused({ weights: { data: flat, dims: [2, 2] } }, /dims 2×2 and must have 4 numbers.*found 6/);
    refused({ weights: { data: flat, dims: [6] } }, /dims must be \[rows, columns\]/);
    refused(
      { weights: { data: flat, dims: [2, 1, 3] } },
      /head must be set to the one of the 2 heads/,
    );
    refused({ weights: { data: flat, dims: [2, 1, 3] }, head: 2 }, /from 0 to 1, found 2/);
    refused({ weights: [flat], head: 0 }, /head is for weights with dims/, TypeError);
    refused({ weights: [flat], rowLabels: ['a', 'b'] }, /rowLabels must have 1 labels.*found 2/);
    refused({ weights: [flat], rowLabels: [1] }, /rowLabels\[0\] must be a string/, TypeError);
    refused({ weights: [flat], unseen: [1] }, /unseen must have 1 × 6 numbers.*found 1/);
    refused({ weights: [flat], domain: 'rows' }, /'global', 'row' or \[lowest, highest\]/);
    refused({ weights: [flat], domain: [1, 1] }, /found \[1,1\]/);
    refused({ weights: [flat], exponent: 0 }, /exponent must be more than 0/);
    refused({ weights: [flat], onSelect: 1 }, /onSelect must be a function/, TypeError);
    refused({ weights: [flat], selected: { row: 0 } }, /selected must be/, TypeError);
    refused({ weights: [flat], selected: { row: 0.5, column: 0 } }, /selected must be/, TypeError);
    refused({ weights: [[1, 2], null] }, /weights\[1\] .* found null/);
    refused({ weights: { data: null, dims: [2, 2] } }, /weights must be/, TypeError);
    refused({ weights: { data: 7, dims: [2, 2] } }, /found 7/);
    refused({ weights: [flat], rowLabels: 'ab' }, /rowLabels must be an array/, TypeError);
    refused({ weights: [flat], unseen: 'ab' }, /unseen must be an array/, TypeError);
    for (const colors of [['#fff'], 7]) {
      refused({ weights: [flat], colors }, /colors must be the name of a scale/, TypeError);
    }
    assert.throws(() => createRamp({ colors: () => 7, surface: white }), /colors must be written/);
  });

  it('has a scale from 0 to the maximum: of all cells, of the row, or of `domain`', () => {
    const weights = [
      [0.1, 0.2],
      [0.4, 0.8],
    ];
    const shares = (options) => {
      const matrix = matrixOf({ weights, exponent: 1, ...options });
      return [0, 1, 2, 3].map((at) =>
        Number(matrix.fractionOf(matrix.values[at], at >> 1).toFixed(6)),
      );
    };
    assert.deepEqual(shares({}), [0.125, 0.25, 0.5, 1]);
    assert.deepEqual(shares({ domain: 'row' }), [0.5, 1, 0.5, 1]);
    assert.deepEqual(shares({ domain: [0.2, 0.6] }), [0, 0, 0.5, 1]);
    assert.deepEqual(shares({ threshold: 0.3 }), [0, 0, 0.5, 1]);
    assert.deepEqual(shares({ exponent: 0.5 })[2], 0.707107);
    // A matrix of zeros has the palest color, not the deepest.
    assert.deepEqual(matrixOf({ weights: [[0, 0]] }).fractionOf(0, 0), 0);
  });

  it('writes percent on request: cells without the sign, ends of the scale and the read-out with it', () => {
    const weights = [[0.827, 0.9822, 0.9967, 0.9998, 0.004, 0]];
    const options = { weights, domain: [0, 1], selected: { row: 0, column: 2 } };
    const textsOf = (more) =>
      Array.from(heatmapSVG({ ...options, ...more }).matchAll(/<text[^>]*>([^<]*)/g), ([, text]) =>
        text.replaceAll('\u00a0', ' '),
      );
    const texts = textsOf({ percent: true });
    for (const text of ['83', '98', '99.7', '100', '·', '0', '100 %', '99.670 %']) {
      assert.ok(texts.includes(text), `${text} in ${texts}`);
    }
    assert.equal(texts.filter((text) => text === '·').length, 2);
    const decimals = textsOf({});
    for (const text of ['.83', '.98', '1.0', '0', '1', '0.99670']) {
      assert.ok(decimals.includes(text), `${text} in ${decimals}`);
    }
    assert.deepEqual(textsOf({ percent: false }), decimals);
    assert.throws(() => heatmapSVG({ ...options, percent: 1 }), /percent must be/);
  });

  it('has 0 in the middle if there are negative numbers', () => {
    const matrix = matrixOf({ weights: [[-2, 0, 1, -Infinity, NaN, Infinity]], exponent: 1 });
    assert.deepEqual([matrix.signed, matrix.low, matrix.high], [true, -2, 2]);
    const share = (at) => matrix.fractionOf(matrix.values[at], 0);
    assert.deepEqual([share(0), share(1), share(2), share(5)], [0, 0.5, 0.75, 1]);
    assert.ok(Number.isNaN(share(4)));
    const isUnseen = (column) => matrix.describeCell({ row: 0, column }).unseen;
    assert.ok(isUnseen(3) && !isUnseen(4));
    const plain = matrixOf({ weights: [[-2, 0, 2]], signed: false, exponent: 1 });
    assert.deepEqual([plain.low, plain.high, plain.fractionOf(0, 0)], [-2, 2, 0.5]);
  });

  it('has masked cells with a dot (1) or a hatching (2), neither with a color', () => {
    const options = { weights: [[2, 3, 1]], unseen: [1, 2, 0], legend: false, labels: false };
    const matrix = matrixOf(options);
    const factsOf = (column) => matrix.describeCell({ row: 0, column });
    assert.deepEqual(
      [0, 1, 2].map((column) => [factsOf(column).unseen, factsOf(column).hatched]),
      [
        [true, false],
        [true, true],
        [false, false],
      ],
    );
    assert.equal(matrix.high, 1);
    const hatchings = (given) =>
      heatmapSVG({ ...options, ...given }, { width: 200 }).match(/fill="url\(#heatmap-hatch/g) ??
      [];
    assert.equal(hatchings({}).length, 1);
    assert.equal(hatchings({ unseen: [1, 1, 0] }).length, 0);
  });

  it('is rasterized: a pixel per cell, or the largest of several cells', () => {
    const [rows, columns] = [37, 53];
    const weights = { data: randomWeights(rows, columns), dims: [rows, columns] };
    const unseen = new Uint8Array(rows * columns);
    unseen[5 * columns + 7] = 1;
    for (const domain of ['global', 'row']) {
      const matrix = matrixOf({ weights, unseen, domain });
      const ramp = createRamp({ colors: 'cividis', surface: white });
      const { width, height, pixels } = rasterOf({ matrix, ramp, bin: 1 });
      assert.deepEqual([width, height], [columns, rows]);
      pixels.forEach((pixel, at) => {
        const index = colorIndex(matrix, matrix.values[at], Math.floor(at / columns));
        if (unseen[at]) assert.equal(pixel, 0);
        // Ties between two colors may be rounded either way.
        else
          assert.ok(
            [-1, 0, 1].some((by) => ramp.packed[index + by] === pixel),
            `at ${at}`,
          );
      });
      const few = rasterOf({ matrix, ramp, bin: 4 });
      assert.deepEqual([few.width, few.height], [14, 10]);
      few.pixels.forEach((pixel, block) => {
        const [top, left] = [4 * Math.floor(block / 14), 4 * (block % 14)];
        let strongest = -1;
        for (let row = top; row < Math.min(rows, top + 4); row++) {
          for (let column = left; column < Math.min(columns, left + 4); column++) {
            strongest = Math.max(strongest, ramp.packed.indexOf(pixels[row * columns + column]));
          }
        }
        assert.equal(ramp.packed.indexOf(pixel), strongest, `block ${block}`);
      });
    }
  });
});

describe('labels', () => {
  it('show white space and control characters', () => {
    assert.equal(visibleText('\ud800x\n'), '�x↵');
    assert.equal(visible('tea'), 'tea');
    assert.equal(visible(' tea'), '␣tea');
    assert.equal(visible('a b'), 'a b');
    assert.equal(visible('\n'), '↵');
    assert.equal(visible('\t\u0007'), '⇥�');
    assert.equal(visible(''), '∅');
    assert.equal(visible('👩‍👩‍👧‍👦'), '👩‍👩‍👧‍👦');
  });

  it('show invisible characters, and do not change the text direction', () => {
    const invisible = [
      ...[0xad, 0x61c, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x3164, 0xfeff, 0xe0041],
      ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2061, 0x2066, 0x2067, 0x2068, 0x2069],
    ];
    for (const point of invisible) {
      const character = String.fromCodePoint(point);
      assert.equal(visible(`te${character}a`), 'te�a', point.toString(16));
      assert.equal(visible(character), '�', point.toString(16));
      assert.deepEqual(invisibleCharacters(`te${character}a${character}`), [
        [2, character],
        [3 + character.length, character],
      ]);
    }
    const { rowTexts } = matrixOf({ weights: [[1]], rowLabels: ['a\u202eb'] });
    assert.deepEqual(rowTexts, ['a�b']);
  });

  it('keep joiners and variation selectors of visible characters', () => {
    const needed = {
      'joined emoji': '👩\u200d❤\ufe0f\u200d👨',
      'emoji with a tone': '🧑🏽\u200d🚀',
      'a keycap': '1\ufe0f\u20e3',
      'a flag of tags': '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      Persian: 'می\u200cخواهم',
      'a piece of a Persian word': 'می\u200c',
      Hindi: 'क्\u200dष',
      Japanese: '葛\u{e0100}',
      'old Korean': '\u115f\u1161',
    };
    for (const [what, text] of Object.entries(needed)) assert.equal(visible(text), text, what);
    assert.equal(visible('👩\u200d'), '👩�');
    assert.equal(visible('x\ufe0f\ufe0f'), 'x\ufe0f�');
  });

  it('take bounded work, however long they are', () => {
    let measured = 0;
    const { fit, widthOf } = createLabels((text) => {
      measured = Math.max(measured, text.length);
      return text.length;
    });
    const long = 'tea'.repeat(3_000_000);
    assert.equal(fit(long, 6, 12), 'teate…');
    assert.ok(widthOf(long, 12) > 999);
    assert.ok(measured <= 1001, `${measured} letters were measured`);
    assert.equal(fit(`${'a'.repeat(999)}😀😀`, Infinity, 12), `${'a'.repeat(999)}…`);
    const spaced = `a${' '.repeat(100_000)}b`;
    assert.equal(visible(spaced), spaced);
    const { rowTexts } = matrixOf({ weights: [[1]], rowLabels: [long] });
    assert.equal(rowTexts[0].length, 1001);
  });

  it('have the text direction of their words', () => {
    for (const word of ['שלום', 'مرحبا', '123 שלום', 'ܫܠܡܐ']) assert.ok(isRightToLeft(word), word);
    for (const word of ['tea', '茶', '123', '👍🏽', 'tea שלום', '']) {
      assert.ok(!isRightToLeft(word), word);
    }
  });

  it('are cut between grapheme clusters', () => {
    const { fit, widthOf } = createLabels((text) => Array.from(text).length);
    assert.equal(fit('tea', 3, 12), 'tea');
    assert.equal(fit('Donaudampfschiff', 6, 12), 'Donau…');
    assert.equal(fit('e\u0301e\u0301e\u0301e\u0301', 5, 12), 'e\u0301e\u0301…');
    assert.equal(fit('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 9, 12), '👩‍👩‍👧‍👦…');
    assert.equal(fit('tea', 0, 12), '…');
    assert.equal(widthOf('tea', 12), 3);
  });

  it('have an estimated width without a canvas', () => {
    assert.ok(estimateWidth('茶', 10) > 1.5 * estimateWidth('t', 10));
    assert.equal(estimateWidth('e\u0301', 10), estimateWidth('e', 10));
    assert.ok(estimateWidth('👩‍👩‍👧‍👦', 10) < 60);
  });
});

describe('numbers', () => {
  it('have as many digits as fit', () => {
    const written = (format, numbers) => numbers.map(format);
    assert.deepEqual(
      written(formatValue, [0, 0.43125, -1.5, 3.1e-5, -2e-7, 1e9, NaN, Infinity, -Infinity, 250]),
      ['0.00000', '0.43125', '−1.5000', '3.1 × 10⁻⁵', '−2.0 × 10⁻⁷', '1.0 × 10⁹'].concat([
        'not a number',
        '∞',
        '−∞',
        '250.00',
      ]),
    );
    assert.equal(formatValue(1, { decimals: 5 }), '1.00000');
    assert.equal(formatValue(-0.00001, { decimals: 4 }), '−1.0 × 10⁻⁵');
    assert.deepEqual(
      written(formatBriefly, [0, 0.004, 0.07, 0.999, 1, -0.5, -3.21, 42.3, 12345, NaN, -Infinity]),
      ['0', '0', '.07', '1.0', '1.0', '−.50', '−3.2', '42', '1e4', '?', '−∞'],
    );
    assert.deepEqual(written(formatEnd, [0, -0, 1, 0.92461, -4.0001, 1e-5]), [
      '0',
      '0',
      '1',
      '0.925',
      '−4',
      '1.0 × 10⁻⁵',
    ]);
  });
});

describe('the layout', () => {
  const { widthOf } = createLabels(estimateWidth);
  const words = (count) =>
    Array.from({ length: count }, (_, i) => ['tea', 'elephant', '茶'][i % 3]);
  const layOut = (rows, columns, room) =>
    layouts.layOut({
      matrix: { rows, columns, rowTexts: words(rows), columnTexts: words(columns) },
      widthOf,
      ratio: 1,
      labels: true,
      legend: true,
      captions: true,
      ...room,
    });
  const whole = { zoom: 1, x: 0, y: 0 };

  it('shows all cells, in whole pixels, from 1 to 512 words at any size', () => {
    for (const width of [300, 360, 768, 1400]) {
      for (const ratio of [1, 1.5, 2, 3]) {
        for (const [rows, columns] of [
          [1, 1],
          [2, 2],
          [5, 30],
          [64, 3],
          [200, 200],
          [512, 512],
        ]) {
          const layout = layOut(rows, columns, { width, height: 600, ratio });
          const scene = layouts.arrange(layout, whole);
          const name = `${rows}×${columns} in ${width} at ${ratio}`;
          const { frame, cell, bin } = scene;
          assert.ok(
            frame.width >= columns * cell - 1e-6 && frame.height >= rows * cell - 1e-6,
            name,
          );
          assert.ok(frame.x >= 0 && frame.x + frame.width <= width + 1e-6, name);
          assert.ok(
            frame.y + frame.height + layouts.legendGap + layouts.legendLine <= 600 + 1e-6,
            name,
          );
          assert.ok(Math.abs(cell * ratio * bin - Math.round(cell * ratio * bin)) < 1e-6, name);
          assert.deepEqual([scene.firstRow, scene.lastRow], [0, rows], name);
          assert.deepEqual([scene.firstColumn, scene.lastColumn], [0, columns], name);
          // Drawn labels are at least a line apart, which is tight where cells are low.
          const line = cell < 12 ? 9 : scene.fontSize + 1;
          assert.ok(scene.fontSize >= 10 && scene.rowStep * cell >= line - 1e-6, name);
          const apart = scene.columnStep * scene.cellWidth * Math.sin(scene.slant ?? Math.PI / 2);
          assert.ok(apart >= 11.3 - 1e-6, name);
        }
      }
    }
  });

  it('labels every column of a phone’s map for 15 words, at the flattest angle that has room', () => {
    const degrees = (columns, width = 336) => {
      const layout = layOut(columns, columns, { width, height: 800, ratio: 2 });
      const { columnStep, slant } = layouts.arrange(layout, whole);
      return [columnStep, Math.round((slant * 180) / Math.PI)];
    };
    assert.deepEqual(
      [10, 15, 18].map((columns) => degrees(columns)),
      [
        [1, 45],
        [1, 60],
        [1, 75],
      ],
    );
    // The narrowest phone, with a column for punctuation: upright.
    assert.deepEqual(degrees(16, 272), [1, 90]);
    // More than have room at any angle: the flattest again, and every second.
    assert.deepEqual(degrees(28), [2, 45]);
  });

  it('puts two captions beside slanted labels below buttons of 28 px, even above short words', () => {
    const layout = layouts.layOut({
      matrix: { rows: 9, columns: 9, rowTexts: words(9), columnTexts: Array(9).fill('front') },
      ...{ widthOf, width: 280, ratio: 2, labels: true, legend: true, captions: true },
    });
    const { slant, frame } = layouts.arrange(layout, whole);
    assert.ok(slant > 0);
    // The upper of two lines of 11 px, 15 apart, the lower one 11 above the cells.
    assert.ok(frame.y - 11 - 15 - 11 / 2 >= 28 + 4, `cells begin at ${frame.y}`);
  });

  it('has the height that the matrix needs by default', () => {
    const wide = layOut(2, 20, { width: 600 });
    const high = layOut(20, 2, { width: 600 });
    assert.ok(wide.height < 250 && high.height > 600, `${wide.height} and ${high.height}`);
    assert.ok(Number.isInteger(wide.height));
  });

  it('finds the cell or label at a point', () => {
    const layout = layOut(60, 40, { width: 700, height: 600, ratio: 2 });
    for (const view of [whole, { zoom: 3, x: 100, y: 200 }]) {
      const scene = layouts.arrange(layout, view);
      for (let row = scene.firstRow + 1; row < scene.lastRow - 1; row += 3) {
        for (let column = scene.firstColumn + 1; column < scene.lastColumn - 1; column += 3) {
          const { x, y, width } = layouts.boxOf(scene, { row, column });
          const middle = { x: x + width / 2, y: y + width / 2 };
          assert.deepEqual(layouts.cellAt(scene, middle), { row, column });
          assert.deepEqual(layouts.cellAt(scene, { ...middle, x: 5 }), { row });
          assert.deepEqual(layouts.cellAt(scene, { ...middle, y: 5 }), { column });
        }
      }
      assert.equal(layouts.cellAt(scene, { x: 5, y: 5 }), null);
      assert.equal(layouts.cellAt(scene, { x: 400, y: 599 }), null);
    }
  });

  it('zooms around a point, up to cells with numbers, and scrolls within the matrix', () => {
    const layout = layOut(512, 512, { width: 700, height: 700, ratio: 1 });
    const point = { x: 400, y: 300 };
    const under = (view) => layouts.cellAt(layouts.arrange(layout, view), point);
    let view = layouts.zoomAt(layout, whole, 8, point);
    const before = under(view);
    for (let i = 0; i < 6; i++) {
      view = layouts.zoomAt(layout, view, 1.3, point);
      const now = under(view);
      assert.ok(Math.abs(now.row - before.row) <= 1 && Math.abs(now.column - before.column) <= 1);
    }
    view = layouts.zoomAt(layout, view, 1000, point);
    const largest = layouts.arrange(layout, view).cell;
    assert.ok(largest >= 34 && largest <= layouts.maxCell, `cells of ${largest}`);
    const far = layouts.clampView(layout, { ...view, x: 1e6, y: -5 });
    const scene = layouts.arrange(layout, far);
    assert.equal(scene.lastColumn, 512);
    assert.equal(scene.firstRow, 0);
    assert.deepEqual(layouts.zoomAt(layout, view, 1e-6, point), whole);
    const shown = layouts.reveal(layout, far, { row: 400, column: 3 });
    const { x, y } = layouts.boxOf(layouts.arrange(layout, shown), { row: 400, column: 3 });
    assert.deepEqual(
      Object.keys(layouts.cellAt(layouts.arrange(layout, shown), { x: x + 5, y: y + 5 })),
      ['row', 'column'],
    );
  });
});

describe('keys', () => {
  it('move from cell to cell within the matrix', () => {
    const extent = { rows: 10, columns: 20, page: 4 };
    const from = { row: 5, column: 6 };
    const to = (key, modifiers = {}, start = from) => {
      const { row, column } = keyTarget({ key, ...modifiers }, start, extent);
      return [row, column];
    };
    assert.deepEqual(to('ArrowLeft'), [5, 5]);
    assert.deepEqual(to('ArrowRight'), [5, 7]);
    assert.deepEqual(to('ArrowUp'), [4, 6]);
    assert.deepEqual(to('ArrowDown'), [6, 6]);
    assert.deepEqual(to('PageDown'), [9, 6]);
    assert.deepEqual(to('PageUp'), [1, 6]);
    assert.deepEqual(to('Home'), [5, 0]);
    assert.deepEqual(to('End'), [5, 19]);
    assert.deepEqual(to('Home', { ctrlKey: true }), [0, 0]);
    assert.deepEqual(to('End', { metaKey: true }), [9, 19]);
    assert.deepEqual(to('ArrowDown', { ctrlKey: true }), [9, 6]);
    assert.deepEqual(to('ArrowUp', {}, { row: 0, column: 0 }), [0, 0]);
    assert.equal(keyTarget({ key: 'a' }, from, extent), null);
    assert.equal(keyTarget({ key: 'toString' }, from, extent), null);
  });

  it('zoom, except with modifiers that zoom the page', () => {
    assert.ok(keyZoom({ key: '+' }) > 1 && keyZoom({ key: '-' }) < 1);
    assert.equal(keyZoom({ key: '0' }), 0);
    assert.equal(keyZoom({ key: '+', ctrlKey: true }), null);
    assert.equal(keyZoom({ key: 'x' }), null);
    assert.equal(keyZoom({ key: 'toString' }), null);
  });
});

describe('the SVG document', () => {
  /** Fails unless every element is closed in order; returns the elements' names. */
  function elementsOf(document) {
    const open = [];
    const names = [];
    for (const [, end, name, rest] of document.matchAll(/<(\/?)([\w]+)((?:[^<>"]|"[^"]*")*)>/g)) {
      if (end) assert.equal(open.pop(), name);
      else {
        names.push(name);
        if (!rest.endsWith('/')) open.push(name);
      }
    }
    assert.deepEqual(open, []);
    assert.doesNotMatch(document, /NaN|undefined|Infinity/);
    return names;
  }

  it('has every cell in its color, every label and the legend', () => {
    const labels = ['Zuko', 'made', 'his <uncle>', '"tea" & more'];
    const weights = { data: randomWeights(4), dims: [4, 4] };
    const document = heatmapSVG({
      weights,
      rowLabels: labels,
      columnLabels: labels,
      rowTitle: 'reads',
      selected: { row: 1, column: 2 },
    });
    const names = elementsOf(document);
    assert.ok(names.includes('linearGradient') && names.includes('title'));
    const matrix = matrixOf({ weights });
    const ramp = createRamp({ colors: 'blues', surface: white });
    weights.data.forEach((value, at) => {
      const fill = ramp.fill[colorIndex(matrix, value, at >> 2)];
      assert.ok(document.includes(`rx="3" fill="${fill}"`), `${at}: ${fill}`);
      assert.ok(document.includes(`>${formatBriefly(value)}</text>`));
    });
    assert.ok(document.includes('>his &lt;uncle&gt;</text>'));
    assert.ok(document.includes('>&quot;tea&quot; &amp; more</text>'));
    assert.ok(document.includes('>reads ↓</text>'));
    assert.ok(document.includes(createTheme(plainThemes.light).row));
    assert.ok(document.includes(`>${formatValue(weights.data[6])}</text>`));
  });

  it('writes right-to-left text, and drops characters that XML forbids', () => {
    const document = heatmapSVG({
      weights: [[1, 0]],
      rowLabels: ['שלום'],
      columnLabels: ['a\u0000b', '\ud800'],
    });
    elementsOf(document);
    assert.match(document, /<text [^>]*direction="rtl"[^>]*>שלום<\/text>/);
    // Right-aligned, because right-to-left text starts there.
    assert.doesNotMatch(document, /text-anchor="[^"]*" direction="rtl"[^>]*>שלום/);
    assert.ok(!document.includes('\u0000'));
    assert.doesNotMatch(document, /[\ud800-\udfff]/u);
    assert.ok(document.includes('a�b'));
  });

  it('has dots or a hatching for masked cells, and explains them', () => {
    const scores = (count) =>
      Array.from({ length: count }, (_, row) =>
        Array.from({ length: count }, (__, column) =>
          column > row ? -Infinity : row - 2 * column,
        ),
      );
    const small = heatmapSVG({ weights: scores(6) });
    assert.equal(elementsOf(small).filter((name) => name === 'circle').length, 15 + 1);
    assert.ok(small.includes('>not seen</text>'));
    const large = heatmapSVG({ weights: scores(100) });
    assert.ok(elementsOf(large).includes('pattern'));
  });

  it('stays small enough to be opened: 512 × 512 as runs of one color', () => {
    const document = heatmapSVG({ weights: { data: randomWeights(512), dims: [512, 512] } });
    elementsOf(document);
    assert.ok(document.length < 3e6, `${document.length} characters`);
    assert.ok(document.length > 1e5, `${document.length} characters`);
  });

  it('can be dark, of any size, and empty', () => {
    const dark = heatmapSVG({ weights: [[1]] }, { dark: true, width: 300, height: 200 });
    assert.match(dark, /^<svg [^>]*width="300" height="200" viewBox="0 0 300 200"/);
    assert.ok(dark.includes('fill="rgb(21, 24, 29)"'));
    elementsOf(heatmapSVG({ weights: [], rowLabels: [], columnLabels: [] }));
    elementsOf(heatmapSVG({ weights: [], rowLabels: ['a'], columnLabels: [] }));
    assert.throws(() => heatmapSVG({ weights: [[1]] }, { depth: 3 }), /no option 'depth'/);
  });
});

describe('in Node', () => {
  it('defineAttentionMap() does nothing', () => {
    assert.equal(defineAttentionMap(), undefined);
  });
});

describe('rare options', () => {
  const rows = [
    [0.25, 0.75],
    [-Infinity, 1],
  ];
  const dims = { weights: { data: Float32Array.of(0.25, 0.75, 0.5, 0.5), dims: [2, 2] } };

  it('are a list of colors, a function, and an empty matrix', () => {
    for (const colors of [['#fff', '#000'], (share) => `rgb(${255 * share}, 0, 0)`]) {
      assert.match(heatmapSVG({ ...dims, colors }), /^<svg/);
    }
    assert.match(heatmapSVG({ weights: [], rowLabels: ['a'] }), /^<svg/);
    assert.match(heatmapSVG({ weights: [], columnLabels: ['a'] }), /^<svg/);
    assert.match(heatmapSVG({ weights: [] }), /^<svg/);
    const before = readHeatmapOptions('heatmap', { ...dims, exponent: 1, label: 'mine' });
    const { exponent, label } = readHeatmapOptions('update', { exponent: null }, before);
    const { exponent: usual } = readHeatmapOptions('heatmap', dims);
    assert.deepEqual([exponent, label], [usual, 'mine']);
  });

  it('are a matrix of signed zeros, and numbers beyond the domain', () => {
    const { low, high } = matrixOf({ weights: [[0, 0]], signed: true });
    assert.deepEqual([low, high], [-1, 1]);
    const ramp = createRamp({ colors: 'blues', surface: white });
    const painted = (options, bin = 1) => {
      return [...rasterOf({ matrix: matrixOf(options), ramp, bin }).pixels];
    };
    const [first, last] = [ramp.packed[0], ramp.packed[255]];
    const flat = { weights: [[-9, 0.001, 9, NaN]], domain: [0, 1], signed: false };
    assert.deepEqual(painted({ ...flat, threshold: 0.01 }), [first, first, last, 0]);
    const unseen = [1, 0, 0, 0];
    assert.deepEqual(painted({ ...flat, threshold: 0.01, unseen }), [0, first, last, 0]);
    assert.equal(matrixOf({ ...flat, unseen }).hasUnseen, true);
    // A pixel of two cells has the value with the larger magnitude.
    const signed = createRamp({ colors: 'blues', surface: white, signed: true });
    const matrix = matrixOf({ weights: [[-1, 0.5]], signed: true });
    assert.deepEqual([...rasterOf({ matrix, ramp: signed, bin: 2 }).pixels], [signed.packed[0]]);
  });

  it('are drawn: titles, a name of the values, scales per row, and masked cells', () => {
    const titles = { rowTitle: 'from', columnTitle: 'to', valueTitle: 'share' };
    const svg = heatmapSVG({ weights: rows, ...titles, domain: 'row', numbers: true });
    for (const text of ['from', 'to →', 'share', 'the row’s most'])
      assert.ok(svg.includes(text), text);
    assert.doesNotMatch(heatmapSVG({ weights: rows, columnTitle: null }), /→/);
    assert.match(heatmapSVG({ weights: rows, valueTitle: '' }), /^<svg/);
    assert.match(heatmapSVG({ weights: rows, rowLabels: null, selected: null }), /^<svg/);
  });

  it('are wide cells, if level labels and numbers need them', () => {
    const words = [
      'elephant',
      'tried',
      'to',
      'get',
      'into',
      'the',
      'car',
      'but',
      'it',
      'was',
      'tired',
    ];
    const weights = words.map((_, row) => words.map((_word, column) => 0.01 * (row + column)));
    const drawn = (options, size = { width: 900, height: 300 }) =>
      heatmapSVG({ weights, rowLabels: words, columnLabels: words, ...options }, size);
    const numbersIn = (svg) => svg.match(/>\.\d\d</g)?.length ?? 0;
    const [square, wide] = [drawn({}), drawn({ cellAspect: 4 })];
    assert.deepEqual([numbersIn(square), /rotate\(-45/.test(square)], [0, true]);
    assert.ok(numbersIn(wide) > 100, `${numbersIn(wide)} numbers`);
    assert.doesNotMatch(wide, /rotate\(-45/);
    // Low cells too: their pixels, and the lines between them.
    const many = Array.from({ length: 30 }, (_, row) =>
      words.map((_word, column) => 0.01 * (row + column)),
    );
    const rowLabels = many.map((_, row) => `row ${row}`);
    const low = heatmapSVG(
      { weights: many, rowLabels, cellAspect: 4 },
      { width: 900, height: 380 },
    );
    const [, across, down] = /scale\(([\d.]+) ([\d.]+)\)/.exec(low) ?? [];
    assert.ok(Number(down) < 14 && Number(across) > 30, `${across} × ${down}`);
    assert.equal(low.match(/>row \d+</g)?.length, 30, 'a label for each');
    // No room for wider cells: they stay square.
    const narrow = { width: 300, height: 900 };
    assert.equal(drawn({ cellAspect: 4 }, narrow), drawn({}, narrow));
    refusedAspect(0.5);
    refusedAspect(11);
  });

  function refusedAspect(cellAspect) {
    const options = { weights: rows, cellAspect };
    assert.throws(() => heatmapSVG(options), /cellAspect must be between 1 and 10/);
  }

  it('are many scales in turn, each the same when it is used again', () => {
    const surfaces = Array.from({ length: 30 }, (_, n) => [255, 255, n]);
    const all = () => surfaces.map((surface) => createRamp({ colors: 'blues', surface }).packed[9]);
    assert.deepEqual(all(), all());
    const bent = (exponent) => {
      const matrix = matrixOf({ weights: [[0, 0.5, 1]], exponent });
      const ramp = createRamp({ colors: 'greys', surface: white });
      return [...rasterOf({ matrix, ramp, bin: 1 }).pixels];
    };
    const exponents = Array.from({ length: 12 }, (_, n) => 0.5 + n / 10);
    assert.deepEqual(exponents.map(bent), exponents.map(bent));
    const usual = colorScale({ surface: '#fff' });
    const named = colorScale({ surface: '#fff', exponent: readHeatmapOptions('x', dims).exponent });
    assert.deepEqual(usual.colorOf(0.3), named.colorOf(0.3));
  });
});
