import { gridOf, isFloat, named, sizeAt, takes, within, type Evidence, type Output } from '../evidence.ts';
import { namesFor } from '../labels.ts';
import {
  ask,
  askFit,
  askNormalization,
  descriptionOf,
  inputOf,
  reading,
  type Candidate,
  type Reading,
} from '../reading.ts';

const padded = { fit: 'letterbox', fill: 114 } as const;
/** Maximum numbers per box; the largest datasets have about 1,200 labels. Longer rows are text characters. */
const mostNumbers = 1500;
const isPlainImage = ({ image, others }: Evidence): boolean => image !== null && others.length === 0;

const yoloQuestions = (evidence: Evidence) => [
  askNormalization('Values from 0 to 1 and the order RGB are assumed, as in YOLO.'),
  askFit('Padding in gray (114) is assumed, as in YOLO.'),
  ...askLayout(evidence),
];

export const askLayout = ({ image }: Evidence): ReturnType<typeof ask>[] =>
  image === null || image.isLayoutDeclared
    ? []
    : [ask('layout', 'The file does not tell which axis holds the color channels. The second one is assumed.')];

/** Heads of YOLO without metadata: one row or column per cell of the grids. */
export const yoloGrid: Reading = (evidence) => {
  if (!isPlainImage(evidence)) return [];
  const { outputs } = evidence;
  const [output, prototypes] = outputs;
  if (output === undefined || outputs.length > 2 || output.rank !== 3 || !isFloat(output)) return [];
  if (prototypes !== undefined && prototypes.rank !== 4) return [];
  const extra = prototypes === undefined ? 0 : (sizeAt(prototypes, 1) ?? 32);
  const [rows, columns] = [sizeAt(output, -2), sizeAt(output, -1)];
  const isColumns = gridOf(columns, evidence)?.boxes === 1 || (columns === null && rows !== null);
  if (isColumns && rows !== null && rows >= 5 + extra && rows <= mostNumbers) {
    return [columnsReading(evidence, output, rows, extra)];
  }
  const grid = gridOf(rows, evidence);
  if (grid === null || columns === null || columns < 6 + extra || columns > mostNumbers) return [];
  return grid.boxes === 3
    ? [objectnessReading(evidence, output, columns, extra)]
    : cellReadings(evidence, output, columns, extra);
};

function columnsReading(evidence: Evidence, output: Output, size: number, extra: number): Candidate {
  const count = size - 4 - extra;
  const names = namesFor(evidence, count);
  const isMask = extra > 0;
  const question =
    count === 80
      ? null
      : ask(
          ['columns', 'kind'],
          `The file does not tell the meaning of the ${count} numbers after the box. They are read as scores of labels, and could also be mask coefficients, points or an angle.`,
        );
  return reading({
    id: 'yolo-columns',
    name: isMask ? 'Columns with masks' : 'Columns',
    formula: 'cx cy w h scores',
    result: isMask ? 'masks' : 'boxes',
    level: 1,
    description: descriptionOf('yolo', inputOf(evidence.image!, 640, padded), {
      task: isMask ? 'segment' : 'detect',
      labels: names.labels,
      overlap: 0.45,
      output: { boxes: 'cxcywh', shape: isMask ? 'mask' : 'rectangle' },
    }),
    reasons: [
      ...cellWords(evidence, sizeAt(output, -1)),
      `Columns of ${size} numbers: boxes with ${count} labels, as in YOLO v8 and later.`,
      ...names.reasons,
    ],
    questions: [...names.questions, question, ...yoloQuestions(evidence)],
  });
}

function cellWords(evidence: Evidence, rows: number | null): string[] {
  const grid = gridOf(rows, evidence);
  if (grid === null || rows === null || evidence.size === null) return [];
  const { width, height } = evidence.size;
  const each = grid.boxes === 1 ? 'one box' : 'three boxes';
  return [`${rows} is ${each} per cell at ${width} × ${height} with the strides ${grid.strides.join(', ')}.`];
}

function objectnessReading(evidence: Evidence, output: Output, size: number, extra: number): Candidate {
  const names = namesFor(evidence, size - 5 - extra);
  const isMask = extra > 0;
  return reading({
    id: 'yolo-objectness',
    name: 'Rows with objectness',
    formula: 'cx cy w h objectness scores',
    result: isMask ? 'masks' : 'boxes',
    level: 1,
    description: descriptionOf('yolo-objectness', inputOf(evidence.image!, 640, padded), {
      task: isMask ? 'segment' : 'detect',
      labels: names.labels,
      overlap: 0.45,
      output: { boxes: 'cxcywh', shape: isMask ? 'mask' : 'rectangle' },
    }),
    reasons: [
      ...cellWords(evidence, sizeAt(output, -2)),
      'Rows with a score for "an object", as in YOLO v5 and v7.',
      ...names.reasons,
    ],
    questions: [
      ...names.questions,
      ask(
        ['columns', 'kind'],
        `The ${size} numbers of a row are read as box, objectness and ${size - 5 - extra} labels.`,
      ),
      ...yoloQuestions(evidence),
    ],
  });
}

/** One row per cell with objectness: YOLOX, whose grid may be decoded in the file or not. */
function cellReadings(evidence: Evidence, output: Output, size: number, extra: number): Candidate[] {
  if (extra > 0) return [];
  const names = namesFor(evidence, size - 5);
  const input = inputOf(evidence.image!, 640, { divisor: 1, colour: 'BGR', fit: 'corner', fill: 114 });
  const questions = [
    ...names.questions,
    askNormalization('Values from 0 to 255 and the order BGR are assumed, as in YOLOX.'),
    askFit('Padding in gray (114) on the right and bottom is assumed, as in YOLOX.'),
    ask('columns', `The ${size} numbers of a row are read as box, objectness and ${size - 5} labels.`),
    ...askLayout(evidence),
  ];
  // Decoded boxes are in pixels. Undecoded ones are offsets in cells and logarithms of sizes.
  const places = output.seen?.columns.slice(0, 4);
  const isInPixels = places === undefined ? null : places.some(({ max }) => max > 32);
  const common = { result: 'boxes', level: 1, questions } as const;
  const words = [...cellWords(evidence, sizeAt(output, -2)), ...names.reasons];
  const parts = { labels: names.labels, overlap: 0.45, output: { boxes: 'cxcywh' as const } };
  const found: Candidate[] = [];
  if (isInPixels !== true) {
    found.push(
      reading({
        ...common,
        id: 'yolox',
        name: 'YOLOX, grid outside of the file',
        formula: 'dx dy log(w) log(h) objectness scores',
        description: descriptionOf('yolox', input, parts),
        reasons: [...words, ...(isInPixels === null ? [] : ['The first four numbers are small: offsets in cells.'])],
      }),
    );
  }
  if (isInPixels !== false) {
    found.push(
      reading({
        ...common,
        id: 'yolox-decoded',
        name: 'YOLOX, boxes in pixels',
        formula: 'cx cy w h objectness scores',
        description: descriptionOf('yolo-objectness', input, parts),
        reasons: [...words, ...(isInPixels === null ? [] : ['The first four numbers are pixels of the model input.'])],
      }),
    );
  }
  if (isInPixels !== false && size > 5 && [80, 91].includes(size - 4)) found.push(rowsReading(evidence, size));
  return found;
}

function rowsReading(evidence: Evidence, size: number): Candidate {
  const names = namesFor(evidence, size - 4);
  return reading({
    id: 'yolo-rows',
    name: 'Rows without objectness',
    formula: 'cx cy w h scores',
    result: 'boxes',
    level: 1,
    description: descriptionOf('yolo', inputOf(evidence.image!, 640, padded), {
      labels: names.labels,
      overlap: 0.45,
      output: { boxes: 'cxcywh' },
    }),
    reasons: [`Rows of ${size} numbers: boxes with ${size - 4} labels, as YOLO v8 in rows.`, ...names.reasons],
    questions: [...names.questions, ...yoloQuestions(evidence)],
  });
}

const maxFinalRows = 1000;

/** Rows of final boxes without metadata: values tell their order, or the user. */
export const finalRows: Reading = (evidence) => {
  if (!isPlainImage(evidence)) return [];
  const isCenterNet = named(evidence, /^detections(:0)?$/) !== undefined && evidence.outputs.length > 1;
  const output = isCenterNet ? named(evidence, /^detections(:0)?$/) : evidence.outputs[0];
  if (output === undefined || (!isCenterNet && evidence.outputs.length > 1) || !isFloat(output)) return [];
  const [rows, size] = [sizeAt(output, -2), sizeAt(output, -1)];
  if (![2, 3].includes(output.rank) || (rows ?? 0) > maxFinalRows || gridOf(rows, evidence) !== null) return [];
  if (size === 6) return sixNumbers(evidence, output, isCenterNet);
  return size === 7 ? sevenNumbers(evidence, output) : [];
};

type Row = 'box-score-label' | 'label-score-box' | 'image-box-score-label' | 'image-box-label-score';
type Boxes = 'xyxy' | 'cxcywh' | 'yxyx';

const boxWords = { xyxy: 'x1 y1 x2 y2', yxyx: 'y1 x1 y2 x2', cxcywh: 'cx cy w h' } as const;
const boxNames = { xyxy: 'Corners', yxyx: 'Corners, y first', cxcywh: 'Center and size' } as const;
const formulaOf = (row: Row, boxes: Boxes) => row.replace('box', boxWords[boxes]).replaceAll('-', ' ');

function sixNumbers(evidence: Evidence, output: Output, isCenterNet: boolean): Candidate[] {
  const { seen } = output;
  const columns = seen?.columns ?? [];
  const isLabelFirst = seen !== null && columns[0]?.isWhole === true && columns[5]?.isWhole === false;
  if (isLabelFirst) return [rowReading(evidence, output, { row: 'label-score-box', boxes: 'xyxy', level: 1 })];
  if (seen !== null && seen.max >= seen.min && columns[5]?.isWhole === false) return [];
  const share = seen !== null && seen.max > seen.min ? within(columns[2], -0.5, 1.5) : null;
  const isCorners = seen === null || seen.cornerShare === 1;
  const level = isCenterNet ? 2 : 1;
  const unit = share === true ? 'share' : 'pixels';
  const found: Candidate[] = [];
  if (isCorners)
    found.push(rowReading(evidence, output, { row: 'box-score-label', boxes: 'xyxy', unit, level, isCenterNet }));
  if (!isCenterNet)
    found.push(rowReading(evidence, output, { row: 'box-score-label', boxes: 'cxcywh', unit, level: 1 }));
  return found;
}

function sevenNumbers(evidence: Evidence, output: Output): Candidate[] {
  const columns = output.seen?.columns ?? [];
  const isRun = output.seen !== null && (columns[6]?.max ?? 0) >= (columns[6]?.min ?? 1);
  // The class is an integer; the score is not, unless there are very few rows.
  const scoreFirst = !isRun || columns[6]?.isWhole === true;
  const labelFirst = !isRun || columns[5]?.isWhole === true;
  const isTensorFlow = output.rank === 3 && evidence.image?.layout === 'NHWC';
  const isNas = /flat_predictions/.test(output.name);
  const isYolov7 = output.dims?.some((size) => size === 'num_dets') ?? false;
  if (isTensorFlow) return tensorFlowRows(evidence, output);
  if (output.rank !== 2) return [];
  const found: Candidate[] = [];
  if (scoreFirst && !isYolov7) {
    found.push(rowReading(evidence, output, { row: 'image-box-score-label', boxes: 'xyxy', level: isNas ? 2 : 1 }));
  }
  if (labelFirst && !isNas)
    found.push(rowReading(evidence, output, { row: 'image-box-label-score', boxes: 'xyxy', level: isYolov7 ? 2 : 1 }));
  return found;
}

/** EfficientDet and others of TensorFlow: y comes first. */
function tensorFlowRows(evidence: Evidence, output: Output): Candidate[] {
  const columns = output.seen?.columns ?? [];
  if (output.seen !== null && columns[0]?.isWhole === false) return [];
  return (['yxyx', 'xyxy'] as const).map((boxes) =>
    rowReading(evidence, output, { row: 'image-box-score-label', boxes, level: 1, firstLabel: 1 }),
  );
}

interface RowParts {
  readonly row: Row;
  readonly boxes: Boxes;
  readonly level: 1 | 2;
  readonly unit?: 'pixels' | 'share';
  readonly firstLabel?: 0 | 1;
  readonly isCenterNet?: boolean;
}

function rowReading(evidence: Evidence, output: Output, parts: RowParts): Candidate {
  const { row, boxes, level, unit = 'pixels', firstLabel = 0, isCenterNet = false } = parts;
  const isTensorFlow = firstLabel === 1;
  const isShare = unit === 'share';
  const fit = isCenterNet || isShare ? { fit: 'stretch' as const } : isTensorFlow ? asItIs : padded;
  const free = evidence.image!.width === null && isTensorFlow ? { width: 8, height: 8 } : {};
  const values = isCenterNet ? { divisor: 1 } : {};
  const names = namesFor(evidence, isCenterNet ? 80 : null);
  const isCorners = boxes !== 'cxcywh';
  const share = output.seen === null ? null : output.seen.cornerShare;
  return reading({
    id: `rows-${row}-${boxes}`,
    name: boxNames[boxes],
    formula: formulaOf(row, boxes),
    result: 'boxes',
    level,
    uses: isCenterNet ? 'all' : [output.name],
    description: descriptionOf(
      'boxes',
      { ...inputOf(evidence.image!, 640, { ...fit, ...values }), ...free },
      {
        labels: names.labels.length > 1 ? names.labels : numberedLabels(output, row),
        output: { boxes, unit, row, first_label: firstLabel },
      },
    ),
    reasons: [
      `${sizeAt(output, -2) ?? 'Many'} rows of ${sizeAt(output, -1) ?? '?'} numbers.`,
      ...(isCenterNet ? ['"detections" beside raw maps: CenterNet, whose maps are not needed.'] : []),
      ...(share === 1 && isCorners && row.startsWith('box')
        ? ['The third and fourth numbers are larger than the first and second in all rows.']
        : []),
    ],
    against: [
      ...(share === 1 && !isCorners
        ? ['The third and fourth numbers are larger than the first and second in all rows.']
        : []),
      ...(share !== null && share < 1 && isCorners && row.startsWith('box')
        ? ['In some rows, the third number is smaller than the first.']
        : []),
    ],
    questions: [
      ...names.questions,
      isCenterNet
        ? null
        : ask(
            ['boxes', 'columns'],
            'The file does not tell the order of the numbers, nor whether boxes are in pixels. Compare a result with its image.',
          ),
      askNormalization(
        isCenterNet
          ? 'Values from 0 to 255 are assumed.'
          : 'Values from 0 to 1 are assumed, or 0 to 255 for integer inputs.',
      ),
      isTensorFlow ? null : askFit('The assumed way is in the settings.'),
      ...askLayout(evidence),
    ],
  });
}

const asItIs = { fit: 'multiple' } as const;

function numberedLabels({ seen }: Output, row: Row): string[] {
  const column = { 'box-score-label': 5, 'label-score-box': 0, 'image-box-score-label': 6, 'image-box-label-score': 5 }[
    row
  ];
  const most = seen?.columns[column]?.max ?? 79;
  const count = Number.isFinite(most) ? Math.max(80, Math.min(10_000, Math.round(most) + 1)) : 80;
  return Array.from({ length: count }, (_, index) => `label ${index}`);
}

/** YOLO-NAS, and the suppression of TensorRT: a count, boxes, scores and labels as separate outputs. */
export const countedBoxes: Reading = (evidence) => {
  if (!isPlainImage(evidence) || evidence.outputs.length !== 4) return [];
  const number = named(evidence, /^num_(predictions|dets|detections)/);
  const boxes = named(evidence, /^(pred|det)_boxes/);
  if (number === undefined || boxes === undefined || sizeAt(boxes, -1) !== 4) return [];
  if (named(evidence, /^(pred|det)_scores/) === undefined || named(evidence, /^(pred|det)_classes/) === undefined)
    return [];
  const names = namesFor(evidence, null);
  return [
    reading({
      id: 'counted-boxes',
      name: 'Counted boxes',
      formula: 'x1 y1 x2 y2, score, label',
      result: 'boxes',
      level: 2,
      description: descriptionOf('instances', inputOf(evidence.image!, 640, padded), {
        labels: names.labels.length > 1 ? names.labels : numberedLabels(boxes, 'box-score-label'),
      }),
      reasons: [`"${number.name}", boxes, scores and labels: YOLO-NAS, or suppression as in TensorRT.`],
      questions: [
        ...names.questions,
        ...(evidence.image?.type === 'uint8' ? [] : [askNormalization('Values from 0 to 1 are assumed.')]),
        askFit('Padding in gray (114) is assumed.'),
      ],
    }),
  ];
};

/** YOLO-World: texts go in as features. */
export const yoloWorld: Reading = (evidence) => {
  if (evidence.image === null || !takes(evidence, /text_features/) || named(evidence, /boxes/) === undefined) return [];
  return [
    reading({
      id: 'yolo-world',
      name: 'Boxes for texts',
      result: 'text-prompt',
      level: 2,
      input: inputOf(evidence.image, 640, padded),
      missing: 'it needs a text encoder and its tokenizer',
      reasons: ['Takes text features and returns boxes with a score per text: YOLO-World.'],
      questions: [ask('part', 'The text encoder and its tokenizer are other files.')],
    }),
  ];
};
