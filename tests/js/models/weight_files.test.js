// attention-wasm/models: byte ranges read from weight files, the memory they are read into, and errors for invalid files.
// The mock files record requests.
import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { byteRanges } from '../../../web/lib/safetensors/byte_ranges.js';
import { chosenFiles } from '../../../web/lib/models/sources/chosen_files.js';
import { diskFolder, pathWithin } from '../../../web/lib/models/sources/disk_folder.js';
import { directoryHandle } from '../../../web/lib/models/sources/directory_handle.js';
import { readJson } from '../../../web/lib/models/sources/file_text.js';
import { fillFromStream } from '../../../web/lib/models/sources/fill_from_stream.js';
import { readSource } from '../../../web/lib/models/sources/read_source.js';
import { webFolder } from '../../../web/lib/models/sources/web_folder.js';
import { openWeights } from '../../../web/lib/models/weight_files.js';

const sizes = { F32: 4, F16: 2, F64: 8, BF16: 2 };

/** A header for contiguous tensors [name, dtype, dims], and the number of their bytes. */
function headerOf(tensors, pad = 0) {
  let end = 0;
  const entries = tensors.map(([name, dtype, shape]) => {
    const begin = end;
    end += shape.reduce((product, dim) => product * dim, sizes[dtype]);
    return [name, { dtype, shape, data_offsets: [begin, end] }];
  });
  const text = Buffer.from(JSON.stringify(Object.fromEntries(entries)) + ' '.repeat(pad));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return { header: Buffer.concat([length, text]), size: end };
}

/** A FileHandle of such a file; its data is 1, 2, 3, … 255, 0, …, or unset if `large`. */
function handleOf(tensors, { pad, large = false } = {}) {
  const { header, size } = headerOf(tensors, pad);
  const asked = [];
  return {
    asked,
    dataStart: header.length,
    stat: async () => ({ size: header.length + size }),
    async read(bytes, offset, length, position) {
      asked.push({ bytes, at: position - header.length, length });
      for (let n = 0; n < length; n++) {
        const at = position + n;
        if (at < header.length) bytes[offset + n] = header[at];
        else if (large) return { bytesRead: length };
        else bytes[offset + n] = at - header.length + 1;
      }
      return { bytesRead: length };
    },
  };
}

async function opened(tensors, how) {
  const source = handleOf(tensors, how);
  const told = [];
  const weights = await openWeights([{ name: 'w', source }], (progress) => told.push(progress));
  source.asked.length = 0;
  const ranges = () => source.asked.splice(0).map(({ at, length }) => [at, length]);
  return { weights, source, told, ranges };
}

/** The bytes of a tensor in these files. */
const bytesFrom = (at, count) => Array.from({ length: count }, (_, n) => (at + n + 1) % 256);
const bytesIn = ({ data }) => [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)];

describe('tensors of a file', () => {
  const four = [
    ['a', 'F32', [3]],
    ['b', 'F16', [2]],
    ['c', 'F64', [2]],
    ['d', 'F32', [1, 2]],
  ];

  it('are read together if they are adjacent, in any requested order', async () => {
    const { weights, ranges } = await opened(four);
    const offsets = { a: [0, 12], b: [12, 4], c: [16, 16], d: [32, 8] };
    for (const [names, wanted] of [
      ['abcd', [[0, 40]]],
      ['cab', [[0, 32]]],
      [
        'ac',
        [
          [0, 12],
          [16, 16],
        ],
      ],
      [
        'dba',
        [
          [0, 16],
          [32, 8],
        ],
      ],
      ['bb', [[12, 4]]],
    ]) {
      const read = await weights.read(names);
      assert.deepEqual(ranges(), wanted, names);
      for (const [name, tensor] of read)
        assert.deepEqual(bytesIn(tensor), bytesFrom(...offsets[name]), name);
      assert.deepEqual(new Set(read.keys()), new Set(names));
    }
    const { d } = Object.fromEntries(await weights.read(['d']));
    assert.deepEqual([d.dims, d.type, d.data.length], [[1, 2], 'float32', 2]);
  });

  it('may begin at any byte', async () => {
    for (let pad = 0; pad < 8; pad++) {
      const { weights } = await opened([['a', 'F16', [1]], ...four.slice(2)], { pad });
      const read = await weights.read(['a', 'c', 'd']);
      assert.deepEqual(bytesIn(read.get('c')), bytesFrom(2, 16));
      assert.deepEqual([read.get('c').data.length, read.get('d').data.length], [2, 2]);
    }
  });

  it('reuse the memory of earlier reads', async () => {
    const { weights, source } = await opened(four);
    const memory = async (names) => {
      await weights.read(names);
      return source.asked.splice(0).map(({ bytes }) => bytes);
    };
    const [first] = await memory('ad');
    assert.equal(first.buffer.byteLength, 12);
    // Each begins at a multiple of eight: 12 and 8 bytes use 16 and 8.
    const [a, d] = await memory('ad');
    assert.deepEqual(
      [a.buffer === d.buffer, a.buffer.byteLength, a.byteOffset, a.length],
      [true, 24, 0, 12],
    );
    assert.deepEqual([d.byteOffset, d.length], [16, 8]);
    assert.equal((await memory('ad'))[1].buffer, a.buffer);
    assert.equal((await memory('a'))[0].buffer, a.buffer);
    // Aligned tensors are not copied.
    const read = await weights.read('ad');
    assert.deepEqual(
      ['a', 'd'].map((name) => read.get(name).data.buffer === a.buffer),
      [true, true],
    );
    source.asked.length = 0;
    // A larger read allocates new memory, and later reads reuse that size.
    const [whole] = await memory('abcd');
    assert.equal(whole.buffer.byteLength, 40);
    const [again] = await memory('abcd');
    assert.deepEqual([again.buffer.byteLength, again.buffer === whole.buffer], [40, false]);
    assert.equal((await memory('ad'))[0].buffer, again.buffer);
  });

  it('are read in blocks of 32 MiB, and rows in blocks of 4 MiB', async () => {
    const half = 2 ** 22; // numbers of 16 MiB
    const large = [
      ['a', 'F32', [half]],
      ['b', 'F32', [half]],
      ['c', 'F32', [1]],
      ['d', 'F32', [half]],
    ];
    const { weights, ranges } = await opened(large, { large: true });
    await weights.read('abcd');
    assert.deepEqual(ranges(), [
      [0, 2 ** 25],
      [2 ** 25, 4 + 2 ** 24],
    ]);
    for (const [height, width, pieces] of [
      [5, 2 ** 19, [2, 2, 1]],
      [4, 2 ** 19, [2, 2]],
      [3, 2 ** 20, [1, 1, 1]],
      [2, 2 ** 20 + 1, [1, 1]],
      [3, 2 ** 18, [3]],
    ]) {
      const table = await opened(
        [
          ['x', 'F32', [1]],
          ['t', 'F32', [1, height, width]],
        ],
        { large: true },
      );
      const seen = [];
      for await (const { first, tensor } of table.weights.rows('t')) {
        seen.push([first, ...tensor.dims, tensor.data.length]);
      }
      let first = 0;
      const wanted = pieces.map((rows) => [(first += rows) - rows, rows, width, rows * width]);
      assert.deepEqual(seen, wanted);
      assert.deepEqual(
        table.ranges(),
        wanted.map(([row, rows]) => [4 + 4 * row * width, 4 * rows * width]),
      );
      const { length } = seen;
      assert.deepEqual(
        table.told.map(({ loaded }) => loaded),
        wanted.map(([row, rows]) => 4 * (row + rows) * width),
      );
      assert.equal(table.told.length, length);
    }
  });

  it('count once for progress, even if read again', async () => {
    const { weights, told } = await opened(four);
    for (const names of ['ab', 'b', 'd', 'abcd']) await weights.read(names);
    assert.deepEqual(
      told.map(({ loaded }) => loaded),
      [16, 16, 24, 40],
    );
    assert.ok(told.every(({ total, file }) => total === 40 && file === 'w'));
  });

  it('may be in several files', async () => {
    const handles = [
      handleOf([
        ['b', 'F32', [1]],
        ['c', 'F32', [1]],
      ]),
      handleOf([['a', 'F32', [1]]]),
    ];
    const files = handles.map((source, n) => ({ name: `f${n}`, source }));
    const told = [];
    const weights = await openWeights(files, ({ file }) => told.push(file));
    const read = await weights.read('abc');
    assert.deepEqual(
      [[...read.keys()], told],
      [
        ['b', 'c', 'a'],
        ['f0', 'f1'],
      ],
    );
    assert.deepEqual(
      [weights.has('a'), weights.has('x'), [...weights.names]],
      [true, false, ['b', 'c', 'a']],
    );
    const twice = [files[0], { name: 'again', source: handleOf([['c', 'F32', [1]]]) }];
    await assert.rejects(
      openWeights(twice, () => {}),
      /^RangeError: tensor 'c' is in f0 and in again$/,
    );
  });

  it('are not requested after the caller stops', async () => {
    for (const [stopAt, wanted] of [
      ['opening', 0],
      ['reading', 1],
    ]) {
      const stop = new AbortController();
      const source = handleOf(four);
      const { read } = source;
      let count = 0;
      source.read = (...given) => {
        if (count++ >= (stopAt === 'opening' ? 0 : 2)) stop.abort(new Error('enough'));
        return read(...given);
      };
      const loading = openWeights([{ name: 'w', source }], () => assert.fail('told'), stop.signal);
      if (wanted === 0) await assert.rejects(loading, /^Error: enough$/);
      else {
        const weights = await loading;
        await assert.rejects(weights.read('a'), /^Error: enough$/);
        const before = count;
        await assert.rejects(weights.read('b'), /^Error: enough$/);
        assert.equal(count, before);
      }
    }
  });

  it('are streamed into memory of the caller', async () => {
    const { header } = headerOf(four);
    const whole = new Blob([header, Uint8Array.from(bytesFrom(0, 40))]);
    const used = [];
    let cut = 0;
    const slice = (begin, end) => ({
      arrayBuffer() {
        used.push('arrayBuffer');
        return whole.slice(begin, end).arrayBuffer();
      },
      async stream() {
        used.push('stream');
        return whole.slice(begin, end - cut).stream();
      },
    });
    const weights = await openWeights(
      [{ name: 'w', source: { size: whole.size, slice } }],
      () => {},
    );
    used.length = 0;
    for (const way of ['arrayBuffer', 'stream', 'stream']) {
      const read = await weights.read('c');
      assert.deepEqual(bytesIn(read.get('c')), bytesFrom(16, 16));
      assert.deepEqual(used.splice(0), [way]);
    }
    cut = 3;
    await assert.rejects(weights.read('c'), /^RangeError: a file returned 13 bytes, expected 16$/);
  });
});

describe('files without tensors', () => {
  const refused = (bytes, sentence) => {
    const asked = [];
    const slice = (begin, end) => {
      asked.push([begin, end]);
      return new Blob([bytes]).slice(begin, end);
    };
    const source = { size: new Blob([bytes]).size, slice };
    return assert
      .rejects(
        openWeights([{ name: 'w', source }], () => {}),
        sentence,
      )
      .then(() => asked.at(-1));
  };

  it('are recognized by their first 64 bytes, the only ones read', async () => {
    for (const [bytes, sentence] of [
      [
        '<!DOCTYPE html><title>Not found</title>',
        /^RangeError: w is an HTML page, not safetensors$/,
      ],
      ['\ufeff<!doctype html>', /w is an HTML page/],
      ['  \n<html>', /^RangeError: w is an HTML page, not safetensors$/],
      ['<?xml version="1.0"?>', /w is an HTML page/],
      ['version https://git-lfs.github.com/spec/v1', /w is a Git LFS pointer/],
      ['PK\u0003\u0004 and so on', /w is a PyTorch pickle/],
      [Uint8Array.of(0x80, 2, 0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46, 0xf9), /w is a PyTorch pickle/],
      ['x<html>', /^RangeError: w: not a valid safetensors file: /],
      ['', /^RangeError: w: not a valid safetensors file: it has 0 bytes/],
    ]) {
      const size = new Blob([bytes]).size;
      assert.deepEqual(await refused(bytes, sentence), [0, size]);
    }
    assert.deepEqual(await refused(`<html>${' '.repeat(200)}`, /HTML/), [0, 64]);
    // Only the first 64 bytes are examined.
    await refused(`${' '.repeat(64)}<html>`, /not a valid safetensors file/);
    await refused(`${' '.repeat(58)}<html>`, /HTML/);
  });

  it('may be objects that are not files', () =>
    assert.rejects(
      openWeights([{ name: 'w', source: 5 }], () => {}),
      /^TypeError: source must be a File/,
    ));
});

describe('ranges of bytes', () => {
  it('are read completely, in blocks that Node.js accepts', async () => {
    const size = 2 ** 30 + 5;
    const asked = [];
    const read = async (bytes, offset, length, position) => {
      asked.push([offset, length, position]);
      return { bytesRead: Math.min(length, 2 ** 29) };
    };
    const file = await byteRanges({ read, stat: async () => ({ size }) });
    assert.equal((await file.read(3, 3 + size)).length, size);
    assert.deepEqual(asked, [
      [0, 2 ** 30, 3],
      [2 ** 29, 2 ** 29 + 5, 2 ** 29 + 3],
      [2 ** 30, 5, 2 ** 30 + 3],
    ]);
    const into = new Uint8Array(4);
    assert.equal(await file.read(0, 4, into), into);
  });

  it('are refused if the file was truncated', async () => {
    const handle = { read: async () => ({ bytesRead: 0 }), stat: async () => ({ size: 9 }) };
    const blob = { size: 9, slice: () => new Blob(['abc']) };
    for (const [source, count] of [
      [handle, 0],
      [blob, 3],
    ]) {
      const file = await byteRanges(source);
      await assert.rejects(file.read(2, 6), {
        name: 'RangeError',
        message: new RegExp(`^reading bytes 2 to 6 of the file returned ${count} bytes: `),
      });
    }
  });

  it('are read from Blobs and handles, not from similar objects', async () => {
    const nothing = () => {};
    for (const source of [
      null,
      5,
      'a',
      {},
      { size: 4 },
      { slice: nothing },
      { size: 0.5, slice: nothing },
      { read: nothing },
      { stat: nothing },
      nothing,
    ]) {
      await assert.rejects(
        byteRanges(source),
        /^TypeError: source must be a File, a Blob or a FileHandle/,
      );
    }
  });
});

/** Names that lead out of the folder https://models.test/a/ or another one, in several spellings. */
const elsewhere = [
  '\\\\other.test\\steal',
  '//other.test/steal',
  ' https://other.test/steal',
  '\thttps://other.test/steal',
  'ht\ntps://other.test/steal',
  'https://models.test.other.test/a/x',
  'http://models.test/a/x',
  '%2e%2e/secret',
  '.%2E/secret',
  '..\\secret',
  'b/../../secret',
  '\\secret',
  '\n/secret',
];

/** Mocks a server during a call, and returns its requests: [method, path, range]. */
async function withServer(answer, use, address = 'https://models.test/bert') {
  const { fetch } = globalThis;
  const asked = [];
  globalThis.fetch = async (url, { method = 'GET', headers } = {}) => {
    asked.push([method, `${url.pathname}${url.search}`, headers?.range]);
    return answer(asked.at(-1));
  };
  try {
    return await use(webFolder(address), asked);
  } finally {
    globalThis.fetch = fetch;
  }
}

describe('files of a server', () => {
  const size = 300_000;
  const bytes = Uint8Array.from({ length: size }, (_, n) => n % 251);
  const partial = (range, total = size) => {
    const [first, last] = range.match(/\d+/g).map(Number);
    const headers = { 'content-range': `bytes ${first}-${last}/${total}` };
    return new Response(bytes.slice(first, last + 1), { status: 206, headers });
  };

  it('are requested first for 256 KiB, then for missing ranges', () =>
    withServer(
      ([, , range]) => partial(range),
      async (folder, asked) => {
        const file = await folder.bytes('w');
        assert.equal(file.size, size);
        assert.deepEqual(asked.splice(0), [['GET', '/bert/w', 'bytes=0-262143']]);
        const read = async (begin, end) => {
          const part = file.slice(begin, end);
          assert.deepEqual(new Uint8Array(await part.arrayBuffer()), bytes.slice(begin, end));
          if (part.stream && begin < end) {
            const { value } = await (await part.stream()).getReader().read();
            assert.equal(value[0], bytes[begin]);
          }
          return asked.splice(0).map(([, , range]) => range);
        };
        assert.deepEqual(await read(0, 8), []);
        assert.deepEqual(await read(100, 262_144), []);
        assert.deepEqual(await read(size, size), []);
        const asks = ['bytes=262143-262144', 'bytes=262143-262144'];
        assert.deepEqual(await read(262_143, 262_145), asks);
      },
    ));

  it('are read whole without range support, and may be missing', () =>
    withServer(
      ([, path]) =>
        new Response(path.endsWith('w') ? bytes : 'none', {
          status: path.endsWith('w') ? 200 : 404,
        }),
      async (folder) => {
        assert.equal((await folder.bytes('w')).size, size);
        assert.equal(await folder.bytes('x'), undefined);
        assert.equal(await folder.text('x'), undefined);
      },
    ));

  it('that are missing free the connection', async () => {
    for (const status of [404, 410]) {
      const answer = new Response('a page', { status });
      await withServer(
        () => answer,
        (folder) => folder.text('config.json'),
      );
      assert.equal(answer.bodyUsed, true);
    }
    for (const status of [403, 405, 411, 500]) {
      const asking = withServer(
        () => new Response('', { status }),
        (folder) => folder.text('a'),
      );
      await assert.rejects(asking, new RegExp(`/bert/a returned status ${status}$`));
    }
  });

  it('may fail, or be aborted during a response', async () => {
    const failing = () => Promise.reject(new TypeError('no network'));
    const reading = withServer(failing, (folder) => folder.text('a'));
    await assert.rejects(reading, /\/bert\/a could not be fetched: no network$/);
    const stop = new AbortController();
    const { fetch } = globalThis;
    globalThis.fetch = async () => {
      stop.abort(new Error('enough'));
      throw new TypeError('aborted');
    };
    try {
      const folder = webFolder('https://models.test/bert/', stop.signal);
      await assert.rejects(folder.text('a'), /^Error: enough$/);
    } finally {
      globalThis.fetch = fetch;
    }
  });

  it('have their length in Content-Range or Content-Length', async () => {
    const sizeOf = (total, head) =>
      withServer(
        ([method, , range]) => (method === 'HEAD' ? head : partial(range, total)),
        async (folder) => (await folder.bytes('w')).size,
      );
    const length = (count, status = 200) =>
      new Response(null, { status, headers: { 'content-length': count } });
    assert.equal(await sizeOf(size), size);
    assert.equal(await sizeOf('*', length(size)), size);
    await assert.rejects(sizeOf('9'.repeat(20)), /\/bert\/w has a length of 1\d+ bytes/);
    await assert.rejects(sizeOf('*', length('9'.repeat(20))), /\/bert\/w has a length of/);
    for (const head of [length('0'), length('9', 404), new Response(null)]) {
      await assert.rejects(sizeOf('*', head), /\/bert\/w has no content-length$/);
    }
  });

  it('are refused if later responses are not ranges', () =>
    withServer(
      ([, , range]) => (range.startsWith('bytes=0-') ? partial(range) : new Response(bytes)),
      async (folder) => {
        const file = await folder.bytes('w');
        const sentence = /\/bert\/w stopped supporting range requests \(bytes 280000 to 280004\)$/;
        await assert.rejects(file.slice(280_000, 280_004).arrayBuffer(), sentence);
        await assert.rejects(file.slice(280_000, 280_004).stream(), sentence);
      },
    ));

  it('are refused if a response is another range', async () => {
    const answers = {
      'another begin': { 'content-range': `bytes 280004-280007/${size}` },
      'another end': { 'content-range': `bytes 280000-280004/${size}` },
      'another size': { 'content-range': `bytes 280000-280003/${size + 1}` },
      'another tag': { etag: '"b"' },
      'another date': { 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' },
    };
    const first = { etag: '"a"', 'last-modified': 'Sun, 31 Dec 2023 00:00:00 GMT' };
    const read = (headers) =>
      withServer(
        ([, , range]) => {
          const answer = partial(range);
          const given = range.startsWith('bytes=0-') ? first : headers;
          for (const [name, value] of Object.entries(given)) answer.headers.set(name, value);
          return answer;
        },
        async (folder) => {
          const file = await folder.bytes('w');
          const part = file.slice(280_000, 280_004);
          const bytes = new Uint8Array(await part.arrayBuffer());
          await part.stream();
          return bytes;
        },
      );
    for (const [what, headers] of Object.entries(answers)) {
      await assert.rejects(read(headers), { name: 'Error', message: /\/bert\/w / }, what);
    }
    // Hidden or missing headers have no effect.
    const want = bytes.slice(280_000, 280_004);
    for (const headers of [{}, first, { etag: first.etag }, { 'content-range': '' }]) {
      assert.deepEqual(await read(headers), want);
    }
  });

  it('are refused if the first response is another range', async () => {
    const open = (range, count, head) =>
      withServer(
        ([method]) =>
          method === 'HEAD'
            ? head
            : new Response(bytes.slice(0, count), {
                status: 206,
                headers: { 'content-range': `bytes ${range}`, etag: '"a"' },
              }),
        (folder) => folder.bytes('w'),
      );
    assert.equal((await open('0-99/300', 100)).size, 300);
    for (const [range, count] of [
      ['4-103/300', 100],
      ['0-99/300', 101],
      ['0-99/50', 100],
    ]) {
      await assert.rejects(
        open(range, count),
        { message: /bert\/w returned content-range bytes/ },
        range,
      );
    }
    const head = new Response(null, { headers: { 'content-length': 300, etag: '"b"' } });
    await assert.rejects(open('0-99/*', 100, head), /changed while it was read/);
  });

  it('are requested with a Range header only', async () => {
    const { fetch } = globalThis;
    const named = new Set();
    globalThis.fetch = async (url, { headers = {} } = {}) => {
      for (const name of Object.keys(headers)) named.add(name);
      return partial(headers.range ?? 'bytes=0-1');
    };
    try {
      const file = await webFolder('https://models.test/').bytes('w');
      await file.slice(280_000, 280_004).arrayBuffer();
    } finally {
      globalThis.fetch = fetch;
    }
    assert.deepEqual([...named], ['range']); // any other costs a question of its own at another origin
  });

  it('are requested from this folder only', () =>
    withServer(
      () => new Response('{}'),
      async (folder, asked) => {
        for (const name of [...elsewhere, 'a?b', 'a#b', 'a?', 'a#']) {
          for (const read of [folder.text, folder.bytes]) {
            await assert.rejects(async () => read(name), RangeError, name);
          }
        }
        assert.deepEqual(asked, []);
        await folder.text('b/c.json');
        assert.deepEqual(asked, [['GET', '/a/b/c.json?key=1', undefined]]);
      },
      'https://models.test/a?key=1',
    ));

  it('are below the address, with its query', async () => {
    for (const [address, path] of [
      ['https://models.test/a/b', '/a/b/c.json'],
      ['https://models.test/a/b/', '/a/b/c.json'],
      ['https://models.test/a?key=1#x', '/a/c.json?key=1'],
    ]) {
      await withServer(
        () => new Response('{}'),
        async (folder, asked) => {
          assert.equal(await folder.text('c.json'), '{}');
          assert.equal(asked[0][1], path);
        },
        address,
      );
    }
  });
});

describe('folders of files', () => {
  const file = (path, content = path) =>
    Object.defineProperty(new File([content], path.split('/').at(-1)), 'webkitRelativePath', {
      value: path,
    });

  it('are the common folder of all files', async () => {
    const textOf = (files, name) => chosenFiles(files).text(name);
    assert.equal(await textOf([new File(['x'], 'a')], 'a'), 'x');
    assert.equal(await textOf([file('m/a'), file('m/b/c')], 'b/c'), 'm/b/c');
    assert.equal(await textOf([file('m/a'), file('mm/b')], 'm/a'), 'm/a');
    assert.equal(await textOf([file('m/a'), new File(['y'], 'b')], 'b'), 'y');
    assert.equal(await textOf([file('m/a')], 'm/a'), undefined);
    const chosen = chosenFiles([file('m/a'), file('m/b')]);
    assert.equal(chosen.location, 'the 2 selected files');
    assert.equal((await chosen.bytes('b')).name, 'b');
  });

  it('may be in a subfolder of a picked folder', async () => {
    const inner = { getFileHandle: async (name) => ({ getFile: async () => file(`x/${name}`) }) };
    const outer = { name: 'm', getDirectoryHandle: async (name) => ({ x: inner })[name] };
    const folder = directoryHandle(outer);
    assert.equal(await folder.text('x/a'), 'x/a');
    assert.equal((await folder.bytes('x/a')).name, 'a');
    assert.equal(folder.location, "the folder 'm'");
  });

  it('return undefined for a missing file, and report other failures', async () => {
    const failing = (name) =>
      directoryHandle({
        getFileHandle: async () => Promise.reject(Object.assign(new Error(name), { name })),
      });
    assert.equal(await failing('NotFoundError').text('a'), undefined);
    assert.equal(await failing('TypeMismatchError').bytes('a'), undefined);
    await assert.rejects(failing('NotAllowedError').text('a'), /NotAllowedError/);
    const folder = diskFolder(fileURLToPath(new URL('..', import.meta.url)));
    assert.equal(await folder.text('nothing.json'), undefined);
    assert.equal(await folder.text('models/generate.test.js/config.json'), undefined);
    for (const read of [folder.text, folder.bytes]) {
      await assert.rejects(async () => read('models'), /models is a folder/);
    }
    await folder.close();
  });

  it('may stream too few or too many bytes', async () => {
    const filled = async (...parts) => [
      ...(await fillFromStream(ReadableStream.from(parts), new Uint8Array(3))),
    ];
    assert.deepEqual(await filled(Uint8Array.of(1, 2), Uint8Array.of(3)), [1, 2, 3]);
    assert.deepEqual(await filled(Uint8Array.of(1, 2)), [1, 2]);
    await assert.rejects(filled(Uint8Array.of(1, 2), Uint8Array.of(3, 4)), /more bytes/);
  });

  it('on a disk have no files outside', () => {
    for (const [folder, name, paths, path] of [
      ['/m', 'a/b', posix, '/m/a/b'],
      ['/m', '..a', posix, '/m/..a'],
      ['/m/', 'a', posix, '/m/a'],
      ['/', 'a', posix, '/a'],
      ['/m', '../a', posix],
      ['/m', 'a/../../n', posix],
      ['/m', '/n', posix],
      ['/m', '/mm', posix],
      ['C:\\m', 'a\\b', win32, 'C:\\m\\a\\b'],
      ['C:\\m', '..\\a', win32],
      ['C:\\m', '..\\..\\a', win32],
      ['C:\\m', '\\a', win32],
      ['C:\\m', 'D:\\m\\a', win32],
      ['C:\\m', '\\\\host\\share\\a', win32],
    ]) {
      const within = () => pathWithin(folder, name, paths);
      if (path) assert.equal(within(), path);
      else assert.throws(within, RangeError, name);
    }
  });

  it('may have JSON, an error page of the server, or no config', async () => {
    const folder = (text) => ({ location: 'there', text: async () => text });
    const read = (text, optional) => readJson(folder(text), 'a.json', optional && { optional });
    assert.deepEqual(await read('{"a":1}'), { a: 1 });
    assert.equal(await read(undefined, true), undefined);
    assert.equal(await read(' <HTML>', true), undefined);
    await assert.rejects(read(undefined), /^Error: missing file a\.json of there$/);
    await assert.rejects(
      read('<!doctype html>'),
      /^RangeError: a\.json of there is an HTML page, not JSON$/,
    );
    for (const optional of [true, false]) {
      await assert.rejects(read('{', optional), /^RangeError: a\.json of there is not JSON: /);
    }
  });

  it('are closed if they have no model', async () => {
    let closed = 0;
    const folder = (files) => ({
      location: 'there',
      text: async (name) => files[name],
      bytes: async (name) => files[name],
      close: async () => void closed++,
    });
    const open = (files) => readSource('x', { openAddress: () => folder(files), report: () => {} });
    await assert.rejects(open({}), /missing file config\.json of there/);
    await assert.rejects(open({ 'config.json': '{}' }), /missing model\.safetensors .*of there/);
    assert.equal(closed, 2);
    const bytes = writeSafetensors({ a: { data: Float32Array.of(1), dims: [1] } });
    const found = await open({ 'config.json': '{"b":2}', 'model.safetensors': new Blob([bytes]) });
    assert.deepEqual([found.config, found.weights.has('a'), closed], [{ b: 2 }, true, 2]);
    await found.close();
    assert.equal(closed, 3);
  });

  it('have an index that names their shards', async () => {
    const one = (name) =>
      new Blob([writeSafetensors({ [name]: { data: Float32Array.of(1), dims: [1] } })]);
    const open = (index, files) =>
      readSource('x', {
        openAddress: () => ({
          location: 'there',
          text: async (name) =>
            ({ 'config.json': '{}', 'model.safetensors.index.json': JSON.stringify(index) })[name],
          bytes: async (name) => files[name],
        }),
        report: () => {},
      });
    const map = { x: 'b.safetensors', y: 'a/c.safetensors', z: 'b.safetensors' };
    const { weights } = await open(
      { weight_map: map },
      { 'b.safetensors': one('x'), 'a/c.safetensors': one('y') },
    );
    assert.deepEqual([...weights.names], ['y', 'x']);
    const controls = ['a\u0000', 'a\u007f', 'a\u0085b', 'a\n', 'C:a'];
    const odd = ['', 'a//b', 'a/', ' a', 'a /b', 'a%20b', 'a?b', 'a#b', ...controls];
    const above = ['../a', 'a/../b', '/a', 'https://a', 'a/..', './a', 7, null];
    for (const place of [...above, ...odd, ...elsewhere]) {
      await assert.rejects(
        open({ weight_map: { x: place } }, {}),
        /must name its files in 'weight_map'/,
        `${place}`,
      );
    }
    for (const index of [null, {}, { weight_map: null }, { weight_map: {} }, []]) {
      await assert.rejects(open(index, {}), /must name its files in 'weight_map'/);
    }
    await assert.rejects(
      open({ weight_map: map }, {}),
      /missing shard a\/c\.safetensors of there, which its index lists/,
    );
  });
});
