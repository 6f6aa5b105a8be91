import type {
  ModelDescription,
  ModelInput,
  ModelReading,
  modelUnknowns,
} from '../../../preload/contract/schema/model-files.ts';
import type { OnnxValue } from '../onnx/read-onnx.ts';
import type { Evidence, ImageInput } from './evidence.ts';

/**
 * Strength of the evidence: shapes fit; names and shapes together fit; the metadata tells it. Weaker readings are
 * dropped if a stronger one fits.
 */
export type Level = 1 | 2 | 3;

export interface Candidate extends ModelReading {
  readonly level: Level;
  /** Outputs that the reading explains; others are listed as evidence against it. */
  readonly uses: 'all' | readonly string[];
}

/** Explains a file, or returns nothing if the evidence contradicts it. */
export type Reading = (evidence: Evidence) => readonly Candidate[];

export type Unknown = (typeof modelUnknowns)[number];
type Question = ModelReading['questions'][number];

export const imageNet = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };
/** The same for values from 0 to 255. */
export const imageNetBytes = { divisor: 1, mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375] };
export const halves = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] };
export const clipValues = {
  mean: [0.48145466, 0.4578275, 0.40821073],
  deviation: [0.26862954, 0.26130258, 0.27577711],
};

/** Describes the input from its shape; the rest are the most common values of trainers. */
export function inputOf(image: ImageInput, side: number, more: Partial<ModelInput> = {}): ModelInput {
  const { layout, type, width, height } = image;
  const isBytes = type === 'uint8' || type === 'int32';
  return {
    layout,
    type: type === 'float16' || type === 'uint8' || type === 'int32' ? type : 'float32',
    width: width ?? side,
    height: height ?? side,
    is_size_free: width === null || height === null,
    colour: 'RGB',
    divisor: isBytes ? 1 : 255,
    mean: [0, 0, 0],
    deviation: [1, 1, 1],
    fit: 'stretch',
    smooth: false,
    least_side: 0,
    fill: 0,
    ...more,
    ...(isBytes ? { divisor: 1, mean: [0, 0, 0], deviation: [1, 1, 1] } : {}),
  };
}

type DescriptionParts = Partial<Omit<ModelDescription, 'head' | 'input' | 'output'>> & {
  readonly output?: Partial<ModelDescription['output']>;
};

export function descriptionOf(
  head: ModelDescription['head'],
  input: ModelInput,
  more: DescriptionParts = {},
): ModelDescription {
  return {
    kind: 'detector',
    head,
    task: 'detect',
    threshold: 0.25,
    overlap: null,
    labels: [],
    keypoints: [],
    frees_sizes: false,
    recognition: null,
    ...more,
    input,
    output: {
      boxes: 'xyxy',
      unit: 'pixels',
      scores: 'none',
      first_label: 0,
      shape: 'rectangle',
      row: 'box-score-label',
      map: 'planes',
      ...more.output,
    },
  };
}

interface Parts {
  readonly id: string;
  readonly name: string;
  readonly formula?: string;
  readonly result: ModelReading['result'];
  readonly level: Level;
  readonly input?: ModelInput | null;
  readonly description?: ModelDescription | null;
  readonly missing?: string;
  readonly needs?: ModelReading['needs'];
  readonly uses?: Candidate['uses'];
  readonly reasons: readonly string[];
  readonly against?: readonly string[];
  readonly questions?: readonly (Question | null | undefined)[];
}

export function reading(parts: Parts): Candidate {
  const { description = null, input = description?.input ?? null, questions = [] } = parts;
  return {
    id: parts.id,
    name: parts.name,
    formula: parts.formula ?? '',
    result: parts.result,
    level: parts.level,
    input,
    description,
    missing: parts.missing ?? null,
    needs: parts.needs ?? 'nothing',
    uses: parts.uses ?? 'all',
    reasons: [...parts.reasons],
    against: [...(parts.against ?? [])],
    questions: questions.filter((one) => one !== null && one !== undefined),
  };
}

export const ask = (about: Unknown | readonly Unknown[], text: string): Question => ({
  about: typeof about === 'string' ? [about] : [...about],
  text,
});

export const askNormalization = (words: string): Question =>
  ask(['normalization', 'colour'], `The file does not tell the normalization. ${words} Check the result on an image.`);

export const askFit = (words: string): Question =>
  ask('fit', `The file does not tell how images are resized. ${words}`);

const valueText = ({ name, type, dimensions }: OnnxValue): string =>
  `${name} ${type} [${dimensions === null ? '…' : dimensions.map((one) => one ?? '?').join(', ')}]`;

export const seenText = ({ inputs, outputs }: Evidence['facts']): string =>
  `inputs ${inputs.map(valueText).join('; ')}; outputs ${outputs.map(valueText).join('; ')}`;
