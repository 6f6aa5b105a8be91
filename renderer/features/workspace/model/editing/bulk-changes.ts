import { added, changed, removed } from '../../../../canvas/changes.ts';
import { labelTakes } from '../../../../../preload/contract/label-fit.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { simplified } from '../../../../canvas/geometry/simplify-path.ts';
import { occludedTogether } from '../../../../canvas/shapes/point-states.ts';
import { behaviourOf } from '../../../../canvas/shapes/shape-behaviours.ts';
import { asType, isArea, type AreaType } from '../../../../canvas/shapes/shape-rings.ts';
import type { RecordChange, SceneRecord, ShapeRecord, Size } from '../../../../canvas/types.ts';
import { labelSuitsRecord, relabelled } from '../labels/label-rules.ts';

export type BulkAction =
  | { readonly kind: 'delete' }
  | { readonly kind: 'label'; readonly labelId: number }
  | { readonly kind: 'occluded'; readonly on: boolean }
  /** Maximum distance that an outline may move, image pixels. */
  | { readonly kind: 'simplify'; readonly tolerance: number }
  | { readonly kind: 'convert'; readonly type: AreaType };
export type BulkKind = BulkAction['kind'];
export const bulkKinds = ['label', 'occluded', 'simplify', 'convert', 'delete'] as const satisfies readonly BulkKind[];

interface BulkContext {
  readonly labels: readonly Label[];
  readonly size: Size;
  readonly newId: () => string;
}

function converted(shape: ShapeRecord, type: AreaType, { labels, size, newId }: BulkContext): RecordChange[] {
  const label = labels.find(({ id }) => id === shape.labelId);
  if (!isArea(shape) || shape.type === type || label === undefined || !labelTakes(label.type, type)) return [];
  const fresh = asType(shape, type, size).map((geometry): ShapeRecord => {
    const { serverId: _server, ...rest } = shape;
    return { ...rest, type, ...geometry, clientId: newId() };
  });
  if (fresh.length === 0) return [];
  return [removed(shape), ...fresh.map(added)];
}

/** Changes of an action to one object; empty if the action does not apply to its kind or it is locked. */
export function bulkChanges(before: SceneRecord, action: BulkAction, context: BulkContext): readonly RecordChange[] {
  if (before.locked) return [];
  if (action.kind === 'delete') return [removed(before)];
  if (action.kind === 'label') {
    const label = context.labels.find(({ id }) => id === action.labelId);
    const isFit = label !== undefined && label.id !== before.labelId && labelSuitsRecord(label, before, context.labels);
    // A patch never changes an object's kind.
    return isFit ? [changed(before, { ...before, ...relabelled(before, label, context.labels) } as SceneRecord)] : [];
  }
  if (before.kind === 'tag') return [];
  if (action.kind === 'convert') return converted(before, action.type, context);
  if (action.kind === 'occluded') {
    const patch = { occluded: action.on };
    return before.occluded === action.on
      ? []
      : [changed(before, { ...before, ...patch, ...occludedTogether(before, patch) })];
  }
  const { closed } = behaviourOf(before);
  if (closed === undefined) return [];
  const points = simplified(before.points, action.tolerance, closed);
  return points.length === before.points.length ? [] : [changed(before, { ...before, points })];
}
