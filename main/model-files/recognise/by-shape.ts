import type { OnnxFacts, OnnxValue } from '../onnx/read-onnx.ts';
import { descriptionOf, imageNet, inputOf, layoutOf, type Recognised } from './base-description.ts';
import { cocoCategories, cocoLabels, numbered, vocLabels } from './known.ts';

type Found = Omit<Recognised, 'problem' | 'needs'>;
type Rule = (facts: OnnxFacts, picture: OnnxValue) => Found | null;

const named = (facts: OnnxFacts, side: 'inputs' | 'outputs', name: string) =>
  facts[side].find((one) => one.name === name);
const rankOf = ({ dimensions }: OnnxValue): number => dimensions?.length ?? -1;
const isWhole = ({ type }: OnnxValue): boolean => type.startsWith('int');
const sizeOf = (value: OnnxValue | undefined, place: number): number | null => {
  const size = value?.dimensions?.at(place);
  return typeof size === 'number' ? size : null;
};

function namesFor(count: number | null): { labels: string[]; reasons: string[]; questions: string[] } {
  if (count === 80) {
    return { labels: [...cocoLabels], reasons: ['80 labels: assumed to be those of COCO.'], questions: [] };
  }
  if (count === 91) {
    return { labels: cocoCategories(), reasons: ["91 labels: assumed to be COCO's category ids."], questions: [] };
  }
  const question =
    count === null
      ? 'The file contains neither the labels nor their number. Enter them in their order.'
      : `The file does not contain the names of its ${count} labels. Enter them in their order.`;
  return { labels: numbered(Math.min(10_000, count ?? 1)), reasons: [], questions: [question] };
}

const imageNetQuestion = 'ImageNet’s mean and standard deviation are assumed. Check the result on an image.';

/** The original RT-DETR, RT-DETRv2, D-FINE, DEIM. */
const sizedBoxes: Rule = (facts, picture) => {
  const size = facts.inputs.find((one) => one !== picture && isWhole(one) && sizeOf(one, -1) === 2);
  if (size === undefined || !named(facts, 'outputs', 'boxes') || !named(facts, 'outputs', 'scores')) return null;
  const { labels } = namesFor(80);
  return {
    description: descriptionOf('sized-boxes', inputOf(picture, 640), { labels, threshold: 0.5 }),
    reasons: [
      `The input "${size.name}" takes the image size, and "labels", "boxes" and "scores" are returned: RT-DETR or D-FINE.`,
      "The image is stretched; values from 0 to 1. COCO's labels are assumed.",
    ],
    questions: ['The file does not contain its labels. COCO’s are used unless you change them.'],
  };
};

/** DETR and RT-DETR as exported by Hugging Face, and RF-DETR. */
const detr: Rule = (facts, picture) => {
  const boxes = named(facts, 'outputs', 'pred_boxes') ?? named(facts, 'outputs', 'dets');
  const logits = named(facts, 'outputs', 'logits') ?? named(facts, 'outputs', 'labels');
  if (!boxes || !logits || rankOf(boxes) !== 3 || rankOf(logits) !== 3 || isWhole(logits)) return null;
  const isSoftmax = facts.inputs.some(({ name }) => name === 'pixel_mask') || sizeOf(logits, 1) === 100;
  const isRf = boxes.name === 'dets';
  const count = sizeOf(logits, -1);
  const names = namesFor(count === null ? null : count - (isSoftmax ? 1 : 0));
  const usesMean = isSoftmax || isRf;
  const input = { ...inputOf(picture, isSoftmax ? 800 : 640), ...(usesMean ? imageNet : {}) };
  const output = { boxes: 'cxcywh', unit: 'share', scores: isSoftmax ? 'softmax' : 'sigmoid' } as const;
  return {
    description: descriptionOf('detr', input, { labels: names.labels, threshold: 0.5, output }),
    reasons: [
      isSoftmax
        ? 'Boxes and label scores, with "no object" as the last label: DETR.'
        : 'Boxes and label scores: RT-DETR, Deformable DETR or RF-DETR.',
      ...names.reasons,
    ],
    questions: names.questions,
  };
};

const tensorFlow: Rule = (facts, picture) => {
  const find = (word: RegExp) => facts.outputs.find(({ name }) => word.test(name));
  if (!find(/detection_boxes/) || !find(/detection_classes/) || !find(/detection_scores/)) return null;
  const input = { ...inputOf(picture, 640), ...(picture.type === 'uint8' ? {} : { divisor: 1 }) };
  const names = namesFor(91);
  const output = { boxes: 'yxyx', unit: 'share' } as const;
  return {
    description: descriptionOf('tensorflow-boxes', input, { labels: names.labels, threshold: 0.5, output }),
    reasons: ['"detection_boxes", "detection_classes" and "detection_scores": TensorFlow’s object detection.'],
    questions: ["The file does not contain its labels. COCO's category ids are assumed."],
  };
};

const mmDetection: Rule = (facts, picture) => {
  const boxes = named(facts, 'outputs', 'dets');
  const labels = named(facts, 'outputs', 'labels');
  if (!boxes || !labels || !isWhole(labels) || ![5, null].includes(sizeOf(boxes, -1))) return null;
  const input = {
    ...inputOf(picture, 640),
    divisor: 1,
    mean: [123.675, 116.28, 103.53],
    deviation: [58.395, 57.12, 57.375],
    fit: 'corner' as const,
  };
  const shape = facts.outputs.some((one) => rankOf(one) === 4) ? 'mask' : 'rectangle';
  return {
    description: descriptionOf('scored-boxes', input, { labels: [...cocoLabels], threshold: 0.3, output: { shape } }),
    reasons: ['Boxes with scores, and integer labels: MMDetection.'],
    questions: [
      'MMDetection’s mean, deviation and colour order are in its configuration, not in the file. Check the result on an image.',
      'The file does not contain its labels. COCO’s are used unless you change them.',
    ],
  };
};

/** torchvision: one image without a batch; the labels are the only integer output. */
const instances: Rule = (facts, picture) => {
  const labels = facts.outputs.find((one) => isWhole(one) && rankOf(one) === 1);
  const boxes = facts.outputs.find((one) => rankOf(one) === 2 && (sizeOf(one, -1) === 4 || sizeOf(one, -1) === null));
  if (!labels || !boxes || (rankOf(picture) !== 3 && facts.outputs.length < 3)) return null;
  const isMask = facts.outputs.some((one) => rankOf(one) === 4);
  const isPose = facts.outputs.some((one) => rankOf(one) === 3 && sizeOf(one, -1) === 3);
  const input = { ...inputOf(picture, 640), fit: 'multiple' as const };
  const sizes = input.is_size_free ? { ...input, width: 8, height: 8 } : { ...input, fit: 'stretch' as const };
  const names = isPose ? { labels: ['person'], questions: [] } : namesFor(91);
  const labelNames = isPose ? names.labels : names.labels.slice(1);
  return {
    description: descriptionOf('instances', sizes, {
      labels: labelNames,
      threshold: 0.5,
      keypoints: isPose ? numbered(17, 'point') : [],
      output: { first_label: 1, shape: isPose ? 'skeleton' : isMask ? 'mask' : 'rectangle' },
    }),
    reasons: [
      'Boxes, integer labels and scores as separate outputs: torchvision. It resizes and normalizes itself.',
      'Label 0 is the background, so the names start at 1.',
    ],
    questions: isPose ? [] : ["The file does not contain its labels. COCO's category ids are assumed."],
  };
};

const centerFace: Rule = (facts, picture) => {
  const channels = facts.outputs.map((one) => (rankOf(one) === 4 ? sizeOf(one, 1) : null));
  if (channels.join(',') !== '1,2,2,10') return null;
  const shape = inputOf(picture, 640);
  const freed = !shape.is_size_free;
  const input = { ...shape, width: 32, height: 32, is_size_free: true, divisor: 1, fit: 'multiple' as const };
  return {
    description: descriptionOf('centerface', input, {
      labels: ['face'],
      threshold: 0.5,
      overlap: 0.3,
      frees_sizes: freed,
    }),
    reasons: [
      'Four maps of 1, 2, 2 and 10 channels: CenterFace, a face detector.',
      ...(freed ? ['The sizes in the file are those of its exporter’s example image and are removed.'] : []),
    ],
    questions: [],
  };
};

/** PP-OCR's detector: a map with the size of the image. */
const textMap: Rule = (facts, picture) => {
  const [only] = facts.outputs;
  const isPaddle = picture.name === 'x' && facts.outputs.length === 1;
  if (!only || !isPaddle || rankOf(only) !== 4 || sizeOf(only, 1) !== 1) return null;
  const input = {
    ...inputOf(picture, 32),
    width: 32,
    height: 32,
    mean: [0.5, 0.5, 0.5],
    deviation: [0.5, 0.5, 0.5],
    fit: 'multiple' as const,
    least_side: 736,
  };
  return {
    description: descriptionOf('text', input, { labels: ['text'], threshold: 0.5, output: { shape: 'polygon' } }),
    reasons: ['One map of the size of the image, and an input "x" of any size: the detector of PP-OCR.'],
    questions: [],
  };
};

/** Maximum numbers per box; the largest datasets have about 1,200 labels. Longer rows are text characters. */
const mostNumbers = 1500;

/** YOLO detectors without metadata. */
const yolo: Rule = (facts, picture) => {
  const [first] = facts.outputs;
  const isOnly = facts.outputs.length <= 2;
  if (!first || !isOnly || rankOf(first) < 2 || rankOf(first) > 3) return null;
  const [rows, columns] = [sizeOf(first, -2), sizeOf(first, -1)];
  const input = { ...inputOf(picture, 640), fit: 'letterbox' as const, fill: 114 };
  if (columns === 6 || (columns === 7 && rankOf(first) === 2)) {
    return {
      description: descriptionOf('boxes', input, { labels: numbered(80) }),
      reasons: [`Rows of ${columns} numbers: assumed to be final boxes with corners in pixels, score and label.`],
      questions: [
        'The file contains neither its labels nor the box format (corners in pixels or relative centres). Check the result on an image.',
      ],
    };
  }
  const isPrototypes = facts.outputs[1] !== undefined && rankOf(facts.outputs[1]) === 4;
  if (rankOf(first) !== 3 || (rows === null && columns === null)) return null;
  const isRows = rows === null || (columns !== null && columns < rows);
  const size = isRows ? columns : rows;
  if (
    size === null ||
    size < 5 ||
    size > mostNumbers ||
    (rows !== null && columns !== null && Math.max(rows, columns) < 100)
  )
    return null;
  const extra = isPrototypes ? (sizeOf(facts.outputs[1], 1) ?? 32) : 0;
  const head = isRows ? 'yolo-objectness' : 'yolo';
  const count = size - extra - (isRows ? 5 : 4);
  if (count < 1) return null;
  const names = namesFor(count);
  const task = isPrototypes ? 'segment' : 'detect';
  const output = { boxes: 'cxcywh', shape: isPrototypes ? 'mask' : 'rectangle' } as const;
  return {
    description: descriptionOf(head, input, { task, labels: names.labels, overlap: 0.45, output }),
    reasons: [
      isRows
        ? `Rows of ${size} numbers: boxes with a score for "an object" and ${count} labels, as in YOLO v5, v7 and YOLOX.`
        : `Columns of ${size} numbers: boxes with ${count} labels, as in YOLO v8 and later.`,
      ...names.reasons,
    ],
    questions: names.questions,
  };
};

const semantic: Rule = (facts, picture) => {
  const value = facts.outputs.find(({ name }) => name === 'out') ?? facts.outputs[0];
  if (!value || facts.outputs.length > 3) return null;
  const isNumbers = isWhole(value) && rankOf(value) === 3;
  const count = rankOf(value) === 4 ? sizeOf(value, 1) : null;
  if (!isNumbers && (count === null || count > 1000)) return null;
  const input = { ...inputOf(picture, 512), ...imageNet };
  const isVoc = count === 21;
  const names = isVoc ? { labels: [...vocLabels], questions: [] } : namesFor(count);
  const isBinary = count === 1;
  return {
    description: descriptionOf('semantic', input, {
      labels: isBinary ? ['object'] : names.labels,
      threshold: 0.5,
      output: { shape: 'mask', first_label: isVoc ? 1 : 0, scores: isBinary ? 'sigmoid' : 'none' },
    }),
    reasons: [
      isNumbers ? 'A map of label indexes.' : `Maps of ${count} labels for each pixel: semantic segmentation.`,
      ...(isVoc ? ['21 labels: assumed to be the background and the 20 of Pascal VOC.'] : []),
    ],
    questions: [imageNetQuestion, ...(isBinary ? [] : names.questions)],
  };
};

const classes: Rule = (facts, picture) => {
  const [value] = facts.outputs;
  if (!value || facts.outputs.length !== 1 || rankOf(value) !== 2) return null;
  const count = sizeOf(value, -1);
  const own = (facts.metadata['character'] ?? '').split('\n').filter(Boolean);
  if (count === null || count < 2) return null;
  const names = own.length === count ? { labels: own, questions: [] } : namesFor(count);
  const isBgr = layoutOf(picture.dimensions ?? []) === 'NHWC' && count === 2;
  const shape = inputOf(picture, 224);
  const input = {
    ...shape,
    fit: 'crop' as const,
    ...(isBgr ? { divisor: 1, mean: [104, 117, 123], colour: 'BGR' as const } : imageNet),
  };
  const isDone = /softmax|fetch_name|prob/i.test(value.name);
  return {
    description: descriptionOf('classes', input, {
      labels: names.labels,
      threshold: 0.5,
      output: { shape: 'tag', scores: isDone ? 'none' : 'softmax' },
    }),
    reasons: [
      `${count} numbers per image: image classification.`,
      ...(own.length === count ? ['The labels come from the file’s metadata (character).'] : []),
    ],
    questions: [imageNetQuestion, ...names.questions],
  };
};

/** The first match wins. */
export const shapeRules: readonly Rule[] = [
  sizedBoxes,
  detr,
  tensorFlow,
  mmDetection,
  centerFace,
  instances,
  textMap,
  yolo,
  semantic,
  classes,
];
