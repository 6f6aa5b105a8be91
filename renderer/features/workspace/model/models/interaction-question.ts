import type { LambdaFunction } from '../../../../../preload/contract/schema/functions.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { Prompts, ShapeRecord } from '../../../../canvas/types.ts';
import { defaultAttributes } from '../labels/label-rules.ts';
import type { Outline } from './interaction-answer.ts';
import { previewPrefix } from './suggestions.ts';

export function missingPrompt(
  model: LambdaFunction,
  { positive, negative, box }: Prompts,
): 'box' | 'positive' | 'negative' | null {
  const isBoxOptional = model.startswith_box_optional === true;
  if (model.startswith_box === true && !isBoxOptional && box === null) return 'box';
  const least = Math.max(model.min_pos_points ?? 1, box === null ? 1 : 0);
  if (!(isBoxOptional && box !== null) && positive.length < least) return 'positive';
  return negative.length < (model.min_neg_points ?? 0) ? 'negative' : null;
}

/** −1 means that the model does not support negative points. */
export const knowsNegative = (model: LambdaFunction): boolean => (model.min_neg_points ?? -1) >= 0;

/** Points and box in the format of the service. */
export function promptFields(model: LambdaFunction, { positive, negative, box }: Prompts): object {
  const pairs = (points: Prompts['positive']): number[][] => points.map(({ x, y }) => [x, y]);
  const corners =
    box === null
      ? []
      : [
          { x: box.left, y: box.top },
          { x: box.right, y: box.bottom },
        ];
  return {
    pos_points: pairs(positive),
    neg_points: knowsNegative(model) ? pairs(negative) : [],
    obj_bbox: box === null ? null : pairs(corners),
  };
}

export const previewRecord = ({ type, points }: Outline, frame: number, label: Label, index: number): ShapeRecord => ({
  kind: 'shape',
  clientId: `${previewPrefix}${index}`,
  type,
  frame,
  labelId: label.id,
  points,
  rotation: 0,
  occluded: false,
  outside: false,
  zOrder: 0,
  group: 0,
  attributes: defaultAttributes(label),
  source: 'semi-auto',
  score: 1,
  locked: false,
  hidden: false,
  suggestion: true,
});

export function keptRecord(preview: ShapeRecord, clientId: string): ShapeRecord {
  const { suggestion: _open, ...rest } = preview;
  return { ...rest, clientId };
}
