import { buildModel, type GraphNode } from './build-model.ts';

/** An encoder in the form of Segment Anything whose features are the image's colours, one per sixteen pixels. */
export function colourEncoder(): Buffer {
  const channels = Float32Array.from({ length: 256 * 3 }, (_, index) => (index % 4 === 0 && index < 9 ? 1 : 0));
  return buildModel({
    inputs: [{ name: 'image', dims: [1, 3, 1024, 1024] }],
    outputs: [{ name: 'image_embeddings', dims: [1, 256, 64, 64] }],
    weights: [{ name: 'channels', dims: [256, 3, 1, 1], values: channels }],
    nodes: [
      {
        operator: 'AveragePool',
        inputs: ['image'],
        outputs: ['means'],
        attributes: { kernel_shape: [16, 16], strides: [16, 16] },
      },
      { operator: 'Conv', inputs: ['means', 'channels'], outputs: ['image_embeddings'] },
    ],
  });
}

/** The input is a square with the image in its upper left corner. */
const cutToSize: readonly GraphNode[] = [
  { operator: 'Cast', inputs: ['orig_im_size'], outputs: ['size'], attributes: { to: 7 } },
  { operator: 'Slice', inputs: ['enlarged', 'start', 'size', 'sides'], outputs: ['masks'] },
];

const int = (...values: readonly number[]) => BigInt64Array.from(values, BigInt);

/**
 * The matching decoder: every pixel of about the colour at the first point is in the mask. Masks have a quarter of the
 * input's side, or the given image size, like those of CVAT's decoder.
 */
export function colourDecoder(masks: 'quarter' | 'whole' = 'quarter'): Buffer {
  const larger = masks === 'quarter' ? 4 : 16;
  return buildModel({
    inputs: [
      { name: 'image_embeddings', dims: [1, 256, 64, 64] },
      { name: 'point_coords', dims: [1, 'points', 2] },
      { name: 'point_labels', dims: [1, 'points'] },
      { name: 'mask_input', dims: [1, 1, 256, 256] },
      { name: 'has_mask_input', dims: [1] },
      { name: 'orig_im_size', dims: [2] },
    ],
    outputs: [
      { name: 'masks', dims: [1, 1, ...(masks === 'quarter' ? [256, 256] : ['rows', 'columns'])] },
      { name: 'iou_predictions', dims: [1, 1] },
    ],
    weights: [
      { name: 'flat', dims: [2], values: int(256, 4096) },
      { name: 'zero', dims: [], values: int(0) },
      { name: 'steps', dims: [2], values: Float32Array.from([1 / 16, 1 / 16]) },
      { name: 'rows', dims: [2], values: int(1, 64) },
      { name: 'once', dims: [1], values: int(0) },
      { name: 'bound', dims: [], values: Float32Array.from([0.6]) },
      { name: 'square', dims: [4], values: int(1, 1, 64, 64) },
      { name: 'scales', dims: [4], values: Float32Array.from([1, 1, larger, larger]) },
      { name: 'start', dims: [2], values: int(0, 0) },
      { name: 'sides', dims: [2], values: int(2, 3) },
      { name: 'trust', dims: [1, 1], values: Float32Array.from([0.9]) },
    ],
    nodes: [
      { operator: 'Reshape', inputs: ['image_embeddings', 'flat'], outputs: ['places'] },
      { operator: 'Gather', inputs: ['point_coords', 'zero'], outputs: ['points'], attributes: { axis: 0 } },
      { operator: 'Gather', inputs: ['points', 'zero'], outputs: ['first'], attributes: { axis: 0 } },
      { operator: 'Mul', inputs: ['first', 'steps'], outputs: ['cell'] },
      { operator: 'Cast', inputs: ['cell'], outputs: ['wholeCell'], attributes: { to: 7 } },
      { operator: 'Mul', inputs: ['wholeCell', 'rows'], outputs: ['parts'] },
      { operator: 'ReduceSum', inputs: ['parts', 'once'], outputs: ['index'], attributes: { keepdims: 1 } },
      { operator: 'Gather', inputs: ['places', 'index'], outputs: ['clicked'], attributes: { axis: 1 } },
      { operator: 'Sub', inputs: ['places', 'clicked'], outputs: ['difference'] },
      { operator: 'Abs', inputs: ['difference'], outputs: ['distance'] },
      { operator: 'ReduceSum', inputs: ['distance', 'once'], outputs: ['sum'], attributes: { keepdims: 1 } },
      { operator: 'Sub', inputs: ['bound', 'sum'], outputs: ['likeness'] },
      { operator: 'Reshape', inputs: ['likeness', 'square'], outputs: ['map'] },
      { operator: 'Resize', inputs: ['map', '', 'scales'], outputs: ['enlarged'], attributes: { mode: 'nearest' } },
      ...(masks === 'quarter' ? [{ operator: 'Identity', inputs: ['enlarged'], outputs: ['masks'] }] : cutToSize),
      { operator: 'Identity', inputs: ['trust'], outputs: ['iou_predictions'] },
    ],
  });
}
