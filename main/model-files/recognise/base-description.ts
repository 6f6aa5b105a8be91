import type {
  ModelDescription,
  ModelInput,
  ModelFileInspection,
} from '../../../preload/contract/schema/model-files.ts';
import type { OnnxFacts, OnnxValue } from '../onnx/read-onnx.ts';

export type Recognised = Pick<ModelFileInspection, 'description' | 'problem' | 'reasons' | 'questions' | 'needs'>;

export const imageNet = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };

const isSize = (value: unknown): value is number => typeof value === 'number';

/** The image input, with three channels first or last; null if there is none. */
export function pictureInput(facts: OnnxFacts): OnnxValue | null {
  const isPicture = ({ dimensions, type }: OnnxValue) =>
    /^(float|uint8)/.test(type) &&
    dimensions !== null &&
    [3, 4].includes(dimensions.length) &&
    layoutOf(dimensions) !== null;
  return facts.inputs.find(isPicture) ?? null;
}

export function layoutOf(dimensions: NonNullable<OnnxValue['dimensions']>): ModelInput['layout'] | null {
  const isBatch = dimensions.length === 4;
  const channelsFirst = dimensions[dimensions.length - 3];
  const channelsLast = dimensions.at(-1);
  if (channelsFirst === 3) return isBatch ? 'NCHW' : 'CHW';
  if (channelsLast === 3) return isBatch ? 'NHWC' : 'HWC';
  // Undeclared layouts are channels-first, as with nearly all exporters.
  return isBatch && !isSize(channelsFirst) && !isSize(channelsLast) ? 'NCHW' : null;
}

/** Describes the input from its shape; the rest are the most common values of trainers. */
export function inputOf(value: OnnxValue, side: number): ModelInput {
  const dimensions = value.dimensions ?? [];
  const layout = layoutOf(dimensions) ?? 'NCHW';
  const [height, width] = layout.endsWith('C') ? dimensions.slice(-3, -1) : dimensions.slice(-2);
  const isFixed = isSize(height) && isSize(width);
  return {
    layout,
    type: value.type === 'float16' || value.type === 'uint8' ? value.type : 'float32',
    width: isSize(width) ? width : side,
    height: isSize(height) ? height : side,
    is_size_free: !isFixed,
    colour: 'RGB',
    divisor: value.type === 'uint8' ? 1 : 255,
    mean: [0, 0, 0],
    deviation: [1, 1, 1],
    fit: 'stretch',
    least_side: 0,
    fill: 0,
  };
}

export function descriptionOf(
  head: ModelDescription['head'],
  input: ModelInput,
  more: Partial<Omit<ModelDescription, 'head' | 'input' | 'output'>> & {
    readonly output?: Partial<ModelDescription['output']>;
  },
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
    ...more,
    input,
    output: { boxes: 'xyxy', unit: 'pixels', scores: 'none', first_label: 0, shape: 'rectangle', ...more.output },
  };
}

const valueText = ({ name, type, dimensions }: OnnxValue): string =>
  `${name} ${type} [${dimensions === null ? '…' : dimensions.map((one) => one ?? '?').join(', ')}]`;

export const seenText = (facts: OnnxFacts): string =>
  `inputs ${facts.inputs.map(valueText).join('; ')}; outputs ${facts.outputs.map(valueText).join('; ')}`;
