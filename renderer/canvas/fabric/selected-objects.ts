import { ActiveSelection, Point as FabricPoint, type Control, type FabricObject } from 'fabric';
import { uniteBoxes } from '../geometry/box.ts';
import { clampPoint, clampShift } from '../geometry/point.ts';
import { viewMatrix } from '../geometry/view-transform.ts';
import { isDrawn, type EditableScene } from '../scene.ts';
import type { Selection } from '../selection.ts';
import type { Handle, ShapeContext } from '../shapes/behaviour.ts';
import { behaviourOf, boundsOf } from '../shapes/shape-behaviours.ts';
import type { ClientId, Point, ShapeRecord, Size, View } from '../types.ts';
import type { ViewControl } from '../view-control.ts';
import { handleControl, handlesOf, nearestControl, wholeControls, type FoundControl } from './controls.ts';
import { lookOfSelected, RecordObject } from './record-object.ts';
import { beginTransform, createSurface } from './surface.ts';

/** Larger selections are drawn and moved as records without objects. */
const mostObjects = 200;
/** Screen pixels around several shapes. */
const groupPaddingPx = 6;
const snapDegrees = 15;

class SelectedGroup extends ActiveSelection {
  /** Members have no controls while they are in the group. */
  override _shouldSetNestedCoords(): boolean {
    return false;
  }

  override findControl(pointer: FabricPoint): FoundControl | undefined {
    return nearestControl(this, pointer);
  }
}

interface Parts {
  readonly scene: EditableScene;
  readonly selection: Selection;
  readonly view: ViewControl;
  readonly context: () => ShapeContext;
}

export interface SelectedTransform {
  to(point: Point, constrain: boolean): readonly ShapeRecord[];
  /** Discards the objects; they are created again from the records. */
  end(): void;
}

/**
 * The selection as fabric objects, at most 200. Records are the source of truth: objects are created on demand after
 * changes of selection, scene or frame, and a gesture returns records. The active object is the one shape with handles,
 * or an `ActiveSelection` of all movable shapes. Needs no document.
 */
export function createSelectedObjects({ scene, selection, view, context }: Parts) {
  const surface = createSurface(() => active);
  let objects = new Map<ClientId, RecordObject>();
  let active: FabricObject | null = null;
  let isStale = true;
  let isHeld = false;
  let shownView: View | null = null;
  let version = 0;

  const stale = (): void => void (isStale = true);
  selection.subscribe(stale);
  scene.subscribe(stale);

  const make = (): void => {
    const records = selection.ids().flatMap((id) => {
      const record = scene.get(id);
      return isDrawn(record) ? [record] : [];
    });
    objects = new Map();
    active = null;
    isStale = false;
    shownView = null;
    version += 1;
    if (records.length > mostObjects) return;
    for (const record of records) objects.set(record.clientId, new RecordObject(record, () => context()));
    const [only, ...others] = selection.ids();
    if (only !== undefined && others.length === 0) active = editable([...objects.values()])[0] ?? null;
    else active = groupOf(editable([...objects.values()]).filter(({ record }) => record.pinned !== true));
  };
  const fresh = (): FabricObject | null => {
    if (isStale && !isHeld) make();
    const now = view.get();
    if (active !== null && shownView !== now) {
      const canvas = active.canvas ?? surface.adopt(active);
      canvas.viewportTransform = [...viewMatrix(now)];
      active.setCoords();
      shownView = now;
    }
    return active;
  };

  return {
    version: () => version,
    objects(): readonly RecordObject[] {
      fresh();
      return [...objects.values()];
    },
    active: fresh,
    has(id: ClientId): boolean {
      fresh();
      return objects.has(id);
    },
    /** Handles of the active object in image pixels; the shape's own ones last. */
    handles(): readonly Handle[] {
      const object = fresh();
      return object === null ? [] : handlesOf(object, view.toImage);
    },
    handleAt(point: Point): Handle | null {
      const object = fresh();
      if (object === null) return null;
      const { x, y } = view.toScreen(point);
      const found = object.findControl(new FabricPoint(x, y));
      return handlesOf(object, view.toImage).find(({ id }) => id === found?.key) ?? null;
    },
    /**
     * Starts dragging a handle, or the complete object (null), from the pressed point. Null if no movable object
     * exists.
     */
    begin(handle: Handle | null, from: Point, image: Size): SelectedTransform | null {
      const target = fresh();
      if (target === null) return null;
      const members = membersOf(target);
      const control = handle === null ? null : controlOf(target, handle);
      const transform = beginTransform(target, control, from);
      const start = { left: target.left, top: target.top };
      const bounds = members.map(({ record }) => boundsOf(record)).reduce(uniteBoxes);
      const shift = (to: Point, constrain: boolean): void => {
        let [dx, dy] = [to.x - from.x, to.y - from.y];
        if (constrain && Math.abs(dx) < Math.abs(dy)) dx = 0;
        else if (constrain) dy = 0;
        const kept = clampShift(bounds, dx, dy, image);
        transform.actionHandler?.(
          surface.event(constrain),
          transform,
          start.left + kept.x + transform.offsetX,
          start.top + kept.y + transform.offsetY,
        );
      };
      const pull = (to: Point, constrain: boolean): void => {
        const { x, y } = handle?.kind === 'rotate' ? to : clampPoint(to, image);
        target.snapAngle = constrain ? snapDegrees : 0;
        transform.actionHandler?.(surface.event(constrain), transform, x, y);
      };
      isHeld = true;
      return {
        to(point, constrain) {
          (control === null ? shift : pull)(point, constrain);
          // The controls are updated on the next request.
          shownView = null;
          if (control !== null) return members.map((object) => object.current());
          return members.map((object) => object.moved(target.left - start.left, target.top - start.top));
        },
        end() {
          isHeld = false;
          stale();
        },
      };
    },
  };
}

export type SelectedObjects = ReturnType<typeof createSelectedObjects>;

const editable = (objects: readonly RecordObject[]): RecordObject[] => objects.filter(({ record }) => !record.locked);

const membersOf = (object: FabricObject): readonly RecordObject[] =>
  (object instanceof ActiveSelection ? object.getObjects() : [object]).filter((one) => one instanceof RecordObject);

/** An edge can be dragged even if it is too short for its control. */
function controlOf(object: FabricObject, handle: Handle): Control | null {
  return object.controls[handle.id] ?? (object instanceof RecordObject ? handleControl(object, handle) : null);
}

function groupOf(members: readonly RecordObject[]): FabricObject | null {
  if (members.length === 0) return null;
  const behaviours = members.map(({ record }) => behaviourOf(record));
  const group = new SelectedGroup([...members], { ...lookOfSelected, padding: groupPaddingPx });
  group.controls = behaviours.every(({ transform }) => transform !== undefined)
    ? wholeControls({ turns: behaviours.every(({ upright }) => upright !== true) })
    : {};
  return group;
}
