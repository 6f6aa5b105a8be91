import { buildModel, type GraphNode, type Weights } from './build-model.ts';

const int = (...values: readonly number[]) => BigInt64Array.from(values, BigInt);
const floats = (...values: readonly number[]) => Float32Array.from(values);

type Value = Parameters<typeof buildModel>[0]['inputs'][number];

export interface Segmenter {
  readonly name: string;
  readonly encoder: Buffer;
  readonly decoder: Buffer;
}

const channels = (count: number) =>
  Float32Array.from({ length: count * 3 }, (_, index) => (index % 4 === 0 && index < 9 ? 1 : 0));

interface EncoderForm {
  readonly input: Value;
  /** Names of the features with 256, 64 and 32 channels. */
  readonly names: readonly [string, string?, string?];
  /** Output that has the same features again. */
  readonly more?: string;
  /** True if the encoder resizes images of any size. */
  readonly isAnySize?: boolean;
}

/** Features are the colours of cells of 16, 8 and 4 pixels. */
function encoderOf({ input, names, more, isAnySize = false }: EncoderForm): Buffer {
  const sizes = [
    { count: 256, cell: 16 },
    { count: 64, cell: 8 },
    { count: 32, cell: 4 },
  ];
  const used = names.flatMap((name, index) => (name === undefined ? [] : [{ name, ...sizes[index]! }]));
  const features = used.map(({ name, count, cell }) => ({ name, dims: [1, count, 1024 / cell, 1024 / cell] }));
  const nodes: GraphNode[] = used.flatMap(({ name, cell }) => [
    {
      operator: 'AveragePool',
      inputs: ['square'],
      outputs: [`means ${name}`],
      attributes: { kernel_shape: [cell, cell], strides: [cell, cell] },
    },
    { operator: 'Conv', inputs: [`means ${name}`, `channels ${name}`], outputs: [name] },
  ]);
  return buildModel({
    inputs: [input],
    outputs: [...features, ...(more === undefined ? [] : [{ name: more, dims: [1, 256, 64, 64] }])],
    weights: [
      ...used.map(({ name, count }) => ({
        name: `channels ${name}`,
        dims: [count, 3, 1, 1],
        values: channels(count),
      })),
      { name: 'sizes', dims: [4], values: int(1, 3, 1024, 1024) },
    ],
    nodes: [
      isAnySize
        ? {
            operator: 'Resize',
            inputs: [input.name, '', '', 'sizes'],
            outputs: ['square'],
            attributes: { mode: 'nearest' },
          }
        : { operator: 'Identity', inputs: [input.name], outputs: ['square'] },
      ...nodes,
      ...(more === undefined ? [] : [{ operator: 'Identity', inputs: [names[0]], outputs: [more] }]),
    ],
  });
}

interface DecoderForm {
  readonly inputs: readonly Value[];
  readonly features: string;
  readonly points: string;
  readonly outputs: readonly Value[];
  /** Nodes from `map` (1 × 1 × 64 × 64) to the outputs. */
  readonly nodes: readonly GraphNode[];
  readonly weights?: readonly Weights[];
  /** True if points are in pixels of the size that another input has. */
  readonly isInOwnSize?: boolean;
}

/** Finds the cells with about the colour at the first point. */
function decoderOf(form: DecoderForm): Buffer {
  const { inputs, features, points, outputs, nodes, weights = [], isInOwnSize = false } = form;
  const toModel: GraphNode[] = isInOwnSize
    ? [
        { operator: 'Cast', inputs: ['orig_im_size'], outputs: ['floatSize'], attributes: { to: 1 } },
        { operator: 'Gather', inputs: ['floatSize', 'swapped'], outputs: ['widthHeight'], attributes: { axis: 0 } },
        { operator: 'Div', inputs: ['first', 'widthHeight'], outputs: ['share'] },
        { operator: 'Mul', inputs: ['share', 'cells'], outputs: ['cell'] },
      ]
    : [{ operator: 'Mul', inputs: ['first', 'steps'], outputs: ['cell'] }];
  return buildModel({
    inputs,
    outputs,
    weights: [
      { name: 'flat', dims: [2], values: int(256, 4096) },
      { name: 'pairs', dims: [2], values: int(-1, 2) },
      { name: 'zero', dims: [], values: int(0) },
      { name: 'steps', dims: [2], values: floats(1 / 16, 1 / 16) },
      { name: 'cells', dims: [2], values: floats(64, 64) },
      { name: 'swapped', dims: [2], values: int(1, 0) },
      { name: 'rows', dims: [2], values: int(1, 64) },
      { name: 'once', dims: [1], values: int(0) },
      { name: 'bound', dims: [], values: floats(0.6) },
      { name: 'square', dims: [4], values: int(1, 1, 64, 64) },
      ...weights,
    ],
    nodes: [
      { operator: 'Reshape', inputs: [features, 'flat'], outputs: ['places'] },
      { operator: 'Reshape', inputs: [points, 'pairs'], outputs: ['points in rows'] },
      { operator: 'Gather', inputs: ['points in rows', 'zero'], outputs: ['first'], attributes: { axis: 0 } },
      ...toModel,
      { operator: 'Cast', inputs: ['cell'], outputs: ['wholeCell'], attributes: { to: 7 } },
      { operator: 'Mul', inputs: ['wholeCell', 'rows'], outputs: ['parts'] },
      { operator: 'ReduceSum', inputs: ['parts', 'once'], outputs: ['index'], attributes: { keepdims: 1 } },
      { operator: 'Gather', inputs: ['places', 'index'], outputs: ['clicked'], attributes: { axis: 1 } },
      { operator: 'Sub', inputs: ['places', 'clicked'], outputs: ['difference'] },
      { operator: 'Abs', inputs: ['difference'], outputs: ['distance'] },
      { operator: 'ReduceSum', inputs: ['distance', 'once'], outputs: ['sum'], attributes: { keepdims: 1 } },
      { operator: 'Sub', inputs: ['bound', 'sum'], outputs: ['likeness'] },
      { operator: 'Reshape', inputs: ['likeness', 'square'], outputs: ['map'] },
      ...nodes,
    ],
  });
}

/** Three masks, of which the second is right and has the best score. */
const threeMasks: readonly GraphNode[] = [
  { operator: 'Neg', inputs: ['map'], outputs: ['opposite'] },
  { operator: 'Concat', inputs: ['opposite', 'map', 'opposite'], outputs: ['three'], attributes: { axis: 1 } },
];
const toImageSize = (source: string, output: string): GraphNode[] => [
  { operator: 'Concat', inputs: ['first axes', 'orig_im_size'], outputs: ['image size'], attributes: { axis: 0 } },
  { operator: 'Resize', inputs: [source, '', '', 'image size'], outputs: [output], attributes: { mode: 'nearest' } },
];
const toQuarter: GraphNode = {
  operator: 'Resize',
  inputs: ['three', '', 'scales'],
  outputs: ['quarter'],
  attributes: { mode: 'nearest' },
};
const scales: Weights = { name: 'scales', dims: [4], values: floats(1, 1, 4, 4) };
const scores = (name: string, ...dims: readonly number[]): Weights => ({ name, dims, values: floats(0.1, 0.9, 0.2) });
const identity = (from: string, to: string): GraphNode => ({ operator: 'Identity', inputs: [from], outputs: [to] });

/** SAM 2.1 of ryouchinsa: named points, masks in the image size. */
const second: Segmenter = {
  name: 'SAM 2.1',
  encoder: encoderOf({
    input: { name: 'input', dims: [1, 3, 1024, 1024] },
    names: ['image_embeddings', 'high_res_features2', 'high_res_features1'],
  }),
  decoder: decoderOf({
    inputs: [
      { name: 'image_embeddings', dims: [1, 256, 64, 64] },
      { name: 'high_res_features1', dims: [1, 32, 256, 256] },
      { name: 'high_res_features2', dims: [1, 64, 128, 128] },
      { name: 'point_coords', dims: [1, 'num_points', 2] },
      { name: 'point_labels', dims: [1, 'num_points'] },
      { name: 'mask_input', dims: [1, 1, 256, 256] },
      { name: 'has_mask_input', dims: [1] },
      { name: 'orig_im_size', type: 'int64', dims: [2] },
    ],
    outputs: [
      { name: 'masks', dims: [1, 1, 'height', 'width'] },
      { name: 'iou_predictions', dims: [1, 1] },
    ],
    features: 'image_embeddings',
    points: 'point_coords',
    nodes: [...toImageSize('map', 'masks'), identity('score', 'iou_predictions')],
    weights: [
      { name: 'first axes', dims: [2], values: int(1, 1) },
      { name: 'score', dims: [1, 1], values: floats(0.9) },
    ],
  }),
};

const huggingFaceOutputs: readonly Value[] = [
  { name: 'iou_scores', dims: [1, 1, 3] },
  { name: 'pred_masks', dims: [1, 1, 3, 256, 256] },
];
const five: Weights = { name: 'five', dims: [5], values: int(1, 1, 3, 256, 256) };
const huggingFaceNodes: readonly GraphNode[] = [
  ...threeMasks,
  toQuarter,
  { operator: 'Reshape', inputs: ['quarter', 'five'], outputs: ['pred_masks'] },
  identity('scores', 'iou_scores'),
];

const huggingFaceSecond: Segmenter = {
  name: 'SAM 2 of Hugging Face',
  encoder: encoderOf({
    input: { name: 'pixel_values', dims: ['batch_size', 3, 1024, 1024] },
    names: ['image_embeddings.2', 'image_embeddings.1', 'image_embeddings.0'],
  }),
  decoder: decoderOf({
    inputs: [
      { name: 'input_points', dims: ['batch_size', 1, 'n', 2] },
      { name: 'input_labels', type: 'int64', dims: ['batch_size', 1, 'n'] },
      { name: 'input_boxes', dims: ['batch_size', 'boxes', 4] },
      { name: 'image_embeddings.0', dims: ['batch_size', 32, 256, 256] },
      { name: 'image_embeddings.1', dims: ['batch_size', 64, 128, 128] },
      { name: 'image_embeddings.2', dims: ['batch_size', 256, 64, 64] },
    ],
    outputs: [...huggingFaceOutputs, { name: 'object_score_logits', dims: [1, 1, 1] }],
    features: 'image_embeddings.2',
    points: 'input_points',
    nodes: [...huggingFaceNodes, identity('presence', 'object_score_logits')],
    weights: [scales, five, scores('scores', 1, 1, 3), { name: 'presence', dims: [1, 1, 1], values: floats(5) }],
  }),
};

const huggingFaceFirst: Segmenter = {
  name: 'SAM of Hugging Face',
  encoder: encoderOf({
    input: { name: 'pixel_values', dims: ['batch_size', 3, 1024, 1024] },
    names: ['image_embeddings'],
    more: 'image_positional_embeddings',
  }),
  decoder: decoderOf({
    inputs: [
      { name: 'input_points', dims: ['batch_size', 1, 'n', 2] },
      { name: 'input_labels', type: 'int64', dims: ['batch_size', 1, 'n'] },
      { name: 'image_embeddings', dims: ['batch_size', 256, 64, 64] },
      { name: 'image_positional_embeddings', dims: ['batch_size', 256, 64, 64] },
    ],
    outputs: huggingFaceOutputs,
    features: 'image_embeddings',
    points: 'input_points',
    nodes: huggingFaceNodes,
    weights: [scales, five, scores('scores', 1, 1, 3)],
  }),
};

/** EfficientSAM: images of any size, points in pixels of `orig_im_size`, masks in that size. */
const efficient: Segmenter = {
  name: 'EfficientSAM',
  encoder: encoderOf({
    input: { name: 'batched_images', dims: ['batch', 3, 'height', 'width'] },
    names: ['image_embeddings'],
    isAnySize: true,
  }),
  decoder: decoderOf({
    inputs: [
      { name: 'image_embeddings', dims: ['batch', 256, 64, 64] },
      { name: 'batched_point_coords', dims: ['batch', 1, 'n', 2] },
      { name: 'batched_point_labels', dims: ['batch', 1, 'n'] },
      { name: 'orig_im_size', type: 'int64', dims: [2] },
    ],
    outputs: [
      { name: 'output_masks', dims: ['batch', 1, 3, 'height', 'width'] },
      { name: 'iou_predictions', dims: ['batch', 1, 3] },
    ],
    features: 'image_embeddings',
    points: 'batched_point_coords',
    isInOwnSize: true,
    nodes: [
      ...threeMasks,
      ...toImageSize('three', 'plain'),
      { operator: 'Unsqueeze', inputs: ['plain', 'once'], outputs: ['output_masks'] },
      identity('scores', 'iou_predictions'),
    ],
    weights: [{ name: 'first axes', dims: [2], values: int(1, 3) }, scores('scores', 1, 1, 3)],
  }),
};

/** Segmenters whose result is known: the region with the colour at the first point. */
export const segmenters: readonly Segmenter[] = [second, huggingFaceSecond, huggingFaceFirst, efficient];
