import { isFloat, isInteger, isPaddle, named, sizeAt, takes } from '../evidence.ts';
import { labelsInFile } from '../labels.ts';
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
  type Reading,
} from '../reading.ts';

export const tokenizerElsewhere = 'The tokenizer is another file (tokenizer.json, or vocabulary and merges).';
const tokenQuestion = ask('part', tokenizerElsewhere);

/** Detectors that take a text: Grounding DINO and OWL. */
export const textPrompt: Reading = (evidence) => {
  if (evidence.image === null || !takes(evidence, /^input_ids$/)) return [];
  const boxes = named(evidence, /boxes$/);
  if (boxes === undefined || named(evidence, /^logits$/) === undefined) return [];
  // Only BERT, the text encoder of Grounding DINO, has token types and own positions.
  const isOwl =
    named(evidence, /objectness/) !== undefined || !takes(evidence, /^(token_type_ids|position_ids|text_token_mask)$/);
  const isSquare = evidence.image.width !== null && evidence.image.width === evidence.image.height;
  const input = inputOf(
    evidence.image,
    800,
    isOwl ? { ...clipValues, fit: 'corner', fill: 128, smooth: true } : imageNet,
  );
  const description = descriptionOf(isOwl ? 'owl' : 'grounding-dino', input, {
    threshold: isOwl ? 0.1 : 0.35,
    overlap: isOwl ? 0.3 : 0.8,
    output: { boxes: 'cxcywh', unit: 'share', scores: 'sigmoid' },
  });
  return [
    reading({
      id: isOwl ? 'owl' : 'grounding-dino',
      name: 'Boxes for texts',
      result: 'text-prompt',
      level: 2,
      description,
      reasons: [`Takes an image and token numbers, and returns boxes: ${isOwl ? 'OWLv2' : 'Grounding DINO'}.`],
      questions: [
        tokenQuestion,
        isOwl || (evidence.image.width !== null && !isSquare && !takes(evidence, /^pixel_mask$/))
          ? null
          : askFit('The shorter side becomes 800; Hugging Face’s models keep proportions.'),
        isOwl ? askNormalization('CLIP’s values are assumed.') : null,
      ],
    }),
  ];
};

/** Encoders of texts, without an image. */
export const textEncoder: Reading = (evidence) => {
  const { facts, image } = evidence;
  if (image !== null || !takes(evidence, /^(input_ids|tokens)$/)) return [];
  if (facts.inputs.some((one) => !isInteger(one) && one.type !== 'bool')) return [];
  const isSam3 = named(evidence, /text_memory/) !== undefined;
  return [
    reading({
      id: 'text-encoder',
      name: 'Text encoder',
      result: 'text-encoder',
      level: 2,
      missing: isSam3
        ? 'it is the language encoder of SAM 3, and needs the image encoder and the decoder'
        : 'it encodes texts, and needs the image model that it belongs to',
      reasons: ['Takes token numbers and no image.'],
      questions: [ask('part', 'The image model is another file.')],
    }),
  ];
};

const fewestLetters = 20;
/** No detector has so many labels. */
const mostLabels = 1500;

/** PP-OCR's recognition: letters along a line of text. */
export const textLine: Reading = (evidence) => {
  const { image, outputs, others } = evidence;
  const [output] = outputs;
  if (image === null || others.length > 0 || output === undefined || outputs.length !== 1 || output.rank !== 3)
    return [];
  const letters = sizeAt(output, -1);
  const isLine = image.height !== null && image.height <= 64 && (image.width === null || image.width > image.height);
  const isFree = image.height === null && isPaddle(evidence) && (letters ?? 0) > mostLabels;
  if (!isFloat(output) || !(isLine || isFree) || letters === null || letters < fewestLetters) return [];
  const hasLetters = labelsInFile(evidence) !== null || evidence.labelsBeside !== null;
  const isKnown = isPaddle(evidence) || hasLetters;
  return [
    reading({
      id: 'text-line',
      name: 'Letters of a line',
      formula: `${letters} letters per step`,
      result: 'text',
      level: isKnown ? 2 : 1,
      input: inputOf(image, 320, { ...halves, colour: 'BGR', height: image.height ?? 48 }),
      needs: 'detector',
      missing: 'it reads lines of text in the regions of a text detector. Add the file of the detector as well',
      reasons: [
        `A line of ${image.height ?? 'any'} pixels goes in and ${letters} letters per step come out: PP-OCR’s recognition.`,
      ],
      questions: [
        hasLetters
          ? null
          : ask('labels', 'The file does not contain its letters. Add its dictionary: a .txt file or inference.yml.'),
        isKnown ? null : askNormalization('PP-OCR’s values are assumed.'),
      ],
    }),
  ];
};
