import { isFloat, isInteger, named, sizeAt, takes, type Evidence, type Output } from '../evidence.ts';
import { namesFor, pointsFor } from '../labels.ts';
import {
  ask,
  askFit,
  askNormalization,
  descriptionOf,
  imageNet,
  imageNetBytes,
  inputOf,
  reading,
  type Candidate,
  type Reading,
} from '../reading.ts';
import { askLayout } from './yolo.ts';

const isPlainImage = ({ image, others }: Evidence): boolean => image !== null && others.length === 0;

/** The original RT-DETR, RT-DETRv2, D-FINE, DEIM: the image size is an input. */
export const sizedBoxes: Reading = (evidence) => {
  const { facts, image, outputs } = evidence;
  const size = facts.inputs.find((one) => one.name !== image?.name && isInteger(one) && one.dimensions?.at(-1) === 2);
  if (image === null || size === undefined || facts.inputs.length !== 2) return [];
  const boxes = outputs.find((one) => isFloat(one) && one.rank === 3 && sizeAt(one, -1) === 4);
  const labels = outputs.find((one) => isInteger(one) && one.rank === 2);
  const scores = outputs.find((one) => isFloat(one) && one.rank === 2);
  if (!boxes || !labels || !scores) return [];
  const isNamed = boxes.name === 'boxes' && scores.name === 'scores';
  const masks = outputs.find(({ rank }) => rank === 4);
  const names = namesFor(evidence, 80);
  return [
    reading({
      id: 'sized-boxes',
      name: 'Boxes in image pixels',
      formula: 'x1 y1 x2 y2, score, label',
      result: 'boxes',
      level: isNamed ? 2 : 1,
      uses: [boxes, labels, scores].map(({ name }) => name),
      description: descriptionOf('sized-boxes', inputOf(image, 640), { labels: names.labels, threshold: 0.5 }),
      reasons: [
        `The input "${size.name}" takes the image size, and labels, boxes and scores are returned: RT-DETR or D-FINE.`,
        'The image is stretched.',
      ],
      questions: [
        ...names.questions,
        askNormalization('Values from 0 to 1 are assumed. DEIMv2 needs ImageNet’s mean and deviation.'),
        isNamed ? null : ask('boxes', 'The order of the numbers of a box is assumed: two corners in pixels.'),
        masks === undefined ? null : ask('kind', 'The masks of this model are not read.'),
      ],
    }),
  ];
};

/** DETR and RT-DETR as exported by Hugging Face, and RF-DETR. */
export const detr: Reading = (evidence) => {
  const { image, outputs, others } = evidence;
  if (image === null || others.length > 0) return [];
  const boxes = outputs.find((one) => isFloat(one) && one.rank === 3 && sizeAt(one, -1) === 4);
  const logits = outputs.find((one) => one !== boxes && isFloat(one) && one.rank === 3);
  const masks = outputs.find(({ rank }) => rank === 4);
  if (!boxes || !logits || outputs.length > (masks === undefined ? 2 : 3)) return [];
  if (sizeAt(boxes, 1) !== sizeAt(logits, 1)) return [];
  const isHuggingFace = boxes.name === 'pred_boxes' && logits.name === 'logits';
  const isRoboflow = boxes.name === 'dets' && logits.name === 'labels';
  const size = sizeAt(logits, -1);
  const hasMask = takes(evidence, /pixel_mask/);
  const kinds = isRoboflow
    ? ['sigmoid' as const]
    : hasMask || size === 92
      ? ['softmax' as const]
      : size === 80
        ? ['sigmoid' as const]
        : (['sigmoid', 'softmax'] as const);
  return kinds.map((scores) => {
    const names = namesFor(evidence, size === null ? null : size - (scores === 'softmax' ? 1 : 0));
    const isPlain = isHuggingFace && scores === 'sigmoid';
    const input = inputOf(image, scores === 'softmax' ? 800 : 640, isPlain ? {} : imageNet);
    return reading({
      id: `detr-${scores}`,
      name: scores === 'softmax' ? 'Softmax, the last label is "no object"' : 'A score per label',
      formula: 'cx cy w h; scores',
      result: masks === undefined ? 'boxes' : 'masks',
      level: isHuggingFace || isRoboflow ? 2 : 1,
      description: descriptionOf('detr', input, {
        labels: names.labels,
        threshold: 0.5,
        output: { boxes: 'cxcywh', unit: 'share', scores, shape: masks === undefined ? 'rectangle' : 'mask' },
      }),
      reasons: [
        isRoboflow
          ? '"dets" and "labels": RF-DETR.'
          : scores === 'softmax'
            ? 'Boxes and label scores, with "no object" as the last label: DETR.'
            : 'Boxes and label scores: RT-DETR, Deformable DETR or D-FINE.',
        ...(masks === undefined ? [] : ['Masks of the complete image, one per box.']),
        ...names.reasons,
      ],
      questions: [
        ...names.questions,
        isRoboflow ? null : ask('scores', 'The file does not tell whether scores are by sigmoid or by softmax.'),
        isRoboflow
          ? null
          : askNormalization(
              isPlain ? 'Values from 0 to 1 are assumed.' : 'ImageNet’s mean and deviation are assumed.',
            ),
        image.width === null || scores === 'softmax'
          ? askFit('DETR keeps proportions; the image is stretched to the size in the settings.')
          : isHuggingFace || isRoboflow
            ? null
            : askFit('Stretching is assumed.'),
        isHuggingFace || isRoboflow
          ? null
          : ask(['boxes', 'columns'], 'Boxes are read as center and size, relative to the image.'),
        ...askLayout(evidence),
      ],
    });
  });
};

export const tensorFlow: Reading = (evidence) => {
  if (!isPlainImage(evidence)) return [];
  const [boxes, labels, scores] = [/detection_boxes/, /detection_classes/, /detection_scores/].map((word) =>
    named(evidence, word),
  );
  if (!boxes || !labels || !scores) return [];
  const image = evidence.image!;
  const names = namesFor(evidence, 91);
  const free = image.width === null ? { width: 8, height: 8, fit: 'multiple' as const } : {};
  return [
    reading({
      id: 'tensorflow-boxes',
      name: 'TensorFlow object detection',
      formula: 'y1 x1 y2 x2, label, score',
      result: 'boxes',
      level: 2,
      description: descriptionOf('tensorflow-boxes', inputOf(image, 640, free), {
        labels: names.labels,
        threshold: 0.5,
        output: { boxes: 'yxyx', unit: 'share' },
      }),
      reasons: ['"detection_boxes", "detection_classes" and "detection_scores": TensorFlow’s object detection.'],
      questions: [
        ...names.questions,
        image.type === 'uint8' ? null : askNormalization('Values from 0 to 1 are assumed.'),
        image.width === null ? null : askFit('The image is stretched to the fixed size.'),
        ...askLayout(evidence),
      ],
    }),
  ];
};

/** MMDetection, and with points MMPose's RTMO: boxes with their score, labels or points beside them. */
export const scoredBoxes: Reading = (evidence) => {
  if (!isPlainImage(evidence)) return [];
  const { outputs, image } = evidence;
  const boxes = outputs.find((one) => isFloat(one) && one.rank >= 2 && sizeAt(one, -1) === 5);
  if (boxes === undefined) return [];
  const labels = outputs.find((one) => isInteger(one) && one.rank === boxes.rank - 1);
  const points = outputs.find(
    (one) => isFloat(one) && one.rank === 4 && sizeAt(one, -1) === 3 && sizeAt(one, -2) !== 3,
  );
  if (points !== undefined && labels === undefined) return [onePassPoses(evidence, boxes, points)];
  if (labels === undefined) return [];
  const masks = outputs.find((one) => one !== boxes && one.rank === boxes.rank + 1);
  if (outputs.length > (masks === undefined ? 2 : 3)) return [];
  const isNamed = boxes.name === 'dets' && labels.name === 'labels';
  const input = inputOf(image!, 640, { ...imageNetBytes, fit: 'corner' });
  const names = namesFor(evidence, 80);
  return [
    reading({
      id: 'scored-boxes',
      name: 'MMDetection',
      formula: 'x1 y1 x2 y2 score, label',
      result: masks === undefined ? 'boxes' : 'masks',
      level: isNamed ? 2 : 1,
      description: descriptionOf('scored-boxes', input, {
        labels: names.labels,
        threshold: 0.3,
        output: { shape: masks === undefined ? 'rectangle' : 'mask' },
      }),
      reasons: ['Boxes with scores, and integer labels: MMDetection.'],
      questions: [
        ...names.questions,
        askNormalization('MMDetection’s usual mean and deviation are assumed; the configuration has the right ones.'),
        askFit('Padding on the right and bottom is assumed.'),
        isNamed
          ? null
          : ask(['boxes', 'columns'], 'The order of the numbers of a box is assumed: two corners and the score.'),
        masks === undefined
          ? null
          : ask('kind', 'Masks of the size of the model input cover the image; smaller ones cover their box.'),
        ...askLayout(evidence),
      ],
    }),
  ];
};

function onePassPoses(evidence: Evidence, boxes: Output, points: Output): Candidate {
  const count = sizeAt(points, -2) ?? 17;
  const { points: names, question } = pointsFor(evidence, count);
  const input = inputOf(evidence.image!, 640, { divisor: 1, colour: 'BGR', fit: 'corner', fill: 114 });
  return reading({
    id: 'scored-poses',
    name: 'Boxes with points',
    formula: 'x1 y1 x2 y2 score; x y score',
    result: 'keypoints',
    level: boxes.name === 'dets' && points.name === 'keypoints' ? 2 : 1,
    uses: [boxes.name, points.name],
    description: descriptionOf('scored-boxes', input, {
      labels: ['person'],
      task: 'pose',
      threshold: 0.3,
      keypoints: names,
      output: { shape: 'skeleton' },
    }),
    reasons: [`Boxes with scores, and ${count} points each: RTMO.`],
    questions: [
      question,
      ask('labels', 'The file does not contain the label. "person" is assumed.'),
      askNormalization('Values from 0 to 255 and the order BGR are assumed, as in RTMO.'),
      askFit('Padding in gray (114) on the right and bottom is assumed.'),
      boxes.name === 'dets' ? null : ask(['boxes', 'columns'], 'The order of the numbers is assumed.'),
      ...askLayout(evidence),
    ],
  });
}

/** torchvision: one image without a batch; the labels are the only integer output. */
export const instances: Reading = (evidence) => {
  if (!isPlainImage(evidence)) return [];
  const { outputs, image } = evidence;
  const labels = outputs.find((one) => isInteger(one) && one.rank === 1);
  const boxes = outputs.find((one) => isFloat(one) && one.rank === 2 && [4, null].includes(sizeAt(one, -1)));
  const scores = outputs.find((one) => isFloat(one) && one.rank === 1);
  if (!labels || !boxes || !scores) return [];
  const masks = outputs.find(({ rank }) => rank === 4);
  const points = outputs.find((one) => one.rank === 3 && sizeAt(one, -1) === 3);
  const isNamed =
    [boxes, labels, scores].every(({ name }) => ['boxes', 'labels', 'scores'].includes(name)) ||
    image!.layout === 'CHW';
  const free = inputOf(image!, 8, { fit: 'multiple' });
  const input = free.is_size_free ? { ...free, width: 8, height: 8 } : { ...free, fit: 'stretch' as const };
  const names = points === undefined ? namesFor(evidence, 91) : { labels: ['', 'person'], questions: [] };
  const pose = points === undefined ? null : pointsFor(evidence, sizeAt(points, -2) ?? 17);
  const uses = [labels, boxes, scores, masks, points].flatMap((one) => (one === undefined ? [] : [one.name]));
  return [
    reading({
      id: 'instances',
      name: 'torchvision',
      formula: 'x1 y1 x2 y2, label, score',
      result: points !== undefined ? 'keypoints' : masks === undefined ? 'boxes' : 'masks',
      level: isNamed ? 2 : 1,
      uses,
      description: descriptionOf('instances', input, {
        labels: names.labels.slice(1),
        threshold: 0.5,
        keypoints: pose?.points ?? [],
        output: {
          first_label: 1,
          shape: points !== undefined ? 'skeleton' : masks === undefined ? 'rectangle' : 'mask',
        },
      }),
      reasons: [
        'Boxes, integer labels and scores as separate outputs: torchvision. It resizes and normalizes itself.',
        'Label 0 is the background, so the names start at 1.',
      ],
      questions: [
        ...names.questions,
        pose?.question,
        isNamed ? null : askNormalization('Values from 0 to 1 are assumed; torchvision normalizes itself.'),
        input.is_size_free ? null : askFit('The image is stretched to the fixed size.'),
        ...askLayout(evidence),
        isNamed ? null : ask(['boxes', 'fit', 'kind'], 'Boxes are read as corners in pixels.'),
        uses.length === outputs.length ? null : ask('kind', 'An output of this model is not read.'),
      ],
    }),
  ];
};

export const centerFace: Reading = (evidence) => {
  const channels = evidence.outputs.map((one) => (one.rank === 4 ? sizeAt(one, 1) : null));
  if (!isPlainImage(evidence) || channels.join(',') !== '1,2,2,10') return [];
  const shape = inputOf(evidence.image!, 640);
  const freed = !shape.is_size_free;
  const input = { ...shape, width: 32, height: 32, is_size_free: true, divisor: 1, fit: 'multiple' as const };
  return [
    reading({
      id: 'centerface',
      name: 'CenterFace',
      result: 'boxes',
      level: 2,
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
    }),
  ];
};
