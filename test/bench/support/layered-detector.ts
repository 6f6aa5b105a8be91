import { buildModel, type GraphNode, type Weights } from '../../support/onnx/build-model.ts';

export const detectorSide = 640;

/** Channels and stride of each convolution; about as many multiplications as the smallest YOLO. */
const layers = [
  [16, 2],
  [32, 2],
  [64, 2],
  [64, 1],
  [64, 1],
  [128, 2],
  [128, 1],
  [128, 1],
  [256, 2],
  [256, 1],
] as const;
const rows = 8400;

/** A detector in the form of YOLO v8 whose convolutions have arbitrary weights and whose one box is constant. */
export function layeredDetector(): Buffer {
  const nodes: GraphNode[] = [];
  const weights: Weights[] = [];
  let [before, channels] = ['images', 3];
  for (const [index, [width, stride]] of layers.entries()) {
    const values = Float32Array.from({ length: width * channels * 9 }, (_, at) => Math.sin(at) / (channels * 9));
    weights.push({ name: `w${index}`, dims: [width, channels, 3, 3], values });
    const attributes = { kernel_shape: [3, 3], pads: [1, 1, 1, 1], strides: [stride, stride] };
    nodes.push({ operator: 'Conv', inputs: [before, `w${index}`], outputs: [`c${index}`], attributes });
    nodes.push({ operator: 'Relu', inputs: [`c${index}`], outputs: [`r${index}`] });
    [before, channels] = [`r${index}`, width];
  }
  const boxes = new Float32Array(6 * rows);
  for (const [row, value] of [320, 320, 100, 100, 0.9].entries()) boxes[row * rows] = value;
  return buildModel({
    inputs: [{ name: 'images', dims: [1, 3, detectorSide, detectorSide] }],
    outputs: [{ name: 'output0', dims: [1, 6, rows] }],
    weights: [
      ...weights,
      { name: 'boxes', dims: [1, 6, rows], values: boxes },
      { name: 'zero', dims: [], values: Float32Array.from([0]) },
    ],
    nodes: [
      ...nodes,
      { operator: 'ReduceMean', inputs: [before], outputs: ['mean'], attributes: { keepdims: 0 } },
      { operator: 'Mul', inputs: ['mean', 'zero'], outputs: ['nothing'] },
      { operator: 'Add', inputs: ['boxes', 'nothing'], outputs: ['output0'] },
    ],
    metadata: {
      task: 'detect',
      stride: '32',
      imgsz: `[${detectorSide}, ${detectorSide}]`,
      names: "{0: 'thing', 1: 'other'}",
    },
  });
}
