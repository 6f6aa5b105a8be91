import type { ModelFunction } from '../../../../preload/contract/schema/functions.ts';

export type Corner = readonly [x: number, y: number];

/** Input for an interactor or tracker, image pixels. */
export interface Prompts {
  readonly positive: readonly Corner[];
  readonly negative: readonly Corner[];
  /** None, one or two opposite corners. */
  readonly box: readonly Corner[];
}
export const noPrompts: Prompts = { positive: [], negative: [], box: [] };
export type PromptMode = keyof Prompts;

export const promptModes = (kind: ModelFunction['kind']): readonly PromptMode[] =>
  kind === 'interactor' ? ['positive', 'negative', 'box'] : kind === 'tracker' ? ['box'] : [];

/** A third corner starts a new box. */
export const withPrompt = (prompts: Prompts, mode: PromptMode, at: Corner): Prompts => ({
  ...prompts,
  [mode]: mode === 'box' && prompts.box.length === 2 ? [at] : [...prompts[mode], at],
});

/** Left, top, right, bottom; null with fewer than two corners. */
export function boxOf({ box }: Prompts): readonly [number, number, number, number] | null {
  const [first, second] = box;
  if (first === undefined || second === undefined) return null;
  const [ax, ay] = first;
  const [bx, by] = second;
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
}

/** Fields of a trial call besides the image, as CVAT sends them. */
export function trialFields(
  kind: ModelFunction['kind'],
  prompts: Prompts,
  threshold: number | '',
): Record<string, unknown> {
  const box = boxOf(prompts);
  const level = threshold === '' ? {} : { threshold };
  if (kind === 'interactor') {
    const corners = box === null ? null : [box.slice(0, 2), box.slice(2)];
    return { pos_points: prompts.positive, neg_points: prompts.negative, obj_bbox: corners, ...level };
  }
  if (kind === 'tracker') return { shapes: box === null ? [] : [[...box]], states: [] };
  return kind === 'detector' ? level : {};
}

/** Missing input of a call; null if complete. */
export function missingPrompt(kind: ModelFunction['kind'], prompts: Prompts): 'needBox' | 'needPoint' | null {
  if (kind === 'tracker') return boxOf(prompts) === null ? 'needBox' : null;
  if (kind === 'interactor') return prompts.positive.length === 0 && boxOf(prompts) === null ? 'needPoint' : null;
  return null;
}
