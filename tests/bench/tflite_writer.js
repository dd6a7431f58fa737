// Writes TensorFlow Lite models as bytes, with the package flatbuffers: the tables of its schema that a small graph needs
// (https://github.com/tensorflow/tensorflow/blob/master/tensorflow/compiler/mlir/lite/schema/schema.fbs). All tensors are
// float32 but the constants of int32.

import { Builder } from 'flatbuffers';

const fileIdentifier = 'TFL3';
const schemaVersion = 3;
const elementTypes = { Float32Array: 0, Int32Array: 2 };

/** Writers of fields: [slot, value] → a call of the builder. Defaults are null, so that every field is written. */
const int8 = (slot, value) => (builder) => builder.addFieldInt8(slot, value, null);
const int32 = (slot, value) => (builder) => builder.addFieldInt32(slot, value, null);
const float32 = (slot, value) => (builder) => builder.addFieldFloat32(slot, value, null);
const offset = (slot, value) => (builder) => builder.addFieldOffset(slot, value, 0);

function table(builder, fields) {
  builder.startObject(16);
  for (const write of fields) write(builder);
  return builder.endObject();
}

function offsets(builder, list) {
  builder.startVector(4, list.length, 4);
  for (const one of [...list].reverse()) builder.addOffset(one);
  return builder.endVector();
}

function integers(builder, list) {
  builder.startVector(4, list.length, 4);
  for (const one of [...list].reverse()) builder.addInt32(one);
  return builder.endVector();
}

/** Code of each operator, and type and fields of its options. */
const operators = {
  ADD: { code: 0, type: 11 },
  BATCH_MATMUL: {
    code: 126,
    type: 101,
    options: ({ turned = false }) => [int8(0, 0), int8(1, turned ? 1 : 0)],
  },
  FULLY_CONNECTED: { code: 9, type: 8 },
  MUL: { code: 18, type: 21 },
  RESHAPE: { code: 22, type: 17 },
  SOFTMAX: { code: 25, type: 9, options: () => [float32(0, 1)] },
  TRANSPOSE: { code: 39, type: 26 },
};

function bufferOf(builder, data) {
  if (!data) return table(builder, []);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  builder.prep(16, bytes.length); // the schema's alignment
  return table(builder, [offset(0, builder.createByteVector(bytes))]);
}

/**
 * @param {object} graph
 * @param {Record<string, number[]>} graph.inputs dims by name
 * @param {string[]} graph.outputs
 * @param {Record<string, { data: Float32Array | Int32Array, dims: number[] }>} [graph.constants]
 * @param {[type: string, inputs: string[], output: string, dims: number[], options?: object][]} graph.nodes in the order
 *   of computing, each with the dims of its output
 * @returns {Uint8Array} the model
 */
export function tfliteModel({ inputs, outputs, constants = {}, nodes }) {
  const builder = new Builder(1024);
  const types = [...new Set(nodes.map(([type]) => type))];
  const tensors = new Map([
    ...Object.entries(inputs).map(([name, dims]) => [name, { dims }]),
    ...Object.entries(constants),
    ...nodes.map(([, , name, dims]) => [name, { dims }]),
  ]);
  const names = [...tensors.keys()];
  const indices = (list) =>
    integers(
      builder,
      list.map((name) => names.indexOf(name)),
    );

  const buffers = [bufferOf(builder)]; // the first one is empty, for tensors without data
  const tensorTables = names.map((name) => {
    const { dims, data } = tensors.get(name);
    const index = data ? buffers.push(bufferOf(builder, data)) - 1 : 0;
    const shape = integers(builder, dims);
    const label = builder.createString(name);
    const type = elementTypes[data?.constructor.name ?? 'Float32Array'];
    return table(builder, [offset(0, shape), int8(1, type), int32(2, index), offset(3, label)]);
  });
  const operatorTables = nodes.map(([type, from, to, , settings = {}]) => {
    const { type: optionsType, options = () => [] } = operators[type];
    const [ins, outs] = [indices(from), indices([to])];
    return table(builder, [
      int32(0, types.indexOf(type)),
      ...[offset(1, ins), offset(2, outs)],
      int8(3, optionsType),
      offset(4, table(builder, options(settings))),
    ]);
  });
  const subgraph = table(builder, [
    offset(0, offsets(builder, tensorTables)),
    offset(1, indices(Object.keys(inputs))),
    offset(2, indices(outputs)),
    offset(3, offsets(builder, operatorTables)),
  ]);
  const codes = types.map((type) =>
    table(builder, [
      int8(0, Math.min(operators[type].code, 127)),
      int32(2, 1),
      int32(3, operators[type].code),
    ]),
  );
  const model = table(builder, [
    int32(0, schemaVersion),
    offset(1, offsets(builder, codes)),
    offset(2, offsets(builder, [subgraph])),
    offset(4, offsets(builder, buffers)),
  ]);
  builder.finish(model, fileIdentifier);
  return builder.asUint8Array();
}
