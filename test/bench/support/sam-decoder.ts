import { buildModel, type GraphNode, type Weights } from '../../support/onnx/build-model.ts';
import { createRandom } from '../../support/random.ts';

const width = 256;
const heads = 8;
const places = 64 * 64;

/** Writes a graph line by line; each call returns the name of its output. */
function createGraph() {
  const nodes: GraphNode[] = [];
  const weights: Weights[] = [];
  const random = createRandom(1);
  let count = 0;
  const name = (what: string): string => `${what}${(count += 1)}`;
  const put = (dims: readonly number[], values: Float32Array | BigInt64Array): string => {
    const own = name('w');
    weights.push({ name: own, dims, values });
    return own;
  };
  return {
    nodes,
    weights,
    op(operator: string, inputs: readonly string[], attributes: GraphNode['attributes'] = {}): string {
      const own = name('v');
      nodes.push({ operator, inputs, outputs: [own], attributes });
      return own;
    },
    random: (...dims: readonly number[]): string => {
      const size = dims.reduce((product, one) => product * one, 1);
      const scale = 2 / Math.sqrt(dims[0] ?? 1);
      return put(
        dims,
        Float32Array.from({ length: size }, () => (random() - 0.5) * scale),
      );
    },
    float: (dims: readonly number[], ...values: readonly number[]): string => put(dims, Float32Array.from(values)),
    whole: (...values: readonly number[]): string => put([values.length], BigInt64Array.from(values, BigInt)),
    table: put,
  };
}

export function samDecoder(): Buffer {
  const graph = createGraph();
  const { op, random, float, whole } = graph;
  const add = (a: string, b: string) => op('Add', [a, b]);
  const linear = (x: string, from: number, to: number) => add(op('MatMul', [x, random(from, to)]), random(to));
  const reshape = (x: string, ...dims: readonly number[]) => op('Reshape', [x, whole(...dims)]);
  const turn = (x: string, ...perm: readonly number[]) => op('Transpose', [x], { perm });
  const two = float([], 2);

  function normal(x: string, axis: number, size: number): string {
    const attributes = { axes: [axis], keepdims: 1 };
    const rest = op('Sub', [x, op('ReduceMean', [x], attributes)]);
    const spread = op('ReduceMean', [op('Pow', [rest, two])], attributes);
    const unit = op('Div', [rest, op('Sqrt', [add(spread, float([], 1e-6))])]);
    const shape = axis === 1 ? [size, 1, 1] : [size];
    return add(op('Mul', [unit, random(...shape)]), random(...shape));
  }
  function gelu(x: string): string {
    const erf = op('Erf', [op('Div', [x, float([], Math.SQRT2)])]);
    return op('Mul', [op('Mul', [x, add(erf, float([], 1))]), float([], 0.5)]);
  }
  function attention(query: string, key: string, value: string, inner: number): string {
    const split = (x: string, ...perm: readonly number[]) =>
      turn(reshape(linear(x, width, inner), 1, -1, heads, inner / heads), ...perm);
    const scores = op('MatMul', [split(query, 0, 2, 1, 3), split(key, 0, 2, 3, 1)]);
    const shares = op('Softmax', [op('Div', [scores, float([], Math.sqrt(inner / heads))])], { axis: 3 });
    const mixed = turn(op('MatMul', [shares, split(value, 0, 2, 1, 3)]), 0, 2, 1, 3);
    return linear(reshape(mixed, 1, -1, inner), inner, width);
  }
  const perceptron = (x: string, ...sizes: readonly number[]): string =>
    sizes.slice(1).reduce((now, size, at) => {
      const next = linear(now, sizes[at] ?? 0, size);
      return at < sizes.length - 2 ? op('Relu', [next]) : next;
    }, x);

  // Points: their positions as sines and cosines, and the embeddings of their labels.
  const shared = op('Sub', [op('Div', [add('point_coords', float([], 0.5)), float([], 512)]), float([], 1)]);
  const waves = op('Mul', [op('MatMul', [shared, random(2, width / 2)]), float([], 2 * Math.PI)]);
  const placed = op('Concat', [op('Sin', [waves]), op('Cos', [waves])], { axis: 2 });
  const said = op('Mul', [op('Unsqueeze', ['point_labels', whole(2)]), random(1, 1, width)]);
  const first = op('Concat', [random(1, 5, width), add(placed, said)], { axis: 1 });

  // The previous mask, which is an input even if there is none.
  let before = 'mask_input';
  for (const [from, to] of [
    [1, 4],
    [4, 16],
  ] as const) {
    before = op('Conv', [before, random(to, from, 2, 2)], { kernel_shape: [2, 2], strides: [2, 2] });
    before = gelu(normal(before, 1, to));
  }
  const dense = op('Mul', [op('Conv', [before, random(width, 16, 1, 1)]), 'has_mask_input']);
  const noMask = op('Mul', [random(1, width, 1, 1), op('Sub', [float([], 1), 'has_mask_input'])]);
  const picture = add('image_embeddings', add(dense, noMask));
  let source = turn(reshape(picture, 1, width, places), 0, 2, 1);
  const position = random(1, places, width);

  let tokens = first;
  for (let layer = 0; layer < 2; layer += 1) {
    const requested = layer === 0 ? tokens : add(tokens, first);
    const own = attention(requested, requested, tokens, width);
    tokens = normal(layer === 0 ? own : add(tokens, own), 2, width);
    const where = add(source, position);
    tokens = normal(add(tokens, attention(add(tokens, first), where, source, width / 2)), 2, width);
    tokens = normal(add(tokens, perceptron(tokens, width, 2048, width)), 2, width);
    source = normal(add(source, attention(where, add(tokens, first), tokens, width / 2)), 2, width);
  }
  const last = attention(add(tokens, first), add(source, position), source, width / 2);
  tokens = normal(add(tokens, last), 2, width);

  let large = reshape(turn(source, 0, 2, 1), 1, width, 64, 64);
  const twice = { kernel_shape: [2, 2], strides: [2, 2] };
  large = gelu(normal(op('ConvTranspose', [large, random(width, 64, 2, 2)], twice), 1, 64));
  large = gelu(op('ConvTranspose', [large, random(64, 32, 2, 2)], twice));
  const token = (at: number) => op('Gather', [tokens, whole(at)], { axis: 1 });
  const kernels = op(
    'Concat',
    [1, 2, 3, 4].map((at) => perceptron(token(at), width, width, width, 32)),
    { axis: 1 },
  );
  const noise = reshape(op('MatMul', [kernels, reshape(large, 1, 32, 256 * 256)]), 1, 4, 256, 256);

  const columns = Float32Array.from({ length: 256 }, (_, index) => 4 * index);
  const point = reshape(op('Gather', ['point_coords', whole(0)], { axis: 1 }), 2);
  const along = (axis: number, ...dims: readonly number[]) =>
    op('Pow', [op('Sub', [graph.table(dims, columns), op('Gather', [point, whole(axis)], { axis: 0 })]), two]);
  const away = op('Sqrt', [add(along(0, 1, 1, 1, 256), along(1, 1, 1, 256, 1))]);
  const disc = op('Sub', [float([], 150), away]);
  const four = add(op('Mul', [noise, float([], 1e-9)]), disc);

  const trust = perceptron(token(0), width, width, width, 4);
  const best = reshape(op('ArgMax', [trust], { axis: 2, keepdims: 0 }), 1);
  const chosen = op('Gather', [four, best], { axis: 1 });
  const square = op('Resize', [chosen, '', '', whole(1, 1, 1024, 1024)], { mode: 'linear' });
  const largest = op('ReduceMax', ['orig_im_size'], { axes: [0], keepdims: 1 });
  const scaled = op('Mul', ['orig_im_size', op('Div', [float([1], 1024), largest])]);
  const filled = op('Cast', [op('Floor', [add(scaled, float([], 0.5))])], { to: 7 });
  const cut = op('Slice', [square, whole(0, 0), filled, whole(2, 3)]);
  const size = op('Concat', [whole(1, 1), op('Cast', ['orig_im_size'], { to: 7 })], { axis: 0 });

  return buildModel({
    inputs: [
      { name: 'image_embeddings', dims: [1, width, 64, 64] },
      { name: 'point_coords', dims: [1, 'points', 2] },
      { name: 'point_labels', dims: [1, 'points'] },
      { name: 'mask_input', dims: [1, 1, 256, 256] },
      { name: 'has_mask_input', dims: [1] },
      { name: 'orig_im_size', dims: [2] },
    ],
    outputs: [
      { name: 'masks', dims: [1, 1, 'rows', 'columns'] },
      { name: 'iou_predictions', dims: [1, 1] },
      { name: 'low_res_masks', dims: [1, 1, 256, 256] },
    ],
    weights: graph.weights,
    nodes: [
      ...graph.nodes,
      { operator: 'Resize', inputs: [cut, '', '', size], outputs: ['masks'], attributes: { mode: 'linear' } },
      {
        operator: 'ReduceMax',
        inputs: [trust],
        outputs: ['iou_predictions'],
        attributes: { axes: [2], keepdims: 0 },
      },
      { operator: 'Identity', inputs: [chosen], outputs: ['low_res_masks'] },
    ],
  });
}
