import { isFloat, isInteger, named, sizeAt, type Evidence } from '../evidence.ts';
import { pointsFor } from '../labels.ts';
import {
  ask,
  askNormalization,
  descriptionOf,
  imageNet,
  imageNetBytes,
  inputOf,
  reading,
  type Reading,
} from '../reading.ts';

const isPlainImage = ({ image, others }: Evidence): boolean => image !== null && others.length === 0;
const needsBoxes = 'it needs the box of each person from a detector';
const boxQuestion = ask('part', 'It needs the boxes of a detector.');
/** Points of common skeletons: people, hands, faces, animals. */
const skeletons: ReadonlySet<number> = new Set([13, 14, 16, 17, 18, 20, 21, 26, 68, 98, 106, 133]);

/** RTMPose: the position of each point along both axes. */
export const simcc: Reading = (evidence) => {
  const { outputs, image, size } = evidence;
  if (!isPlainImage(evidence) || outputs.length !== 2 || size === null) return [];
  const [x, y] = [named(evidence, /simcc_x/) ?? outputs[0]!, named(evidence, /simcc_y/) ?? outputs[1]!];
  if (x.rank !== 3 || y.rank !== 3 || sizeAt(x, 1) !== sizeAt(y, 1)) return [];
  const [across, down] = [(sizeAt(x, 2) ?? 0) / size.width, (sizeAt(y, 2) ?? 0) / size.height];
  if (across !== down || across < 1 || !Number.isInteger(across)) return [];
  const { points, question } = pointsFor(evidence, sizeAt(x, 1) ?? 17);
  return [
    reading({
      id: 'simcc',
      name: 'Points of a cropped person',
      result: 'crop-keypoints',
      level: /simcc/.test(x.name) ? 2 : 1,
      input: inputOf(image!, 256, { ...imageNetBytes, fit: 'crop' }),
      missing: needsBoxes,
      reasons: [`${points.length} points, each with ${across} cells per pixel along both axes: RTMPose.`],
      questions: [question, boxQuestion, askNormalization('ImageNet’s mean and deviation are assumed.')],
    }),
  ];
};

/** ViTPose and HRNet: one map per point at a quarter of the size. */
export const heatmaps: Reading = (evidence) => {
  const [output] = evidence.outputs;
  const { size, image } = evidence;
  if (!isPlainImage(evidence) || output === undefined || evidence.outputs.length !== 1 || output.rank !== 4) return [];
  const count = sizeAt(output, 1);
  const isQuarter = size !== null && sizeAt(output, 2) === size.height / 4 && sizeAt(output, 3) === size.width / 4;
  const isNamed = /heatmap/i.test(output.name);
  if (count === null || !isFloat(output) || (!isNamed && !(isQuarter && skeletons.has(count)))) return [];
  const { points, question } = pointsFor(evidence, count);
  return [
    reading({
      id: 'heatmaps',
      name: 'Points of a cropped person',
      formula: `${count} maps`,
      result: 'crop-keypoints',
      level: isNamed ? 2 : 1,
      input: inputOf(image!, 256, { ...imageNet, fit: 'crop' }),
      missing: needsBoxes,
      reasons: [
        `${points.length} maps at a quarter of the input size, as many as a skeleton has points: ViTPose or HRNet.`,
      ],
      questions: [question, boxQuestion, askNormalization('ImageNet’s mean and deviation are assumed.')],
    }),
  ];
};

/** MoveNet: y, x and score of 17 points of one person. */
export const singlePose: Reading = (evidence) => {
  const [output] = evidence.outputs;
  const { image } = evidence;
  if (!isPlainImage(evidence) || output === undefined || evidence.outputs.length !== 1) return [];
  const dims = output.dims?.slice(-3).join(',');
  if (dims !== '1,17,3' || output.rank !== 4 || image!.layout !== 'NHWC') return [];
  const isBytes = isInteger({ type: image!.type });
  return [
    reading({
      id: 'single-pose',
      name: 'Points of one person',
      formula: 'y x score',
      result: 'single-keypoints',
      level: isBytes ? 2 : 1,
      description: descriptionOf('single-pose', inputOf(image!, 192, { divisor: 1, fit: 'square', smooth: true }), {
        labels: ['person'],
        task: 'pose',
        threshold: 0.3,
        keypoints: pointsFor(evidence, 17).points,
        output: { shape: 'skeleton', unit: 'share', boxes: 'yxyx' },
      }),
      reasons: [
        '17 points of y, x and score: MoveNet, which finds one person.',
        'The image is padded to a square and then shrunk with smoothing.',
      ],
      questions: isBytes
        ? []
        : [askNormalization('Values from 0 to 255 are assumed.'), ask(['points', 'fit'], 'COCO’s points are assumed.')],
    }),
  ];
};
