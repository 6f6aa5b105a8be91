import type { ModelDescription } from '../../../preload/contract/schema/model-files.ts';
import type { PreparedPicture } from '../image/image-tensor.ts';
import type { PhraseInputs } from '../prompts/phrase-inputs.ts';
import type { Outputs } from '../tensor.ts';

export interface HeadInput {
  readonly outputs: Outputs;
  readonly description: ModelDescription;
  readonly placing: PreparedPicture['placing'];
  /** Image size in pixels. */
  readonly width: number;
  readonly height: number;
  readonly threshold: number;
  /** Only for models that take phrases. */
  readonly prompt?: Pick<PhraseInputs, 'phrases' | 'spans'>;
}

/** A box in pixels of the image, before clipping. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A result in the format of CVAT's detectors. */
export type DetectorItem = Readonly<Record<string, unknown>>;

/** More results per image are noise; only the best are returned. */
const maxResults = 1000;

const isMean = (value: number) => Number.isFinite(value);

/** Clips a box; null if nothing of it is inside the image. */
export function insidePicture(box: Box, { width, height }: Pick<HeadInput, 'width' | 'height'>): Box | null {
  const cut = (value: number, most: number) => Math.min(most, Math.max(0, value));
  const inside = {
    left: cut(box.left, width),
    top: cut(box.top, height),
    right: cut(box.right, width),
    bottom: cut(box.bottom, height),
  };
  const isThere = Object.values(inside).every(isMean) && inside.right > inside.left && inside.bottom > inside.top;
  return isThere ? inside : null;
}

export const labelOf = ({ labels, output }: ModelDescription, number: number): string =>
  labels[number - output.first_label] ?? '';

export const rounded = (value: number): number => Math.round(value * 100) / 100;
export const scoreText = (score: number): string => String(Math.round(score * 10_000) / 10_000);

export function rectangleItem(label: string, score: number, { left, top, right, bottom }: Box): DetectorItem {
  return {
    label,
    confidence: scoreText(score),
    type: 'rectangle',
    points: [left, top, right, bottom].map(rounded),
  };
}

export interface Scored {
  readonly box: Box;
  readonly score: number;
  readonly label: number;
}

const areaOf = ({ left, top, right, bottom }: Box): number => Math.max(0, right - left) * Math.max(0, bottom - top);

export function overlapOf(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / (areaOf(a) + areaOf(b) - width * height);
}

/** Limits the candidates before the quadratic comparison. */
const maxCandidates = 30_000;

/**
 * Non-maximum suppression per label; returns the best first.
 * @param overlap null returns all
 */
export function withoutOverlaps<Candidate extends Scored>(
  candidates: readonly Candidate[],
  overlap: number | null,
  measure: (a: Candidate, b: Candidate) => number = (a, b) => overlapOf(a.box, b.box),
): Candidate[] {
  const sorted = candidates.toSorted((a, b) => b.score - a.score).slice(0, maxCandidates);
  if (overlap === null) return sorted.slice(0, maxResults);
  const kept: Candidate[] = [];
  for (const candidate of sorted) {
    const isCovered = kept.some((one) => one.label === candidate.label && measure(one, candidate) > overlap);
    if (!isCovered) kept.push(candidate);
    if (kept.length >= maxResults) break;
  }
  return kept;
}

/** Converts a box from model input to image coordinates. */
export function placedBox(four: readonly [number, number, number, number], input: HeadInput): Box {
  const { placing, description } = input;
  const { boxes, unit } = description.output;
  const [across, down] = unit === 'share' ? [placing.width, placing.height] : [1, 1];
  const turned = boxes === 'yxyx' ? [four[1], four[0], four[3], four[2]] : four;
  const [a = 0, b = 0, c = 0, d = 0] = turned;
  const corners = boxes === 'cxcywh' ? [a - c / 2, b - d / 2, a + c / 2, b + d / 2] : [a, b, c, d];
  const [left = 0, top = 0, right = 0, bottom = 0] = corners;
  const x = (value: number) => (value * across - placing.offsetX) / placing.scaleX;
  const y = (value: number) => (value * down - placing.offsetY) / placing.scaleY;
  return { left: x(left), top: y(top), right: x(right), bottom: y(bottom) };
}
