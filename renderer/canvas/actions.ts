import { inGroup, type ActionGroup, type ActionOn } from './action-table.ts';
import type { TextKey } from '../i18n/text-key.ts';
import {
  hasRectangleMethods,
  isCutTool,
  isDrawTool,
  isPaintTool,
  rectangleMethods,
  setsPoints,
  toolIds,
  toolKinds,
} from './tool-kinds.ts';
import { allVisible, pointPatch, type PointState } from './shapes/point-states.ts';
import type { CanvasEngine } from './canvas-engine.ts';
import type { SceneRecord, ShapeRecord } from './types.ts';

type CanvasActionId = TextKey extends infer Key ? (Key extends `actions.${infer Id}` ? Id : never) : never;

/** One step each, in image or screen pixels. */
const directions = [
  ['Left', -1, 0],
  ['Right', 1, 0],
  ['Up', 0, -1],
  ['Down', 0, 1],
] as const;

const nextOf = <Value>(order: readonly Value[], now: Value): Value =>
  order[(order.indexOf(now) + 1) % order.length] ?? now;

const ofCanvas =
  (group: ActionGroup) =>
  (id: CanvasActionId, keys: readonly string[], run: (engine: CanvasEngine) => void, extra: Extra = {}) =>
    inGroup<CanvasEngine>(group)(id, `actions.${id}`, keys, run, extra);

type Extra = Partial<ActionOn<CanvasEngine>>;

const selected: Extra = { scope: 'selection', when: ({ selection }) => selection.ids().length > 0 };

function toolActions(): ActionOn<CanvasEngine>[] {
  const action = ofCanvas('tools');
  return toolIds.map((id) => action(`tool.${id}`, toolKinds[id].keys, ({ setTool }) => setTool(id)));
}

function drawActions(): ActionOn<CanvasEngine>[] {
  const action = ofCanvas('draw');
  const drawing: Extra = { scope: 'drawing', when: ({ getTool }) => getTool().drawing };
  const isPainting = ({ getTool }: CanvasEngine) => isPaintTool(getTool().id);
  const painting = { when: isPainting, repeats: true };
  const resizeBrush = (factor: number) => (engine: CanvasEngine) => {
    const { id, options } = engine.getTool();
    const diameter = options.brushDiameter ?? 24;
    const next = factor > 1 ? Math.ceil(diameter * factor) : Math.floor(diameter * factor);
    engine.setTool(id, { brushDiameter: Math.min(1000, Math.max(1, next)) });
  };
  const changeForm = (engine: CanvasEngine): void => {
    const { id, options } = engine.getTool();
    engine.setTool(id, { brushForm: options.brushForm === 'square' ? 'circle' : 'square' });
  };
  const takeBelow = (engine: CanvasEngine): void => {
    const { id, options } = engine.getTool();
    engine.setTool(id, { takeBelow: options.takeBelow !== true });
  };
  const hasMethods: Extra = { when: ({ getTool }) => hasRectangleMethods(getTool().id) };
  const nextMethod = (engine: CanvasEngine): void => {
    const { id, options } = engine.getTool();
    const { rectangleMethod = 'corners' } = options;
    engine.setTool(id, { rectangleMethod: nextOf(rectangleMethods, rectangleMethod) });
  };
  const hasMask = (engine: CanvasEngine) =>
    engine.selection.ids().some((id) => engine.scene.getShape(id)?.type === 'mask');
  const byKeys = { scope: 'cursor', repeats: true } as const;
  // The same keys move the selection, except with a cutting tool, where they move the line's cursor.
  const canLead = (engine: CanvasEngine): boolean => {
    const { id, drawing: isDraft } = engine.getTool();
    const isLeading = engine.keyCursor.isOn() || isDraft;
    return isCutTool(id) || (isDrawTool(id) && (isLeading || engine.selection.ids().length === 0));
  };
  const cursor = directions.flatMap(([to, dx, dy]) => [
    action(`draw.cursor${to}`, [`Arrow${to}`], ({ keyCursor }) => keyCursor.move(dx, dy), { ...byKeys, when: canLead }),
    action(`draw.cursor${to}Far`, [`Shift+Arrow${to}`], ({ keyCursor }) => keyCursor.move(dx * 10, dy * 10), {
      ...byKeys,
      when: canLead,
    }),
  ]);
  return [
    ...cursor,
    // Registered before "finish": in keyboard drawing, Enter sets the next point and N finishes.
    action('draw.point', ['Enter', 'Space'], ({ keyCursor }) => keyCursor.press(), {
      scope: 'cursor',
      when: ({ keyCursor }) => keyCursor.isOn(),
    }),
    action('draw.finish', ['KeyN', 'Enter'], (engine) => engine.finishDrawing(), drawing),
    action('draw.again', ['KeyN'], (engine) => engine.setTool(engine.lastDrawTool()), {
      when: (engine) => !isDrawTool(engine.getTool().id),
    }),
    // Before "repeat the last tool" on the same key.
    action('draw.newMask', ['KeyN'], ({ selection }) => selection.clear(), {
      scope: 'cursor',
      when: (engine) => isPainting(engine) && !engine.getTool().drawing && hasMask(engine),
    }),
    action(
      'draw.place',
      ['Enter'],
      (engine) => (engine.canPlaceShape() ? engine.placeShape() : engine.keyCursor.move(0, 0)),
      {
        when: ({ getTool }) => setsPoints(getTool().id) && !getTool().drawing,
      },
    ),
    action('draw.undoPoint', ['Backspace'], (engine) => void engine.undo(), {
      repeats: true,
      ...drawing,
    }),
    action('draw.cancel', ['Escape'], escape),
    ...rectangleMethods.map((rectangleMethod) =>
      action(
        `draw.rectangleMethod.${rectangleMethod}`,
        [],
        ({ getTool, setTool }) => setTool(getTool().id, { rectangleMethod }),
        hasMethods,
      ),
    ),
    action('draw.nextRectangleMethod', ['Shift+KeyW'], nextMethod, hasMethods),
    action('draw.brushSmaller', ['BracketLeft'], resizeBrush(1 / 1.2), painting),
    action('draw.brushLarger', ['BracketRight'], resizeBrush(1.2), painting),
    action('draw.brushForm', [], changeForm, { when: isPainting }),
    action('draw.takeBelow', [], takeBelow, { when: isPainting }),
    action('draw.fillHoles', [], (engine) => engine.fillHoles(), {
      when: (engine) => isPainting(engine) || hasMask(engine),
    }),
  ];
}

/** Cancels one thing at a time: gesture or drawing, then the tool, then the selection. */
function escape(engine: CanvasEngine): void {
  if (engine.isBusy()) engine.cancelDrawing();
  else if (engine.keyPoint()?.clear() === true) return;
  else if (engine.getTool().id !== 'select') engine.setTool('select');
  else engine.selection.clear();
}

/** Records copied in an engine. A screen with its own clipboard replaces the actions. */
const copied = new WeakMap<CanvasEngine, readonly SceneRecord[]>();

function editActions(): ActionOn<CanvasEngine>[] {
  const action = ofCanvas('edit');
  const isPointLed = (engine: CanvasEngine): boolean => (engine.keyPoint()?.current() ?? null) !== null;
  const points: Extra = {
    ...selected,
    repeats: true,
    when: (engine) => engine.selection.ids().length === 1 && engine.keyPoint() !== null,
  };
  const records = ({ selection, scene }: CanvasEngine) => selection.ids().flatMap((id) => scene.get(id) ?? []);
  const copy = (engine: CanvasEngine): void => void copied.set(engine, records(engine));
  const cut = (engine: CanvasEngine): void => {
    copy(engine);
    engine.remove(engine.selection.ids());
  };
  const remove = (engine: CanvasEngine): void => {
    if (!isPointLed(engine) || engine.keyPoint()?.remove() === false) engine.remove(engine.selection.ids());
  };
  const held = { repeats: true, ...selected };
  const nudge = directions.flatMap(([to, dx, dy]) => [
    action(`edit.nudge${to}`, [`Arrow${to}`], (engine) => engine.nudge(dx, dy), held),
    action(`edit.nudge${to}Far`, [`Shift+Arrow${to}`], (engine) => engine.nudge(dx * 10, dy * 10), held),
    action(`edit.grow${to}`, [`Alt+Arrow${to}`], (engine) => engine.grow(dx, dy), held),
    action(`edit.grow${to}Far`, [`Alt+Shift+Arrow${to}`], (engine) => engine.grow(dx * 10, dy * 10), held),
  ]);
  return [
    action('edit.undo', ['Mod+KeyZ'], (engine) => void engine.undo(), {
      repeats: true,
      when: ({ history, getTool }) => history.canUndo || getTool().drawing,
    }),
    action('edit.redo', ['Mod+Shift+KeyZ', 'Mod+KeyY'], (engine) => void engine.redo(), {
      repeats: true,
      when: ({ history, getTool }) => history.canRedo || getTool().drawing,
    }),
    action('edit.delete', ['Delete', 'Backspace'], remove, selected),
    action('edit.nextPoint', ['Period'], (engine) => engine.keyPoint()?.step(1), points),
    action('edit.previousPoint', ['Comma'], (engine) => engine.keyPoint()?.step(-1), points),
    action('edit.addPoint', ['Insert'], (engine) => engine.keyPoint()?.add(), { ...selected, when: isPointLed }),
    action(
      'edit.forceDelete',
      ['Shift+Delete'],
      (engine) => void engine.remove(engine.selection.ids(), { force: true }),
      selected,
    ),
    action('edit.copy', ['Mod+KeyC'], copy, selected),
    action('edit.cut', ['Mod+KeyX'], cut, selected),
    action('edit.paste', ['Mod+KeyV'], (engine) => void engine.paste(copied.get(engine) ?? []), {
      when: (engine) => (copied.get(engine)?.length ?? 0) > 0,
    }),
    action('edit.duplicate', ['Mod+KeyD'], (engine) => void engine.paste(records(engine)), selected),
    action('edit.selectAll', ['Mod+KeyA'], ({ selection }) => selection.all()),
    ...nudge,
  ];
}

/** "All" and "next" skip filtered objects. */
const isListedShape = (record: SceneRecord): record is ShapeRecord =>
  record.kind === 'shape' && record.filteredOut !== true;

type Flag = 'locked' | 'hidden' | 'occluded' | 'pinned' | 'outside';

/** Selected shapes, including tracks that are outside on this frame. */
const selectedShapes = ({ selection, scene, tracks }: CanvasEngine): ShapeRecord[] =>
  selection.ids().flatMap((id) => {
    const track = tracks.get(id);
    return scene.getShape(id) ?? (track === undefined ? null : tracks.at(track, scene.frame)) ?? [];
  });

function objectActions(): ActionOn<CanvasEngine>[] {
  const action = ofCanvas('object');
  /** All get the opposite of the first one's state. */
  const toggle =
    (flag: Flag, all = false) =>
    (engine: CanvasEngine): void => {
      const targets = all ? engine.scene.all().filter(isListedShape) : selectedShapes(engine);
      const value = targets.some((shape) => shape[flag] !== true);
      const kind = flag === 'locked' || flag === 'hidden' || flag === 'pinned' ? 'display' : 'state';
      engine.update(
        targets.map(({ clientId }) => clientId),
        { [flag]: value },
        kind,
      );
    };
  const chosenPoint = (engine: CanvasEngine): { readonly shape: ShapeRecord; readonly index: number } | null => {
    const handle = engine.keyPoint()?.current() ?? null;
    const [shape] = selectedShapes(engine);
    return shape?.type === 'skeleton' && handle?.kind === 'vertex' ? { shape, index: handle.index } : null;
  };
  /** Sets the state of the chosen point, else of all selected objects. */
  const setState = (state: PointState, whole: (engine: CanvasEngine) => void) => (engine: CanvasEngine) => {
    const point = chosenPoint(engine);
    if (point === null) whole(engine);
    else engine.update([point.shape.clientId], pointPatch(point.shape, point.index, state), 'state');
  };
  const showAll = (engine: CanvasEngine): void =>
    void engine.update(
      selectedShapes(engine).flatMap(({ type, clientId }) => (type === 'skeleton' ? [clientId] : [])),
      (record) => (record.kind === 'shape' ? allVisible(record) : {}),
      'state',
    );
  const zOrders = ({ scene }: CanvasEngine): number[] =>
    scene.all().flatMap((record) => (record.kind === 'shape' ? [record.zOrder] : []));
  const order = (pick: (values: readonly number[]) => number) => (engine: CanvasEngine) =>
    void engine.update(engine.selection.ids(), { zOrder: pick([0, ...zOrders(engine)]) }, 'order');
  const group = (engine: CanvasEngine): void => {
    // Includes tracks of other frames, because their groups continue there.
    const used = [...engine.scene.all(), ...engine.tracks.all()].map((record) => record.group);
    engine.update(engine.selection.ids(), { group: Math.max(0, ...used) + 1 }, 'group');
  };
  return [
    action('object.lock', ['KeyL'], toggle('locked'), selected),
    action('object.lockAll', ['KeyT KeyL'], toggle('locked', true)),
    action('object.hide', ['KeyH'], toggle('hidden'), selected),
    action('object.hideAll', ['KeyT KeyH'], toggle('hidden', true)),
    action('object.visible', ['KeyI'], setState('visible', showAll), {
      ...selected,
      when: (engine) => selectedShapes(engine).some(({ type }) => type === 'skeleton'),
    }),
    action('object.occluded', ['KeyQ', 'Slash'], setState('occluded', toggle('occluded')), selected),
    action('object.outside', ['KeyO'], setState('outside', toggle('outside')), {
      ...selected,
      when: (engine) =>
        chosenPoint(engine) !== null || selectedShapes(engine).some(({ trackId }) => trackId !== undefined),
    }),
    action('object.pin', ['KeyP'], toggle('pinned'), selected),
    action(
      'object.toFront',
      ['Equal', 'Shift+Equal'],
      order((values) => Math.max(...values) + 1),
      selected,
    ),
    action(
      'object.toBack',
      ['Minus', 'Shift+Minus'],
      order((values) => Math.min(...values) - 1),
      selected,
    ),
    action('object.group', ['KeyG'], group, {
      ...selected,
      when: ({ selection }) => selection.ids().length > 1,
    }),
    action(
      'object.ungroup',
      ['Shift+KeyG'],
      (engine) => void engine.update(engine.selection.ids(), { group: 0 }, 'group'),
      selected,
    ),
    action('object.next', ['Tab'], (engine) => step(engine, 1), { repeats: true }),
    action('object.previous', ['Shift+Tab'], (engine) => step(engine, -1), { repeats: true }),
    action('object.focus', ['KeyY'], focus, selected),
  ];
}

function focus(engine: CanvasEngine): void {
  const id = engine.selection.ids().at(-1);
  if (id !== undefined) engine.focusShape(id, { zoom: true });
}

function step(engine: CanvasEngine, by: 1 | -1): void {
  const ids = engine.scene
    .all()
    .flatMap((record) => (isListedShape(record) && !record.hidden ? [record.clientId] : []));
  if (ids.length === 0) return;
  const now = ids.indexOf(engine.selection.ids().at(-1) ?? '');
  const next = ids[now < 0 ? (by > 0 ? 0 : ids.length - 1) : (now + by + ids.length) % ids.length];
  if (next !== undefined) engine.focusShape(next);
}

function viewActions(): ActionOn<CanvasEngine>[] {
  const action = ofCanvas('view');
  const toggle =
    (name: 'crosshair' | 'smoothImage' | 'trackPath' | 'halo' | 'minimap' | 'snapping') => (engine: CanvasEngine) =>
      engine.setAppearance({ [name]: !engine.getAppearance()[name] });
  const labels = (engine: CanvasEngine): void =>
    engine.setAppearance({ showLabels: nextOf(['active', 'all', 'none'], engine.getAppearance().showLabels) });
  const colors = (engine: CanvasEngine): void =>
    engine.setAppearance({ colorBy: nextOf(['label', 'instance', 'group', 'track'], engine.getAppearance().colorBy) });
  return [
    action('view.fit', ['Home', 'Shift+KeyF'], (engine) => engine.fit()),
    action('view.actualSize', ['Shift+Digit0'], (engine) => engine.setScale(1)),
    action('view.zoomIn', ['Mod+Equal'], (engine) => engine.zoomBy(1.25), { repeats: true }),
    action('view.zoomOut', ['Mod+Minus'], (engine) => engine.zoomBy(0.8), { repeats: true }),
    action('view.rotateClockwise', ['Mod+KeyR'], (engine) => engine.rotateView('clockwise')),
    action('view.rotateCounterclockwise', ['Mod+Shift+KeyR'], (engine) => engine.rotateView('counterclockwise')),
    action('view.labels', [], labels),
    action('view.colors', [], colors),
    action('view.halo', [], toggle('halo')),
    action('view.minimap', [], toggle('minimap')),
    action('view.crosshair', [], toggle('crosshair')),
    action('view.trackPath', [], toggle('trackPath')),
    action('view.snapping', ['KeyT KeyS'], toggle('snapping')),
    action('view.smooth', [], toggle('smoothImage')),
    ...directions.map(([to, x, y]) =>
      action(`view.pan${to}`, [`Mod+Arrow${to}`], (engine) => engine.panBy(-80 * x, -80 * y), { repeats: true }),
    ),
  ];
}

/** Actions of the canvas with CVAT's default keys, if it has any. A screen binds them together with its own. */
export const canvasActions: readonly ActionOn<CanvasEngine>[] = [
  ...toolActions(),
  ...drawActions(),
  ...editActions(),
  ...objectActions(),
  ...viewActions(),
];
