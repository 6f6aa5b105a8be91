import { isFloat, isInteger, isPaddle, named, sizeAt, within, type Evidence, type Output } from '../evidence.ts';
import { vocLabels } from '../known.ts';
import { namesFor } from '../labels.ts';
import {
  ask,
  askNormalization,
  descriptionOf,
  halves,
  imageNet,
  inputOf,
  reading,
  type Candidate,
  type Reading,
} from '../reading.ts';
import { askLayout } from './yolo.ts';

const isPlainImage = ({ image, others }: Evidence): boolean => image !== null && others.length === 0;

interface MapSize {
  readonly labels: number | null;
  /** Model input divided by map; null if a size is free. */
  readonly ratio: number | null;
  readonly order: 'planes' | 'pixels';
}

/** Sizes of a map in either order; null if it does not cover the image evenly. */
function mapOf(evidence: Evidence, output: Output): MapSize | null {
  if (output.rank !== 4) return null;
  const isPixels = evidence.image?.layout === 'NHWC';
  const [first, second] = isPixels ? [1, 2] : [2, 3];
  const labels = sizeAt(output, isPixels ? 3 : 1);
  const [height, width] = [sizeAt(output, first), sizeAt(output, second)];
  const order = isPixels ? 'pixels' : 'planes';
  if (height === null || width === null || evidence.size === null) return { labels, ratio: null, order };
  const [down, across] = [evidence.size.height / height, evidence.size.width / width];
  return Math.abs(down - across) > 0.1 || down < 0.9 ? null : { labels, ratio: down, order };
}

const imageNetQuestion = askNormalization('ImageNet’s mean and deviation are assumed.');
const lowestRatio = 8;

/** Integer maps: label numbers after ArgMax. */
export const labelMap: Reading = (evidence) => {
  const [output] = evidence.outputs;
  if (!isPlainImage(evidence) || output === undefined || evidence.outputs.length !== 1 || !isInteger(output)) return [];
  const isMap = output.rank === 3 || (output.rank === 4 && (sizeAt(output, 1) === 1 || sizeAt(output, 3) === 1));
  const [height, width] = [
    sizeAt(output, output.rank === 3 || sizeAt(output, 1) === 1 ? -2 : 1),
    sizeAt(output, output.rank === 3 || sizeAt(output, 1) === 1 ? -1 : 2),
  ];
  const { size } = evidence;
  if (!isMap || (size !== null && height !== null && width !== null && size.height / height !== size.width / width))
    return [];
  const most = output.seen === null || output.seen.max < output.seen.min ? null : output.seen.max + 1;
  const names = namesFor(evidence, null);
  const isOfPaddle = isPaddle(evidence);
  const labels =
    names.labels.length > 1
      ? names.labels
      : Array.from({ length: Math.min(1000, Math.max(2, most ?? 2)) }, (_, index) => `label ${index}`);
  return [
    reading({
      id: 'label-map',
      name: 'Label number of each pixel',
      result: 'segmentation',
      level: 2,
      description: descriptionOf('semantic', inputOf(evidence.image!, 512, isOfPaddle ? halves : imageNet), {
        labels,
        threshold: 0.5,
        output: { shape: 'mask' },
      }),
      reasons: [
        'A map of integers: label numbers after ArgMax.',
        ...(most === null ? [] : [`The sample has label numbers up to ${most - 1}.`]),
      ],
      questions: [
        ask(
          'labels',
          'The file does not contain its labels, nor which one is the background. Enter them in their order.',
        ),
        askNormalization(
          isOfPaddle
            ? 'Mean and deviation of 0.5 are assumed, as in PaddleSeg.'
            : 'ImageNet’s mean and deviation are assumed.',
        ),
        ...askLayout(evidence),
      ],
    }),
  ];
};

/** One map per label. */
export const semantic: Reading = (evidence) => {
  const { outputs, image } = evidence;
  if (!isPlainImage(evidence) || outputs.length > 3) return [];
  const output = named(evidence, /^out$/) ?? outputs[0];
  if (output === undefined || !isFloat(output) || outputs.some(({ rank }) => rank !== 4)) return [];
  const map = mapOf(evidence, output);
  if (map === null || map.labels === null || map.labels < 2 || map.labels > 1000 || (map.ratio ?? 1) > lowestRatio)
    return [];
  const isSegmenter = output.name === 'out' || (output.name === 'logits' && image!.name === 'pixel_values');
  const isKeras = map.order === 'pixels';
  const isVoc = map.labels === 21;
  const names = isVoc
    ? {
        labels: [...vocLabels],
        reasons: [],
        questions: [ask('labels', '21 labels: the background and the 20 of Pascal VOC are assumed.')],
      }
    : namesFor(evidence, map.labels);
  return [
    reading({
      id: 'semantic',
      name: 'Label of each pixel',
      formula: `${map.labels} maps`,
      result: 'segmentation',
      level: isSegmenter ? 2 : 1,
      uses: outputs.length === 2 && output.name === 'out' ? 'all' : [output.name],
      description: descriptionOf('semantic', inputOf(image!, 512, isKeras ? {} : imageNet), {
        labels: names.labels,
        threshold: 0.5,
        output: { shape: 'mask', first_label: isVoc ? 1 : 0, map: map.order },
      }),
      reasons: [`Maps of ${map.labels} labels for each pixel: semantic segmentation.`, ...names.reasons],
      questions: [
        isKeras
          ? askNormalization('Values from 0 to 1 are assumed; Keras models also use −1 to 1 and 0 to 255.')
          : imageNetQuestion,
        ...names.questions,
        isSegmenter
          ? null
          : ask(
              ['kind', 'labels', 'columns', 'fit'],
              'The maps are read as scores of labels, of which one may be the background. They could also be points or features.',
            ),
        outputs.length === 1 ? null : ask('kind', 'Other maps of this model are not read.'),
        ...askLayout(evidence),
      ],
    }),
  ];
};

/** One map with the size of the image: a mask, text regions or depth. Names or values tell, or the user. */
export const singleMap: Reading = (evidence) => {
  const { outputs } = evidence;
  if (!isPlainImage(evidence)) return [];
  const [output] = outputs;
  if (output === undefined || !isFloat(output)) return [];
  if (outputs.length > 1) return manyMaps(evidence);
  const map = output.rank === 3 ? { labels: 1, ratio: 1, order: 'planes' as const } : mapOf(evidence, output);
  if (map === null || map.labels !== 1 || (map.ratio ?? 1) > 16) return [];
  if (output.rank === 3 && !coversImage(evidence, output)) return [];
  const isDepth = /depth|disparity/i.test(output.name);
  if (isDepth) return [depthReading(evidence, output, 2)];
  if (isPaddle(evidence)) return [textRegions(evidence, output)];
  const isShare = within(output.seen, 0, 1) ?? (output.tail[0] === 'Sigmoid' ? true : null);
  const found: Candidate[] = [];
  if (isShare !== false) found.push(maskReading(evidence, output, map, 'none'));
  if (isShare !== true && (output.seen === null || output.seen.min < 0))
    found.push(maskReading(evidence, output, map, 'sigmoid'));
  if (isShare !== true) found.push(depthReading(evidence, output, 1));
  return found;
};

function coversImage({ size }: Evidence, output: Output): boolean {
  const [height, width] = [sizeAt(output, -2), sizeAt(output, -1)];
  if (height === null || width === null || size === null)
    return typeof output.dims?.at(-1) === 'string' && output.dims.at(-1) === 'width';
  return height === size.height && width === size.width;
}

function maskReading(evidence: Evidence, output: Output, map: MapSize, scores: 'none' | 'sigmoid'): Candidate {
  const isKeras = map.order === 'pixels';
  return reading({
    id: `mask-${scores}`,
    name: scores === 'none' ? 'Mask, scores from 0 to 1' : 'Mask, scores by sigmoid',
    result: 'mask',
    level: 1,
    description: descriptionOf('semantic', inputOf(evidence.image!, 512, isKeras ? {} : imageNet), {
      labels: ['object'],
      threshold: 0.5,
      output: { shape: 'mask', scores, map: map.order },
    }),
    reasons: [
      'One map with the proportions of the image.',
      ...(output.tail[0] === 'Sigmoid' && scores === 'none' ? ['The graph ends with a sigmoid.'] : []),
      ...(output.seen === null
        ? []
        : [`The values of the sample are from ${short(output.seen.min)} to ${short(output.seen.max)}.`]),
    ],
    questions: [
      ask('labels', 'The file does not contain the label. Enter its name.'),
      ask(
        ['kind', 'scores'],
        'The file does not tell whether the map is a mask, depth or text regions, nor its threshold.',
      ),
      isKeras ? askNormalization('Values from 0 to 1 are assumed.') : imageNetQuestion,
      ask('fit', 'The file does not tell how images are resized. Stretching is assumed.'),
      ...askLayout(evidence),
    ],
  });
}

const short = (value: number): string => String(Math.round(value * 100) / 100);

function depthReading(evidence: Evidence, output: Output, level: 1 | 2): Candidate {
  return reading({
    id: 'depth',
    name: 'Depth',
    result: 'depth',
    level,
    input: inputOf(evidence.image!, 518, { ...imageNet, fit: 'stretch' }),
    missing: 'it estimates depth, which has no labels',
    reasons: [
      level === 2 ? `The output is named "${output.name}".` : 'One map with the proportions of the image.',
      ...(output.seen === null || output.seen.max < output.seen.min
        ? []
        : [`The values of the sample are from ${short(output.seen.min)} to ${short(output.seen.max)}.`]),
    ],
    questions:
      level === 2
        ? []
        : [imageNetQuestion, ask(['kind', 'fit'], 'The file does not tell whether the map is depth or a mask.')],
  });
}

/** U²-Net and other saliency models return several versions of one map; the first is the best. */
function manyMaps(evidence: Evidence): Candidate[] {
  const { outputs } = evidence;
  const maps = outputs.map((one) => mapOf(evidence, one));
  if (outputs.length < 3 || maps.some((map) => map === null || map.labels !== 1 || map.ratio !== maps[0]?.ratio))
    return [];
  return [
    reading({
      id: 'saliency',
      name: 'Mask, scaled to its range',
      result: 'mask',
      level: 2,
      description: descriptionOf('semantic', inputOf(evidence.image!, 320, imageNet), {
        labels: ['object'],
        threshold: 0.5,
        output: { shape: 'mask', scores: 'range', map: maps[0]?.order ?? 'planes' },
      }),
      reasons: [`${outputs.length} maps of one size: U²-Net, of which the first is used.`],
      questions: [
        ask('labels', 'The file does not contain the label. Enter its name.'),
        imageNetQuestion,
        ...askLayout(evidence),
      ],
    }),
  ];
}

/** PP-OCR's detector. */
function textRegions(evidence: Evidence, output: Output): Candidate {
  const input = {
    ...inputOf(evidence.image!, 32, { ...halves, colour: 'BGR', fit: 'multiple', least_side: 736 }),
    width: 32,
    height: 32,
  };
  return reading({
    id: 'text-regions',
    name: 'Text regions',
    result: 'text-regions',
    level: 2,
    description: descriptionOf('text', input, { labels: ['text'], threshold: 0.5, output: { shape: 'polygon' } }),
    reasons: [`One map, an input "x" and the producer paddle2onnx: the detector of PP-OCR ("${output.name}").`],
    questions: [ask('kind', 'PaddleSeg’s masks of one label have the same form. Check the result on an image.')],
  });
}
