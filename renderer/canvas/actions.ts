import { inGroup, type Action, type ActionGroup } from './action-table.ts';
import type { TextKey } from '../i18n/text-key.ts';
import { isCutTool, isDrawTool, isPaintTool, rectangleMethods, setsPoints, toolIds, toolKinds } from './tool-kinds.ts';
import { allVisible, pointPatch, type PointState } from './shapes/point-states.ts';
import type { CanvasEngine } from './canvas-engine.ts';
import type { SceneRecord, ShapeRecord } from './types.ts';

/**
 * Actions of the canvas with CVAT's default keys, if it has any. A screen combines them with its own:
 * `createActionTable({ actions: [...canvasActions(engine), ...own], overrides })`. It passes `keydown` to
 * `table.handleKey` unless a text field has the focus.
 */
export function canvasActions(engine: CanvasEngine): readonly Action[] {
  return [
    ...toolActions(engine),
    ...drawActions(engine),
    ...editActions(engine),
    ...objectActions(engine),
    ...viewActions(engine),
  ];
}

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
  (id: CanvasActionId, shortcuts: readonly string[], run: () => void, extra: Partial<Action> = {}): Action =>
    inGroup(group)(id, `actions.${id}`, shortcuts, run, extra);

function toolActions(engine: CanvasEngine): Action[] {
  const action = ofCanvas('tools');
  return toolIds.map((id) => action(`tool.${id}`, toolKinds[id].keys, () => engine.setTool(id)));
}

function drawActions(engine: CanvasEngine): Action[] {
  const action = ofCanvas('draw');
  const drawing = { scope: 'drawing', when: () => engine.getTool().drawing } as const;
  const isPainting = () => isPaintTool(engine.getTool().id);
  const painting = { when: isPainting, repeats: true };
  const resizeBrush = (factor: number) => (): void => {
    const { id, options } = engine.getTool();
    const diameter = options.brushDiameter ?? 24;
    const next = factor > 1 ? Math.ceil(diameter * factor) : Math.floor(diameter * factor);
    engine.setTool(id, { brushDiameter: Math.min(1000, Math.max(1, next)) });
  };
  const changeForm = (): void => {
    const { id, options } = engine.getTool();
    engine.setTool(id, { brushForm: options.brushForm === 'square' ? 'circle' : 'square' });
  };
  const takeBelow = (): void => {
    const { id, options } = engine.getTool();
    engine.setTool(id, { takeBelow: options.takeBelow !== true });
  };
  const isRectangle = { when: () => engine.getTool().id === 'rectangle' };
  const nextMethod = (): void => {
    const { rectangleMethod = 'corners' } = engine.getTool().options;
    engine.setTool('rectangle', { rectangleMethod: nextOf(rectangleMethods, rectangleMethod) });
  };
  const hasMask = () => engine.selection.ids().some((id) => engine.scene.getShape(id)?.type === 'mask');
  const byKeys = { scope: 'cursor', repeats: true } as const;
  // The same keys move the selection, except with a cutting tool, where they move the line's cursor.
  const canLead = (): boolean => {
    const { id, drawing: isDraft } = engine.getTool();
    const isLeading = engine.keyCursor.isOn() || isDraft;
    return isCutTool(id) || (isDrawTool(id) && (isLeading || engine.selection.ids().length === 0));
  };
  const cursor = directions.flatMap(([to, dx, dy]): Action[] => [
    action(`draw.cursor${to}`, [`Arrow${to}`], () => engine.keyCursor.move(dx, dy), { ...byKeys, when: canLead }),
    action(`draw.cursor${to}Far`, [`Shift+Arrow${to}`], () => engine.keyCursor.move(dx * 10, dy * 10), {
      ...byKeys,
      when: canLead,
    }),
  ]);
  return [
    ...cursor,
    // Registered before "finish": in keyboard drawing, Enter sets the next point and N finishes.
    action('draw.point', ['Enter', 'Space'], engine.keyCursor.press, { scope: 'cursor', when: engine.keyCursor.isOn }),
    action('draw.finish', ['KeyN', 'Enter'], () => engine.finishDrawing(), drawing),
    action('draw.again', ['KeyN'], () => engine.setTool(engine.lastDrawTool()), {
      when: () => !isDrawTool(engine.getTool().id),
    }),
    // Before "repeat the last tool" on the same key.
    action('draw.newMask', ['KeyN'], () => engine.selection.clear(), {
      scope: 'cursor',
      when: () => isPainting() && !engine.getTool().drawing && hasMask(),
    }),
    action(
      'draw.place',
      ['Enter'],
      () => (engine.canPlaceShape() ? engine.placeShape() : engine.keyCursor.move(0, 0)),
      {
        when: () => setsPoints(engine.getTool().id) && !engine.getTool().drawing,
      },
    ),
    action('draw.undoPoint', ['Backspace'], () => void engine.undo(), {
      repeats: true,
      ...drawing,
    }),
    action('draw.cancel', ['Escape'], () => escape(engine)),
    ...rectangleMethods.map((rectangleMethod) =>
      action(
        `draw.rectangleMethod.${rectangleMethod}`,
        [],
        () => engine.setTool('rectangle', { rectangleMethod }),
        isRectangle,
      ),
    ),
    action('draw.nextRectangleMethod', ['Shift+KeyW'], nextMethod, isRectangle),
    action('draw.brushSmaller', ['BracketLeft'], resizeBrush(1 / 1.2), painting),
    action('draw.brushLarger', ['BracketRight'], resizeBrush(1.2), painting),
    action('draw.brushForm', [], changeForm, { when: isPainting }),
    action('draw.takeBelow', [], takeBelow, { when: isPainting }),
    action('draw.fillHoles', [], () => engine.fillHoles(), { when: () => isPainting() || hasMask() }),
  ];
}

/** Cancels one thing at a time: gesture or drawing, then the tool, then the selection. */
function escape(engine: CanvasEngine): void {
  if (engine.isBusy()) engine.cancelDrawing();
  else if (engine.keyPoint()?.clear() === true) return;
  else if (engine.getTool().id !== 'select') engine.setTool('select');
  else engine.selection.clear();
}

function editActions(engine: CanvasEngine): Action[] {
  const action = ofCanvas('edit');
  const { selection, history, scene } = engine;
  const selected = { scope: 'selection', when: () => selection.ids().length > 0 } as const;
  const isPointLed = (): boolean => (engine.keyPoint()?.current() ?? null) !== null;
  const points = { ...selected, repeats: true, when: () => selection.ids().length === 1 && engine.keyPoint() !== null };
  let clipboard: readonly SceneRecord[] = [];
  const records = (): SceneRecord[] => selection.ids().flatMap((id) => scene.get(id) ?? []);
  const nudge = directions.flatMap(([to, dx, dy]): Action[] => {
    const extra = { repeats: true, ...selected };
    return [
      action(`edit.nudge${to}`, [`Arrow${to}`], () => engine.nudge(dx, dy), extra),
      action(`edit.nudge${to}Far`, [`Shift+Arrow${to}`], () => engine.nudge(dx * 10, dy * 10), extra),
      action(`edit.grow${to}`, [`Alt+Arrow${to}`], () => engine.grow(dx, dy), extra),
      action(`edit.grow${to}Far`, [`Alt+Shift+Arrow${to}`], () => engine.grow(dx * 10, dy * 10), extra),
    ];
  });
  return [
    action('edit.undo', ['Mod+KeyZ'], () => void engine.undo(), {
      repeats: true,
      when: () => history.canUndo || engine.getTool().drawing,
    }),
    action('edit.redo', ['Mod+Shift+KeyZ', 'Mod+KeyY'], () => void engine.redo(), {
      repeats: true,
      when: () => history.canRedo || engine.getTool().drawing,
    }),
    action('edit.delete', ['Delete', 'Backspace'], remove, selected),
    action('edit.nextPoint', ['Period'], () => engine.keyPoint()?.step(1), points),
    action('edit.previousPoint', ['Comma'], () => engine.keyPoint()?.step(-1), points),
    action('edit.addPoint', ['Insert'], () => engine.keyPoint()?.add(), { ...selected, when: isPointLed }),
    action('edit.forceDelete', ['Shift+Delete'], () => void engine.remove(selection.ids(), { force: true }), selected),
    action('edit.copy', ['Mod+KeyC'], () => void (clipboard = records()), selected),
    action('edit.cut', ['Mod+KeyX'], () => cut(), selected),
    action('edit.paste', ['Mod+KeyV'], () => void engine.paste(clipboard), {
      when: () => clipboard.length > 0,
    }),
    action('edit.duplicate', ['Mod+KeyD'], () => void engine.paste(records()), selected),
    action('edit.selectAll', ['Mod+KeyA'], () => selection.all()),
    ...nudge,
  ];

  function remove(): void {
    if (!isPointLed() || engine.keyPoint()?.remove() === false) engine.remove(selection.ids());
  }
  function cut(): void {
    clipboard = records();
    engine.remove(selection.ids());
  }
}

/** "All" and "next" skip filtered objects. */
const isListedShape = (record: SceneRecord): record is ShapeRecord =>
  record.kind === 'shape' && record.filteredOut !== true;

type Flag = 'locked' | 'hidden' | 'occluded' | 'pinned' | 'outside';

function objectActions(engine: CanvasEngine): Action[] {
  const action = ofCanvas('object');
  const { selection, scene, tracks } = engine;
  const selected = { scope: 'selection', when: () => selection.ids().length > 0 } as const;
  /** Includes tracks that are outside on this frame. */
  const shapes = (): ShapeRecord[] =>
    selection.ids().flatMap((id) => {
      const track = tracks.get(id);
      return scene.getShape(id) ?? (track === undefined ? null : tracks.at(track, scene.frame)) ?? [];
    });
  /** All get the opposite of the first one's state. */
  const toggle =
    (flag: Flag, all = false) =>
    (): void => {
      const targets = all ? scene.all().filter(isListedShape) : shapes();
      const value = targets.some((shape) => shape[flag] !== true);
      const kind = flag === 'locked' || flag === 'hidden' || flag === 'pinned' ? 'display' : 'state';
      engine.update(
        targets.map(({ clientId }) => clientId),
        { [flag]: value },
        kind,
      );
    };
  const chosenPoint = (): { readonly shape: ShapeRecord; readonly index: number } | null => {
    const handle = engine.keyPoint()?.current() ?? null;
    const [shape] = shapes();
    return shape?.type === 'skeleton' && handle?.kind === 'vertex' ? { shape, index: handle.index } : null;
  };
  /** Sets the state of the chosen point, else of all selected objects. */
  const setState = (state: PointState, whole: () => void) => (): void => {
    const point = chosenPoint();
    if (point === null) whole();
    else engine.update([point.shape.clientId], pointPatch(point.shape, point.index, state), 'state');
  };
  const showAll = (): void =>
    void engine.update(
      shapes().flatMap(({ type, clientId }) => (type === 'skeleton' ? [clientId] : [])),
      (record) => (record.kind === 'shape' ? allVisible(record) : {}),
      'state',
    );
  const zOrders = (): number[] => scene.all().flatMap((record) => (record.kind === 'shape' ? [record.zOrder] : []));
  const order = (pick: (values: readonly number[]) => number) => (): void =>
    void engine.update(selection.ids(), { zOrder: pick([0, ...zOrders()]) }, 'order');
  const group = (): void => {
    // Includes tracks of other frames, because their groups continue there.
    const used = [...scene.all(), ...tracks.all()].map((record) => record.group);
    engine.update(selection.ids(), { group: Math.max(0, ...used) + 1 }, 'group');
  };
  return [
    action('object.lock', ['KeyL'], toggle('locked'), selected),
    action('object.lockAll', ['KeyT KeyL'], toggle('locked', true)),
    action('object.hide', ['KeyH'], toggle('hidden'), selected),
    action('object.hideAll', ['KeyT KeyH'], toggle('hidden', true)),
    action('object.visible', ['KeyI'], setState('visible', showAll), {
      ...selected,
      when: () => shapes().some(({ type }) => type === 'skeleton'),
    }),
    action('object.occluded', ['KeyQ', 'Slash'], setState('occluded', toggle('occluded')), selected),
    action('object.outside', ['KeyO'], setState('outside', toggle('outside')), {
      ...selected,
      when: () => chosenPoint() !== null || shapes().some(({ trackId }) => trackId !== undefined),
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
      when: () => selection.ids().length > 1,
    }),
    action(
      'object.ungroup',
      ['Shift+KeyG'],
      () => void engine.update(selection.ids(), { group: 0 }, 'group'),
      selected,
    ),
    action('object.next', ['Tab'], () => step(engine, 1), { repeats: true }),
    action('object.previous', ['Shift+Tab'], () => step(engine, -1), { repeats: true }),
    action('object.focus', ['KeyY'], () => focus(engine), selected),
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

function viewActions(engine: CanvasEngine): Action[] {
  const action = ofCanvas('view');
  const toggle = (name: 'crosshair' | 'smoothImage' | 'trackPath' | 'halo' | 'minimap' | 'snapping') => (): void =>
    engine.setAppearance({ [name]: !engine.getAppearance()[name] });
  const labels = (): void =>
    engine.setAppearance({ showLabels: nextOf(['active', 'all', 'none'], engine.getAppearance().showLabels) });
  const colors = (): void =>
    engine.setAppearance({ colorBy: nextOf(['label', 'instance', 'group', 'track'], engine.getAppearance().colorBy) });
  return [
    action('view.fit', ['Home', 'Shift+KeyF'], () => engine.fit()),
    action('view.actualSize', ['Shift+Digit0'], () => engine.setScale(1)),
    action('view.zoomIn', ['Mod+Equal'], () => engine.zoomBy(1.25), { repeats: true }),
    action('view.zoomOut', ['Mod+Minus'], () => engine.zoomBy(0.8), { repeats: true }),
    action('view.rotateClockwise', ['Mod+KeyR'], () => engine.rotateView('clockwise')),
    action('view.rotateCounterclockwise', ['Mod+Shift+KeyR'], () => engine.rotateView('counterclockwise')),
    action('view.labels', [], labels),
    action('view.colors', [], colors),
    action('view.halo', [], toggle('halo')),
    action('view.minimap', [], toggle('minimap')),
    action('view.crosshair', [], toggle('crosshair')),
    action('view.trackPath', [], toggle('trackPath')),
    action('view.snapping', ['KeyT KeyS'], toggle('snapping')),
    action('view.smooth', [], toggle('smoothImage')),
    ...directions.map(([to, x, y]) =>
      action(`view.pan${to}`, [`Mod+Arrow${to}`], () => engine.panBy(-80 * x, -80 * y), { repeats: true }),
    ),
  ];
}
