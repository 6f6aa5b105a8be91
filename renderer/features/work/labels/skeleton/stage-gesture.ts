import { changed, moved, pointAt, toggled, withPoint, without, type Place, type Template } from './template.ts';

export const templateTools = ['draw', 'move', 'delete'] as const;
export type TemplateTool = (typeof templateTools)[number];

export type StageGesture =
  | { readonly kind: 'add'; readonly at: Place }
  | { readonly kind: 'join'; readonly from: string; readonly at: Place; readonly isDragged: boolean }
  | { readonly kind: 'move'; readonly key: string; readonly at: Place; readonly isDragged: boolean };

interface StageResult {
  readonly template: Template;
  readonly chosen: string | null;
}

/** Units of the template: maximum distance of a press from a point, and minimum movement of a drag. */
const reach = 2.2;
const slack = 1;

/** Gesture that a press starts; null if it takes effect at once. */
export function pressStage(
  template: Template,
  tool: TemplateTool,
  at: Place,
  isFixed: boolean,
): StageGesture | StageResult {
  const point = pointAt(template, at, reach);
  if (point === undefined) {
    return tool === 'draw' && !isFixed ? { kind: 'add', at } : { template, chosen: null };
  }
  const { key } = point;
  if (tool === 'delete') return { template: isFixed ? template : without(template, key), chosen: isFixed ? key : null };
  if (tool === 'move') return { kind: 'move', key, at, isDragged: false };
  return { kind: 'join', from: key, at, isDragged: false };
}

export function dragStage(template: Template, gesture: StageGesture, at: Place): StageGesture {
  if (gesture.kind === 'add') return { ...gesture, at };
  const key = gesture.kind === 'join' ? gesture.from : gesture.key;
  const point = template.points.find((one) => one.key === key) ?? at;
  const isDragged = gesture.isDragged || Math.hypot(point.x - at.x, point.y - at.y) > slack;
  return { ...gesture, at, isDragged };
}

/** State after the release. A line that ends in empty space gets a point there. */
export function releaseStage(template: Template, gesture: StageGesture, isFixed: boolean): StageResult {
  if (gesture.kind === 'add') {
    const added = withPoint(template, gesture.at);
    return { template: added.template, chosen: added.key };
  }
  if (gesture.kind === 'move') {
    const { key, at, isDragged } = gesture;
    return { template: isDragged ? moved(template, key, at) : template, chosen: key };
  }
  const { from, at, isDragged } = gesture;
  if (!isDragged) return { template, chosen: from };
  const target = pointAt(template, at, reach);
  if (target !== undefined) return { template: toggled(template, from, target.key), chosen: target.key };
  if (isFixed) return { template, chosen: from };
  const added = withPoint(template, at);
  return { template: toggled(added.template, from, added.key), chosen: added.key };
}

export function previewStage(template: Template, gesture: StageGesture | null): Template {
  return gesture?.kind === 'move' && gesture.isDragged ? changed(template, gesture.key, gesture.at) : template;
}
