// Writes ONNX models as bytes: the few messages of onnx.proto that a small graph needs, in protobuf's wire
// format (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto). Constants have the type of their array, inputs are
// float32 unless they name another type.

const encoder = new TextEncoder();
const [VARINT, BYTES, FIXED32] = [0, 2, 5];

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}

function join(parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const key = (field, type) => varint((field << 3) | type);
const integer = (field, value) => join([key(field, VARINT), varint(value)]);
const bytes = (field, content) => join([key(field, BYTES), varint(content.length), content]);
const string = (field, value) => bytes(field, encoder.encode(value));
const float = (field, value) =>
  join([key(field, FIXED32), new Uint8Array(Float32Array.of(value).buffer)]);
const message = (field, ...parts) => bytes(field, join(parts));

const elementTypes = { Float32Array: 1, Uint8Array: 2, Int8Array: 3, BigInt64Array: 7 };

const tensorFields = ({ data, dims }, name = '') => [
  ...dims.map((dim) => integer(1, dim)),
  integer(2, elementTypes[data.constructor.name]),
  string(8, name),
  bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
];

const attributeTypes = { float: 1, integer: 2, tensor: 4, integers: 7 };

/** An attribute is { float }, { integer }, { integers } or { tensor: { data, dims } }. */
function attribute([name, value]) {
  const [[type, content]] = Object.entries(value);
  const fields = {
    float: () => [float(2, content)],
    integer: () => [integer(3, content)],
    tensor: () => [message(5, ...tensorFields(content))],
    integers: () => content.map((item) => integer(8, item)),
  };
  return message(5, string(1, name), ...fields[type](), integer(20, attributeTypes[type]));
}

function node([type, inputs, outputs, attributes = {}]) {
  const [domain, name] = type.includes('/') ? type.split('/') : ['', type];
  return message(
    1,
    ...inputs.map((input) => string(1, input)),
    ...outputs.map((output) => string(2, output)),
    string(4, name),
    ...Object.entries(attributes).map(attribute),
    string(7, domain),
  );
}

const valueTypes = { float32: 1, int64: 7, bool: 9 };

function valueInfo(field, [name, value]) {
  const { type = 'float32', dims = value } = value;
  const size = (dim) => (typeof dim === 'string' ? string(2, dim) : integer(1, dim));
  const shape = message(2, ...dims.map((dim) => message(1, size(dim))));
  const tensor = message(1, integer(1, valueTypes[type]), shape);
  return message(field, string(1, name), message(2, tensor));
}

/** A constant of int64, as the shapes that Reshape wants. */
export const shapeConstant = (...dims) => ({
  data: BigInt64Array.from(dims, BigInt),
  dims: [dims.length],
});

/**
 * @param {object} graph
 * @param {Record<string, (number | string)[] | { type: string, dims: number[] }>} graph.inputs dims by name; a dim that
 *   differs from run to run is a word
 * @param {Record<string, (number | string)[]>} graph.outputs likewise
 * @param {Record<string, { data: Float32Array | Int8Array | BigInt64Array, dims: number[] }>} [graph.constants]
 * @param {[type: string, inputs: string[], outputs: string[], attributes?: object][]} graph.nodes
 *   in the order of computing; a type of another domain is written domain/Type
 * @param {number} [graph.opset] of the operators without a domain
 * @returns {Uint8Array} the model, which may also have operators of com.microsoft
 */
export function onnxModel({ inputs, outputs, constants = {}, nodes, opset = 23 }) {
  return join([
    integer(1, 10),
    message(
      7,
      ...nodes.map(node),
      string(2, 'bench'),
      ...Object.entries(constants).map(([name, tensor]) =>
        message(5, ...tensorFields(tensor, name)),
      ),
      ...Object.entries(inputs).map((entry) => valueInfo(11, entry)),
      ...Object.entries(outputs).map((entry) => valueInfo(12, entry)),
    ),
    message(8, string(1, ''), integer(2, opset)),
    message(8, string(1, 'com.microsoft'), integer(2, 1)),
  ]);
}
