import type { ModelInput } from '../../../preload/contract/schema/model-files.ts';
import type { Configuration } from '../configurations/configuration.ts';
import type { Dimension, OnnxFacts, OnnxValue } from '../onnx/read-onnx.ts';
import type { Observed, TrialRun } from './observed.ts';

export interface ImageInput {
  readonly name: string;
  readonly type: string;
  readonly layout: ModelInput['layout'];
  readonly width: number | null;
  readonly height: number | null;
  /** Fixed batch size; 1 if it is free or there is none. */
  readonly batch: number;
  /** False if the file does not declare which axis has the channels. */
  readonly isLayoutDeclared: boolean;
}

/** Output with the sizes of the trial run where the file declares none. */
export interface Output {
  readonly name: string;
  readonly type: string;
  /** Null for an unknown rank. */
  readonly dims: readonly Dimension[] | null;
  readonly rank: number;
  /** Last operators, nearest first. */
  readonly tail: readonly string[];
  /** Values of the trial run. */
  readonly seen: Observed | null;
}

export interface Evidence {
  readonly facts: OnnxFacts;
  readonly image: ImageInput | null;
  /** Inputs other than the image and those that Limner fills in. */
  readonly others: readonly OnnxValue[];
  readonly outputs: readonly Output[];
  /** Size of the model input: fixed in the file, or that of the trial run. */
  readonly size: { readonly width: number; readonly height: number } | null;
  /** Configuration beside the file that contains labels. */
  readonly labelsBeside: Pick<Configuration, 'fileName' | 'labels'> | null;
}

const isSize = (value: unknown): value is number => typeof value === 'number';
export const isInteger = ({ type }: { readonly type: string }): boolean => /^u?int/.test(type);
export const isFloat = ({ type }: { readonly type: string }): boolean => type.startsWith('float');

/** Size of an axis, counted from the end with negative numbers; null if it is free. */
export function sizeAt({ dims }: Pick<Output, 'dims'>, place: number): number | null {
  const size = dims?.at(place);
  return isSize(size) ? size : null;
}

function layoutOf(dimensions: readonly Dimension[]): ModelInput['layout'] | null {
  const isBatch = dimensions.length === 4;
  const channelsFirst = dimensions[dimensions.length - 3];
  const channelsLast = dimensions.at(-1);
  if (channelsFirst === 3) return isBatch ? 'NCHW' : 'CHW';
  if (channelsLast === 3) return isBatch ? 'NHWC' : 'HWC';
  // Undeclared layouts are channels-first, as with nearly all exporters.
  return isBatch && !isSize(channelsFirst) && !isSize(channelsLast) ? 'NCHW' : null;
}

/** The image input, with three channels first or last; null if there is none. */
export function imageInput(facts: Pick<OnnxFacts, 'inputs'>): ImageInput | null {
  for (const { name, type, dimensions } of facts.inputs) {
    if (!/^(float|uint8|int32)/.test(type) || dimensions === null || ![3, 4].includes(dimensions.length)) continue;
    const layout = layoutOf(dimensions);
    if (layout === null) continue;
    const [height, width] = layout.endsWith('C') ? dimensions.slice(-3, -1) : dimensions.slice(-2);
    const batch = dimensions.length === 4 ? dimensions[0] : 1;
    return {
      name,
      type,
      layout,
      width: isSize(width) ? width : null,
      height: isSize(height) ? height : null,
      batch: isSize(batch) ? batch : 1,
      isLayoutDeclared: dimensions.some((size) => size === 3),
    };
  }
  return null;
}

/** Inputs that Limner can fill: the image size and the padding mask. */
const isCompanion = ({ name, type }: OnnxValue): boolean =>
  /orig_target_sizes|image_size|im_shape|pixel_mask/.test(name) && /int|float/.test(type);

export function evidenceOf(facts: OnnxFacts, run: TrialRun | null = null): Evidence {
  const image = imageInput(facts);
  const others = facts.inputs.filter((one) => one.name !== image?.name && !isCompanion(one));
  const outputs = facts.outputs.map(({ name, type, dimensions }): Output => {
    const seen = run?.outputs[name] ?? null;
    const dims = dimensions?.map((size, axis) => (isSize(size) ? size : (seen?.dims[axis] ?? size))) ?? null;
    const known = dims ?? seen?.dims ?? null;
    return {
      name,
      type: seen?.type ?? type,
      dims: known,
      rank: known?.length ?? -1,
      tail: facts.tails?.[name] ?? [],
      seen,
    };
  });
  const fixed = image?.width && image.height ? { width: image.width, height: image.height } : null;
  return { facts, image, others, outputs, size: run ?? fixed, labelsBeside: null };
}

const strideSets = [
  [8, 16, 32],
  [4, 8, 16, 32],
  [8, 16, 32, 64],
] as const;

export interface Grid {
  readonly strides: readonly number[];
  /** Boxes per cell. */
  readonly boxes: 1 | 3;
}

/** The grids whose cells give this number of rows, for example 8400 = 80² + 40² + 20² at 640. */
export function gridOf(rows: number | null, { size }: Pick<Evidence, 'size'>): Grid | null {
  if (rows === null || size === null) return null;
  for (const strides of strideSets) {
    const cells = strides.reduce(
      (sum, stride) => sum + Math.ceil(size.width / stride) * Math.ceil(size.height / stride),
      0,
    );
    for (const boxes of [1, 3] as const) if (rows === cells * boxes) return { strides, boxes };
  }
  return null;
}

export const named = (evidence: Evidence, pattern: RegExp): Output | undefined =>
  evidence.outputs.find(({ name }) => pattern.test(name));

export const takes = ({ facts }: Evidence, pattern: RegExp): boolean =>
  facts.inputs.some(({ name }) => pattern.test(name));

/** Paddle's exporter: by its name, or by its names of inputs and outputs. */
export const isPaddle = ({ facts, image }: Evidence): boolean =>
  image?.name === 'x' &&
  (facts.producer === 'paddle2onnx' || facts.outputs.every(({ name }) => /tmp_\d+$|fetch_name/.test(name)));

/** True if all values of the trial run are between the limits; null without a trial run. */
export function within(
  range: { readonly min: number; readonly max: number } | null | undefined,
  low: number,
  high: number,
) {
  return range === null || range === undefined || range.min > range.max ? null : range.min >= low && range.max <= high;
}
