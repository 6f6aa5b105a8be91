import type { ModelDescription } from '../../../../preload/contract/schema/model-files.ts';
import { readPythonLiteral } from '../../onnx/python-literal.ts';
import { gridOf, isFloat, sizeAt, within, type Evidence, type Output } from '../evidence.ts';
import { labelsInFile, pointsFor } from '../labels.ts';
import { ask, descriptionOf, inputOf, reading, type Candidate, type Reading } from '../reading.ts';

type Task = 'detect' | 'segment' | 'pose' | 'obb';
const tasks: readonly string[] = ['detect', 'segment', 'pose', 'obb'] satisfies Task[];
const descriptionTask = { detect: 'detect', segment: 'segment', pose: 'pose', obb: 'oriented' } as const;
const shapes = { detect: 'rectangle', segment: 'mask', pose: 'skeleton', obb: 'rectangle' } as const;
const results = { detect: 'boxes', segment: 'masks', pose: 'keypoints', obb: 'oriented-boxes' } as const;

const padded = { fit: 'letterbox', fill: 114 } as const;
const paddedWords =
  "Images keep their proportions with gray padding (114), values from 0 to 1, as in the exporter's training.";

interface Facts {
  readonly labels: readonly string[];
  readonly task: Task;
  readonly output: Output;
  /** Numbers after box and scores: mask coefficients, points or angle. */
  readonly extra: number;
  readonly keypoints: readonly string[];
  readonly pointQuestion: Candidate['questions'][number] | null;
}

/** True if the metadata is that of Ultralytics, so that no other reading can be right. */
export const isOfUltralytics = ({ facts: { metadata } }: Evidence): boolean =>
  metadata['names'] !== undefined && metadata['stride'] !== undefined && metadata['task'] !== undefined;

/** Models with Ultralytics metadata: labels, size, task. */
export const ultralytics: Reading = (evidence) => {
  const { metadata } = evidence.facts;
  const labels = labelsInFile(evidence);
  const { image, others } = evidence;
  if (image === null || others.length > 0 || labels === null || metadata['names'] === undefined) return [];
  if (metadata['stride'] === undefined && metadata['task'] === undefined) return [];
  // The original YOLOv5 exporter writes no task.
  const task = metadata['task'] ?? (evidence.outputs[0]?.rank === 2 ? 'classify' : 'detect');
  if (task === 'classify') return classify(evidence, labels);
  if (task === 'semantic') return semantic(evidence, labels);
  if (task === 'depth') return depth(evidence);
  if (!tasks.includes(task)) return [];
  const facts = boxFacts(evidence, task as Task, labels);
  return facts === null ? [] : layouts(evidence, facts);
};

function inputFor({ image, facts: { metadata } }: Evidence, more: Partial<ModelDescription['input']>) {
  const [height, width] = sizesOf(metadata['imgsz']);
  const input = inputOf(image!, 640, more);
  return input.is_size_free && width !== undefined && height !== undefined ? { ...input, width, height } : input;
}

function boxFacts(evidence: Evidence, task: Task, labels: readonly string[]): Facts | null {
  const output = evidence.outputs.find(({ rank }) => rank === 3);
  if (output === undefined) return null;
  const common = { labels, task, output, keypoints: [], pointQuestion: null };
  if (task === 'detect') return { ...common, extra: 0 };
  if (task === 'obb') return { ...common, extra: 1 };
  if (task === 'segment') {
    const prototypes = evidence.outputs.find((one) => one.rank === 4);
    return prototypes === undefined ? null : { ...common, extra: sizeAt(prototypes, 1) ?? 32 };
  }
  const [count = 17, values = 3] = numbersIn(evidence.facts.metadata['kpt_shape']);
  const { points, question } = pointsFor(evidence, count);
  return { ...common, extra: count * values, keypoints: points, pointQuestion: count === 17 ? null : question };
}

/** Every layout of the head's output that the shapes, metadata and values allow. */
function layouts(evidence: Evidence, facts: Facts): Candidate[] {
  const { metadata } = evidence.facts;
  const { output, labels, extra, task } = facts;
  const [first, last] = [sizeAt(output, -2), sizeAt(output, -1)];
  const isFinal = metadata['end2end'] === 'True' || /'nms': True|"nms": true/.test(metadata['args'] ?? '');
  const isYolo = isFinal || /yolo/i.test(metadata['description'] ?? '');
  const isTransformer = /RTDETR/i.test(metadata['head'] ?? '') || /rt-?detr/i.test(metadata['description'] ?? '');
  const isOpen = first === null && last === null;
  const isRows = (wanted: number) => isOpen || last === wanted;
  if (isTransformer) return transformer(evidence, facts);
  const grid = gridOf(first, evidence);
  // Boxes relative to the image are at most about 1, those in pixels are larger.
  const isShare = within(output.seen?.columns[2], -0.5, 1.5);
  const isTransformerToo = task === 'detect' && last === 6 && grid === null && !isYolo && isShare !== false;
  const found: Candidate[] = isTransformerToo ? transformer(evidence, facts) : [];
  if (isTransformerToo && isShare === true) return found;
  const isRowsOfGrid = grid !== null && grid.boxes === 3;
  if (isRows(6 + extra) && !isRowsOfGrid && wholeLabels(output) !== false)
    found.push(finalRows(evidence, facts, isFinal));
  if (isFinal) return found;
  const isShort = first !== null && first < 1000 && grid === null && last === 6 + extra;
  if (isRows(5 + labels.length + extra) && !isShort) found.push(objectness(evidence, facts));
  if (isOpen || first === 4 + labels.length + extra) found.push(columns(evidence, facts));
  return found;
}

/** True or false from the trial run whether the sixth number of a row is a label. */
const wholeLabels = ({ seen }: Output): boolean | null =>
  seen === null || seen.columns[5] === undefined ? null : seen.columns[5].isWhole;

function finalRows(evidence: Evidence, facts: Facts, isTold: boolean): Candidate {
  const { task, labels, keypoints, extra } = facts;
  const output = { boxes: task === 'obb' ? 'cxcywh' : 'xyxy', shape: shapes[task] } as const;
  const more = { task: descriptionTask[task], labels: [...labels], keypoints: [...keypoints], output };
  return reading({
    id: 'final-rows',
    name: 'Final boxes',
    formula: `${task === 'obb' ? 'cx cy w h' : 'x1 y1 x2 y2'} score label`,
    result: results[task],
    level: 3,
    description: descriptionOf('boxes', inputFor(evidence, padded), more),
    reasons: [
      ...told(facts),
      isTold
        ? 'The metadata says that suppression is part of the model.'
        : `Rows of ${6 + extra} numbers are final boxes.`,
      paddedWords,
    ],
    questions: [facts.pointQuestion],
  });
}

function objectness(evidence: Evidence, facts: Facts): Candidate {
  const {
    task,
    labels,
    keypoints,
    extra,
    output: { dims },
  } = facts;
  const output = { boxes: 'cxcywh', shape: shapes[task] } as const;
  const more = { task: descriptionTask[task], labels: [...labels], keypoints: [...keypoints], overlap: 0.45, output };
  const size = 5 + labels.length + extra;
  return reading({
    id: 'objectness-rows',
    name: 'Rows with objectness',
    formula: 'cx cy w h objectness scores',
    result: results[task],
    level: 3,
    description: descriptionOf('yolo-objectness', inputFor(evidence, padded), more),
    reasons: [
      ...told(facts),
      `${dims?.at(-2) ?? 'Many'} rows of ${size} numbers: a box, a score for "an object" and one for each label.`,
      paddedWords,
    ],
    questions: [facts.pointQuestion],
  });
}

function columns(evidence: Evidence, facts: Facts): Candidate {
  const { task, labels, keypoints } = facts;
  const output = { boxes: 'cxcywh', shape: shapes[task] } as const;
  const more = { task: descriptionTask[task], labels: [...labels], keypoints: [...keypoints], overlap: 0.45, output };
  return reading({
    id: 'columns',
    name: 'Columns',
    formula: 'cx cy w h scores',
    result: results[task],
    level: 3,
    description: descriptionOf('yolo', inputFor(evidence, padded), more),
    reasons: [
      ...told(facts),
      'Columns of a box and a score for each label; Limner applies non-maximum suppression.',
      paddedWords,
    ],
    questions: [facts.pointQuestion],
  });
}

/** RT-DETR of Ultralytics: earlier versions write a score per label, later ones the best score and its label. */
function transformer(evidence: Evidence, facts: Facts): Candidate[] {
  const { labels, output } = facts;
  const last = sizeAt(output, -1);
  const make = (head: 'boxes' | 'yolo', formula: string) =>
    reading({
      id: `rtdetr-${head}`,
      name: head === 'boxes' ? 'Best label per row' : 'Score per label',
      formula,
      result: 'boxes',
      level: 3,
      description: descriptionOf(head, inputFor(evidence, { fit: 'stretch' }), {
        labels: [...labels],
        output: { boxes: 'cxcywh', unit: 'share' },
      }),
      reasons: [...told(facts), 'Boxes are relative to the image (RT-DETR); non-maximum suppression is not needed.'],
    });
  const isWhole = wholeLabels(output);
  const found: Candidate[] = [];
  if ((last === null || last === 6) && isWhole !== false) found.push(make('boxes', 'cx cy w h score label'));
  if ((last === null || last === 4 + labels.length) && (last !== 6 || isWhole !== true)) {
    found.push(make('yolo', 'cx cy w h scores'));
  }
  return found;
}

const told = ({ labels, task }: Pick<Facts, 'labels' | 'task'>): string[] => [
  `The labels (${labels.length}) come from the file's metadata.`,
  `The metadata names the task "${task}".`,
];

function classify(evidence: Evidence, labels: readonly string[]): Candidate[] {
  const [output] = evidence.outputs;
  if (output === undefined || output.rank !== 2 || (sizeAt(output, -1) ?? labels.length) !== labels.length) return [];
  const isLogits =
    output.seen !== null ? !output.seen.isDistribution : output.tail.length > 0 && output.tail[0] !== 'Softmax';
  const more = { labels: [...labels], output: { shape: 'tag', scores: isLogits ? 'softmax' : 'none' } } as const;
  return [
    reading({
      id: 'classes',
      name: 'Labels of the image',
      result: 'labels',
      level: 3,
      description: descriptionOf('classes', inputFor(evidence, { fit: 'crop', smooth: true }), {
        ...more,
        labels: [...labels],
      }),
      reasons: [
        `The labels (${labels.length}) come from the file's metadata.`,
        'It labels complete images.',
        isLogits ? 'The scores do not sum to 1, so Limner applies softmax.' : 'Softmax is part of the model.',
      ],
    }),
  ];
}

function semantic(evidence: Evidence, labels: readonly string[]): Candidate[] {
  const output = evidence.outputs.find(({ rank }) => rank >= 3);
  if (output === undefined) return [];
  if (isFloat(output) && output.rank === 4 && (sizeAt(output, 1) ?? labels.length) !== labels.length) return [];
  return [
    reading({
      id: 'semantic',
      name: 'Label of each pixel',
      result: 'segmentation',
      level: 3,
      description: descriptionOf('semantic', inputFor(evidence, padded), {
        labels: [...labels],
        threshold: 0.5,
        output: { shape: 'mask' },
      }),
      reasons: [
        `The labels (${labels.length}) come from the file's metadata.`,
        'The metadata names the task "semantic".',
      ],
      questions: [
        isFloat(output) && within(output.seen, 0, 1) === false
          ? null
          : ask(
              'scores',
              'Label numbers and scores of pixels have not been compared with the exporter. Check the result on an image.',
            ),
      ],
    }),
  ];
}

const depth = (evidence: Evidence): Candidate[] => [
  reading({
    id: 'depth',
    name: 'Depth',
    result: 'depth',
    level: 3,
    input: inputFor(evidence, padded),
    missing: 'it estimates depth, which has no labels',
    reasons: ['The metadata names the task "depth".'],
  }),
];

function numbersIn(text: string | undefined): number[] {
  const value = text === undefined ? undefined : readPythonLiteral(text);
  if (typeof value === 'number') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'number' && Number.isFinite(one)) : [];
}

function sizesOf(text: string | undefined): readonly number[] {
  const sizes = numbersIn(text).filter((one) => one >= 8 && one <= 8192);
  return sizes.length === 1 ? [sizes[0]!, sizes[0]!] : sizes;
}
