import { isFloat, isPaddle, named, sizeAt, takes, within, type Evidence, type Output } from '../evidence.ts';
import { namesFor } from '../labels.ts';
import {
  ask,
  askFit,
  askNormalization,
  clipValues,
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
/** Lengths of image vectors of the usual backbones. */
const widths: ReadonlySet<number> = new Set([192, 256, 384, 512, 640, 768, 1024, 1152, 1280, 1536, 2048]);
const noUse = 'its image vectors are not used yet';

/** One vector of label scores per image. */
export const classes: Reading = (evidence) => {
  const [output] = evidence.outputs;
  const { image } = evidence;
  if (!isPlainImage(evidence) || output === undefined || evidence.outputs.length !== 1) return [];
  // A model of one image without a batch returns rows, not one vector; a second input tells of boxes.
  if (!image!.layout.startsWith('N') || evidence.facts.inputs.length > 1) return [];
  const count = sizeAt(output, -1);
  const isVector = output.rank === 2 && (sizeAt(output, 0) ?? 1) === image!.batch;
  if (!isVector || !isFloat(output) || count === null || count < 2 || /embed/.test(output.name)) return [];
  if (isPaddle(evidence) && count === 2 && (image!.height ?? 48) === 48) return [direction(evidence)];
  const kind = scoresOf(output);
  const names = namesFor(evidence, count);
  const isKeras = image!.layout === 'NHWC';
  const isVectorToo = kind === null && widths.has(count) && names.questions.length > 0;
  const scores = kind ?? 'softmax';
  const label = reading({
    id: 'classes',
    name: 'Labels of the image',
    formula: `${count} scores`,
    result: 'labels',
    level: 1,
    description: descriptionOf(
      'classes',
      inputOf(image!, 224, isKeras ? {} : { ...imageNet, fit: 'crop', smooth: true }),
      {
        labels: names.labels,
        threshold: 0.5,
        output: { shape: 'tag', scores },
      },
    ),
    reasons: [`${count} numbers per image: image classification.`, ...scoreReasons(output, kind), ...names.reasons],
    questions: [
      ...names.questions,
      isKeras
        ? askNormalization('Values from 0 to 1 are assumed; Keras models also use −1 to 1 and 0 to 255.')
        : askNormalization('ImageNet’s mean and deviation are assumed.'),
      askFit(isKeras ? 'Stretching is assumed.' : 'A center crop is assumed.'),
      kind === 'none' && output.tail[0] === 'Softmax'
        ? null
        : ask('scores', 'The file does not tell whether one or several labels apply.'),
      [6, 7].includes(count) && kind !== 'none'
        ? ask(['kind', 'columns', 'fit'], 'One row of 6 or 7 numbers could also be a box.')
        : null,
      ...askLayout(evidence),
    ],
  });
  return isVectorToo ? [label, embedding(evidence, output, 1)] : [label];
};

/** How numbers become scores, by the last operator or the values of the trial run; null if neither tells. */
function scoresOf({ tail, seen }: Output): 'none' | 'softmax' | null {
  if (tail[0] === 'Softmax' || tail[0] === 'Sigmoid' || seen?.isDistribution === true) return 'none';
  return within(seen, 0, 1) === false ? 'softmax' : null;
}

function scoreReasons({ tail }: Output, kind: 'none' | 'softmax' | null): string[] {
  if (tail[0] === 'Softmax' || tail[0] === 'Sigmoid')
    return [`The graph ends with ${tail[0]}, so scores are used unchanged.`];
  if (kind === 'none') return ['The scores of the sample sum to 1.'];
  return kind === 'softmax' ? ['The scores of the sample are not between 0 and 1, so softmax is applied.'] : [];
}

/** PP-OCR's direction of a line of text. */
function direction(evidence: Evidence): Candidate {
  const { width, height } = evidence.image!;
  const line = { width: width ?? 192, height: height ?? 48 };
  const input = { ...inputOf(evidence.image!, 192, { ...halves, colour: 'BGR' }), ...line };
  return reading({
    id: 'direction',
    name: 'Direction of text',
    result: 'labels',
    level: 2,
    description: descriptionOf('classes', input, {
      labels: ['0', '180'],
      threshold: 0.5,
      output: { shape: 'tag' },
    }),
    reasons: ['Two scores, an input "x" and the producer paddle2onnx: PP-OCR’s direction of a line of text.'],
    questions: [ask('labels', 'The labels 0 and 180 (degrees) are assumed.')],
  });
}

/** CLIP, SigLIP, DINO: vectors of the image, or of each patch. */
export const embeddings: Reading = (evidence) => {
  const { image, outputs } = evidence;
  if (image === null) return [];
  if (
    takes(evidence, /^input_ids$/) &&
    named(evidence, /image_embeds/) !== undefined &&
    named(evidence, /text_embeds/) !== undefined
  ) {
    return [towers(evidence)];
  }
  if (!isPlainImage(evidence)) return [];
  const vector = named(evidence, /embeds?$|pooler_output|embedding$/);
  const tokens = outputs.find(({ rank, name }) => rank === 3 && /hidden_state|features|tokens|embed/.test(name));
  if (vector !== undefined && vector.rank === 2) return [embedding(evidence, tokens ?? vector, 2)];
  if (tokens !== undefined && isTokens(evidence, tokens)) {
    return [tokens.name === 'image_features' ? languagePart(evidence, tokens) : embedding(evidence, tokens, 2)];
  }
  const [output] = outputs;
  const isLone = output !== undefined && outputs.length <= 2 && output.rank === 3 && isTokens(evidence, output);
  return isLone ? [embedding(evidence, output, 1), languagePart(evidence, output, 1)] : [];
};

/** True for one row per patch of 14, 16 or 32 pixels, with up to five rows before them. */
function isTokens({ size }: Evidence, output: Output): boolean {
  const [rows, width] = [sizeAt(output, 1), sizeAt(output, 2)];
  if (!isFloat(output) || width === null || !widths.has(width)) return false;
  if (rows === null || size === null) return true;
  return [14, 16, 32].some((patch) => {
    const patches = Math.floor(size.width / patch) * Math.floor(size.height / patch);
    return [0, 1, 5].includes(rows - patches);
  });
}

function embedding(evidence: Evidence, output: Output, level: 1 | 2): Candidate {
  const { image, size } = evidence;
  const isClip = level === 2 && /^image_embeds$/.test(output.name);
  const isSiglip = level === 2 && output.rank === 3 && sizeAt(output, 1) === 196 && size?.width === 224;
  const values = isClip ? clipValues : isSiglip ? halves : imageNet;
  return reading({
    id: 'embedding',
    name: 'Image vectors',
    result: 'embedding',
    level,
    input: inputOf(image!, 224, { ...values, fit: isSiglip ? 'stretch' : 'crop' }),
    missing: noUse,
    reasons: [
      isClip
        ? '"image_embeds" with one vector per image: the image encoder of CLIP.'
        : isSiglip
          ? '196 rows for 14 × 14 patches, without a class token: SigLIP.'
          : `Vectors of ${sizeAt(output, -1) ?? '?'} numbers: an image encoder such as DINOv2.`,
    ],
    questions: [
      isClip ? null : askNormalization('CLIP, SigLIP and DINO differ.'),
      level === 1
        ? ask(['kind', 'fit'], 'The file does not tell whether these are image vectors or label scores.')
        : null,
    ],
  });
}

function languagePart(evidence: Evidence, output: Output, level: 1 | 2 = 2): Candidate {
  return reading({
    id: 'language-part',
    name: 'Part of a language model',
    result: 'language-part',
    level,
    input: inputOf(evidence.image!, 768, imageNet),
    missing:
      'it is the vision encoder of a language model such as Florence-2, and needs embed_tokens, encoder_model and decoder_model_merged',
    reasons: [`"${output.name}" with one vector per patch.`],
    questions: [askNormalization('ImageNet’s mean and deviation are assumed.')],
  });
}

function towers(evidence: Evidence): Candidate {
  return reading({
    id: 'two-towers',
    name: 'Vectors of images and texts',
    result: 'image-text-embedding',
    level: 2,
    input: inputOf(evidence.image!, 224, { ...clipValues, fit: 'crop' }),
    missing: 'it needs a tokenizer (tokenizer.json), and its vectors are not used yet',
    reasons: ['Takes images and token numbers and returns vectors of both: CLIP or SigLIP.'],
    questions: [
      ask('part', 'The tokenizer is another file.'),
      askNormalization('CLIP’s values are assumed; SigLIP has others.'),
    ],
  });
}
