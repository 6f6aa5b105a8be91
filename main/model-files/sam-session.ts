import { createHash } from 'node:crypto';
import { maskFromBitmap } from '../../preload/geometry/mask-runs.ts';
import { bitmapOfMap } from './heads/masks.ts';
import { scoreText } from './heads/found.ts';
import type { OnnxFacts, OnnxValue } from './onnx/read-onnx.ts';
import type { FileMoves } from './image/image-tensor.ts';
import { RuntimeProblem } from './runtime/runtime-process.ts';
import { numbersOf, outputLike, type Outputs, type Tensor } from './tensor.ts';

/** The user's prompts for an object, in pixels of the image. */
export interface Prompts {
  readonly positive: readonly (readonly number[])[];
  readonly negative: readonly (readonly number[])[];
  readonly box: readonly (readonly number[])[];
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export interface Features {
  readonly tensors: Outputs;
  readonly placing: FileMoves;
  readonly size: PictureSize;
}

const side = 1024;
/** Maximum side of a requested mask; a larger one costs time and adds no detail. */
const longestMask = 1024;
const keptBytes = 192 * 1024 * 1024;

/** Features of the last images, so that further clicks need only the decoder. */
export function createFeatureCache() {
  const kept = new Map<string, Features>();
  const bytesOf = ({ tensors }: Features) => Object.values(tensors).reduce((sum, { data }) => sum + data.byteLength, 0);
  return {
    keyOf: (owner: string, bytes: Uint8Array): string => createHash('sha256').update(owner).update(bytes).digest('hex'),
    get(key: string): Features | undefined {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found;
    },
    put(key: string, features: Features): void {
      kept.set(key, features);
      let total = [...kept.values()].reduce((sum, one) => sum + bytesOf(one), 0);
      for (const [oldest, one] of kept) {
        if (total <= keptBytes || kept.size === 1) break;
        kept.delete(oldest);
        total -= bytesOf(one);
      }
    },
    clear: (): void => kept.clear(),
  };
}

/** Places the image for Segment Anything: longer side 1024, top left. */
export function cornerPlacing({ width, height }: PictureSize): FileMoves {
  const scale = side / Math.max(width, height);
  const whole = (length: number) => Math.floor(length * scale + 0.5);
  const scales = { scaleX: whole(width) / width, scaleY: whole(height) / height };
  return { ...scales, offsetX: 0, offsetY: 0, width: side, height: side };
}

const noMask: Tensor = { type: 'float32', dims: [1, 1, 256, 256], data: new Float32Array(256 * 256) };

/** Fills the decoder's inputs by their roles, which have different names and shapes at different exporters. */
export function decoderFeeds(facts: OnnxFacts, features: Features, prompts: Prompts): Record<string, Tensor> {
  const { placing, size } = features;
  const takes = (pattern: RegExp) => facts.inputs.some(({ name }) => pattern.test(name));
  // The second version and Hugging Face's decoders add the padding point themselves.
  const isPadded = !takes(/^high_res_feat|^input_points$|^batched_/);
  const hasBoxInput = takes(/^input_boxes$/);
  if (takes(/^input_points$/) && !hasBoxInput && prompts.box.length > 0) {
    throw new RuntimeProblem('This decoder takes points only, not boxes. Click on the object instead.', 'invalid');
  }
  const mask = maskSize(size);
  // EfficientSAM takes points in pixels of `orig_im_size`, others in pixels of the model input.
  const [scaleX, scaleY] = takes(/^batched_/)
    ? [mask.width / size.width, mask.height / size.height]
    : [placing.scaleX, placing.scaleY];
  const place = ([x = 0, y = 0]: readonly number[]) => [x * scaleX, y * scaleY];
  const corners = hasBoxInput ? [] : prompts.box;
  const points = [...prompts.positive, ...prompts.negative, ...corners].map(place);
  const labels = [...prompts.positive.map(() => 1), ...prompts.negative.map(() => 0), ...corners.map((_, i) => i + 2)];
  if (prompts.box.length === 0 && isPadded) {
    points.push([0, 0]);
    labels.push(-1);
  }
  const box = prompts.box.flatMap(place);
  const valueFor = (name: string, rank: number): { dims: number[]; values: number[] } | null => {
    if (/point_coords$|^input_points$/.test(name)) {
      return { dims: [...ones(rank - 2), points.length, 2], values: points.flat() };
    }
    if (/point_labels$|^input_labels$/.test(name)) return { dims: [...ones(rank - 1), labels.length], values: labels };
    if (name === 'input_boxes') return { dims: [1, box.length / 4, 4], values: box };
    if (name === 'has_mask_input') return { dims: [1], values: [0] };
    return name === 'orig_im_size' ? { dims: [2], values: [mask.height, mask.width] } : null;
  };
  return Object.fromEntries(
    facts.inputs.map((input) => {
      const { name, type, dimensions } = input;
      if (name === 'mask_input') return [name, noMask];
      const value = valueFor(name, dimensions?.length ?? 3);
      return [name, value === null ? featureFor(input, features.tensors) : typed(type, value.values, value.dims)];
    }),
  );
}

const ones = (count: number): number[] => Array.from({ length: Math.max(1, count) }, () => 1);

function typed(type: string, values: readonly number[], dims: readonly number[]): Tensor {
  if (type === 'int64') return { type, dims, data: BigInt64Array.from(values, (value) => BigInt(Math.round(value))) };
  if (type === 'int32') return { type, dims, data: Int32Array.from(values) };
  return { type: 'float32', dims, data: Float32Array.from(values) };
}

function maskSize({ width, height }: PictureSize): PictureSize {
  const shrink = Math.min(1, longestMask / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * shrink)), height: Math.max(1, Math.round(height * shrink)) };
}

/** Feature by name, else by its channels: 256 unless the decoder declares others. */
function featureFor({ name, dimensions }: OnnxValue, features: Outputs): Tensor {
  const own = features[name];
  if (own !== undefined) return own;
  const channels = typeof dimensions?.[1] === 'number' ? dimensions[1] : 256;
  return outputLike(features, 'features', ({ dims }) => dims.length === 4 && dims[1] === channels);
}

/** The mask with the highest predicted quality, in the format of CVAT's interactors. */
export function decodeMask(outputs: Outputs, features: Features): { readonly shapes: readonly object[] } {
  const { size, placing } = features;
  const masks = outputLike(
    outputs,
    'masks',
    ({ dims }, name) => dims.length >= 2 && /^(output_|pred_)?masks?$/.test(name),
  );
  // Hugging Face's decoders say whether the object is in the image at all.
  const presence = outputs['object_score_logits'];
  if (presence !== undefined && (numbersOf(presence)[0] ?? 1) <= 0) return { shapes: [] };
  const trust = Object.entries(outputs).find(([name]) => /iou/.test(name) || /^scores?$/.test(name))?.[1];
  const scores = trust === undefined ? [] : Array.from(numbersOf(trust));
  const [rows = 0, columns = 0] = masks.dims.slice(-2);
  const count = masks.data.length / Math.max(1, rows * columns);
  const best = scores.slice(0, count).reduce((most, score, index, all) => (score > (all[most] ?? 0) ? index : most), 0);
  const number = (name: string) => {
    const tensor = outputs[name];
    return tensor === undefined ? null : (numbersOf(tensor)[0] ?? 0);
  };
  const [left, top] = [number('xtl'), number('ytl')];
  const wanted = maskSize(size);
  const isWhole = columns === wanted.width && rows === wanted.height;
  // Scale from image to mask. The mask covers the image, a crop around the object, or the complete model input.
  const [across, down] = isWhole
    ? [columns / size.width, rows / size.height]
    : left !== null && top !== null
      ? [wanted.width / size.width, wanted.height / size.height]
      : [(placing.scaleX * columns) / placing.width, (placing.scaleY * rows) / placing.height];
  const isCut = !isWhole && left !== null && top !== null;
  const [shiftX, shiftY] = isCut ? [left, top] : [0, 0];
  const set = extentOf(numbersOf(masks), best * rows * columns, columns, rows);
  if (set === null) return { shapes: [] };
  const box = {
    left: (set.left - 1 + shiftX) / across,
    top: (set.top - 1 + shiftY) / down,
    right: (set.right + 2 + shiftX) / across,
    bottom: (set.bottom + 2 + shiftY) / down,
  };
  const bits = bitmapOfMap(box, size, {
    values: numbersOf(masks),
    start: best * rows * columns,
    columns,
    rows,
    scale: [across, down],
    shift: [shiftX, shiftY],
  });
  if (bits === null) return { shapes: [] };
  const cut = maskFromBitmap(bits.bits, bits.width, bits.bits.length / bits.width);
  if (cut === null) return { shapes: [] };
  const corner = [bits.left, bits.top, bits.left, bits.top];
  const points = cut.map((value, index) => value + (corner[index - cut.length + 4] ?? 0));
  const score = scores[best];
  const confidence = score === undefined ? {} : { confidence: scoreText(Math.min(1, Math.max(0, score))) };
  return { shapes: [{ type: 'mask', points, ...confidence }] };
}

/** Bounding box of the object in rows and columns. */
function extentOf(values: ArrayLike<number>, start: number, columns: number, rows: number) {
  let [left, top, right, bottom] = [columns, rows, -1, -1];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (!((values[start + row * columns + column] ?? 0) > 0)) continue;
      [left, right] = [Math.min(left, column), Math.max(right, column)];
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
    }
  }
  return right < 0 ? null : { left, top, right, bottom };
}
