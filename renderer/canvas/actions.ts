import type { Action, ActionGroup, ActionScope } from './action-table.ts';
import { drawTools } from './tools/create-tools.ts';
import type { CanvasEngine, SceneRecord, ShapeRecord, ToolId } from './types.ts';

export { createActionTable } from './action-table.ts';
export type { Action, ActionGroup, ActionScope, ActionTable, Conflict } from './action-table.ts';
export { formatShortcut, type Shortcut } from './shortcuts.ts';

/**
 * The actions of the canvas, with the keys of CVAT's default keymap where it has one. A screen makes one table of
 * these and its own: `createActionTable({ actions: [...canvasActions(engine), ...own], overrides })`, and hands
 * `keydown` to `table.handleKey` (not while a text field has the focus).
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

interface Extra {
  readonly icon?: string;
  readonly scope?: ActionScope;
  readonly repeats?: boolean;
  readonly when?: () => boolean;
}

const always = (): boolean => true;

const inGroup =
  (group: ActionGroup) =>
  (id: string, label: string, shortcuts: readonly string[], run: () => void, extra: Extra = {}): Action => ({
    id,
    label,
    group,
    shortcuts,
    run,
    scope: 'always',
    when: always,
    ...extra,
  });

function toolActions(engine: CanvasEngine): Action[] {
  const action = inGroup('tools');
  const tool = (id: ToolId, label: string, icon: string, shortcuts: readonly string[] = []): Action =>
    action(`tool.${id}`, label, shortcuts, () => engine.setTool(id), { icon });
  return [
    tool('select', 'Select and edit', 'pointer', ['KeyS']),
    tool('pan', 'Move the picture', 'hand-stop', ['KeyH']),
    tool('zoom', 'Zoom to a region', 'zoom-in-area', ['KeyZ']),
    tool('rectangle', 'Draw rectangles', 'rectangle', ['KeyW']),
    tool('polygon', 'Draw polygons', 'polygon', ['Shift+KeyP']),
    tool('polyline', 'Draw lines', 'line', ['Shift+KeyL']),
    tool('points', 'Set points', 'point', ['Shift+KeyO']),
    tool('ellipse', 'Draw ellipses', 'circle', ['Shift+KeyE']),
    tool('cuboid', 'Draw cuboids', 'cube', ['Shift+KeyC']),
    tool('skeleton', 'Place skeletons', 'vector-bezier-2', ['Shift+KeyK']),
    tool('brush', 'Paint masks', 'brush', ['Shift+Digit1']),
    tool('eraser', 'Erase from masks', 'eraser', ['Shift+Digit2']),
    tool('prompt', 'Point out an object to a model', 'wand', ['Shift+KeyI']),
  ];
}

function drawActions(engine: CanvasEngine): Action[] {
  const action = inGroup('draw');
  const drawing = { scope: 'drawing', when: () => engine.getTool().drawing } as const;
  const painting = { when: () => ['brush', 'eraser'].includes(engine.getTool().id), repeats: true };
  const resizeBrush = (factor: number) => (): void => {
    const { id, options } = engine.getTool();
    const diameter = options.brushDiameter ?? 24;
    const next = factor > 1 ? Math.ceil(diameter * factor) : Math.floor(diameter * factor);
    engine.setTool(id, { brushDiameter: Math.min(1000, Math.max(1, next)) });
  };
  return [
    action('draw.finish', 'Finish the shape', ['KeyN', 'Enter'], () => engine.finishDrawing(), {
      icon: 'check',
      ...drawing,
    }),
    action('draw.again', 'Draw again with the last tool', ['KeyN'], () => engine.setTool(engine.lastDrawTool()), {
      when: () => !drawTools.has(engine.getTool().id),
    }),
    action('draw.undoPoint', 'Take back the last point', ['Backspace'], () => void engine.undo(), {
      repeats: true,
      ...drawing,
    }),
    action('draw.cancel', 'Cancel', ['Escape'], () => escape(engine), { icon: 'x' }),
    action('draw.brushSmaller', 'Smaller brush', ['BracketLeft'], resizeBrush(1 / 1.2), painting),
    action('draw.brushLarger', 'Larger brush', ['BracketRight'], resizeBrush(1.2), painting),
  ];
}

/** One thing at a time: the gesture or drawing, then the tool, then the selection. */
function escape(engine: CanvasEngine): void {
  if (engine.isBusy()) engine.cancelDrawing();
  else if (engine.getTool().id !== 'select') engine.setTool('select');
  else engine.selection.clear();
}

function editActions(engine: CanvasEngine): Action[] {
  const action = inGroup('edit');
  const { selection, history, scene } = engine;
  const selected = { scope: 'selection', when: () => selection.ids().length > 0 } as const;
  let clipboard: readonly SceneRecord[] = [];
  const records = (): SceneRecord[] => selection.ids().flatMap((id) => scene.get(id) ?? []);
  const nudge = (name: string, code: string, dx: number, dy: number): Action[] => [
    action(`edit.nudge${name}`, `Move by 1 pixel: ${name.toLowerCase()}`, [code], () => engine.nudge(dx, dy), {
      repeats: true,
      ...selected,
    }),
    action(
      `edit.nudge${name}Far`,
      `Move by 10 pixels: ${name.toLowerCase()}`,
      [`Shift+${code}`],
      () => engine.nudge(dx * 10, dy * 10),
      { repeats: true, ...selected },
    ),
  ];
  return [
    action('edit.undo', 'Undo', ['Mod+KeyZ'], () => void engine.undo(), {
      icon: 'arrow-back-up',
      repeats: true,
      when: () => history.canUndo || engine.getTool().drawing,
    }),
    action('edit.redo', 'Redo', ['Mod+Shift+KeyZ', 'Mod+KeyY'], () => void engine.redo(), {
      icon: 'arrow-forward-up',
      repeats: true,
      when: () => history.canRedo || engine.getTool().drawing,
    }),
    action('edit.delete', 'Delete', ['Delete', 'Backspace'], () => void engine.remove(selection.ids()), {
      icon: 'trash',
      ...selected,
    }),
    action(
      'edit.forceDelete',
      'Delete, locked too',
      ['Shift+Delete'],
      () => void engine.remove(selection.ids(), { force: true }),
      selected,
    ),
    action('edit.copy', 'Copy', ['Mod+KeyC'], () => void (clipboard = records()), { icon: 'copy', ...selected }),
    action('edit.cut', 'Cut', ['Mod+KeyX'], () => cut(), { icon: 'cut', ...selected }),
    action('edit.paste', 'Paste', ['Mod+KeyV'], () => void engine.paste(clipboard), {
      icon: 'clipboard',
      when: () => clipboard.length > 0,
    }),
    action('edit.duplicate', 'Duplicate', ['Mod+KeyD'], () => void engine.paste(records()), selected),
    action('edit.selectAll', 'Select all', ['Mod+KeyA'], () => selection.all()),
    ...nudge('Left', 'ArrowLeft', -1, 0),
    ...nudge('Right', 'ArrowRight', 1, 0),
    ...nudge('Up', 'ArrowUp', 0, -1),
    ...nudge('Down', 'ArrowDown', 0, 1),
  ];

  function cut(): void {
    clipboard = records();
    engine.remove(selection.ids());
  }
}

type Flag = 'locked' | 'hidden' | 'occluded' | 'pinned' | 'outside';

function objectActions(engine: CanvasEngine): Action[] {
  const action = inGroup('object');
  const { selection, scene } = engine;
  const selected = { scope: 'selection', when: () => selection.ids().length > 0 } as const;
  const shapes = (): ShapeRecord[] => selection.ids().flatMap((id) => scene.getShape(id) ?? []);
  /** All get the opposite of what the first one has. */
  const toggle =
    (flag: Flag, all = false) =>
    (): void => {
      const targets = all ? scene.all().filter((record): record is ShapeRecord => record.kind === 'shape') : shapes();
      const value = targets.some((shape) => shape[flag] !== true);
      const kind = flag === 'locked' || flag === 'hidden' || flag === 'pinned' ? 'display' : 'state';
      engine.update(
        targets.map(({ clientId }) => clientId),
        { [flag]: value },
        kind,
      );
    };
  const zOrders = (): number[] => scene.all().flatMap((record) => (record.kind === 'shape' ? [record.zOrder] : []));
  const order = (pick: (values: readonly number[]) => number) => (): void =>
    void engine.update(selection.ids(), { zOrder: pick([0, ...zOrders()]) }, 'order');
  const group = (): void => {
    const used = scene.all().map((record) => record.group);
    engine.update(selection.ids(), { group: Math.max(0, ...used) + 1 }, 'group');
  };
  return [
    action('object.lock', 'Lock or unlock', ['KeyL'], toggle('locked'), { icon: 'lock', ...selected }),
    action('object.lockAll', 'Lock or unlock all', ['KeyT KeyL'], toggle('locked', true)),
    action('object.hide', 'Hide or show', ['KeyH'], toggle('hidden'), { icon: 'eye', ...selected }),
    action('object.hideAll', 'Hide or show all', ['KeyT KeyH'], toggle('hidden', true)),
    action('object.occluded', 'Occluded or not', ['KeyQ', 'Slash'], toggle('occluded'), selected),
    action('object.outside', 'Outside or not', ['KeyO'], toggle('outside'), {
      ...selected,
      when: () => shapes().some(({ trackId }) => trackId !== undefined),
    }),
    action('object.pin', 'Pin or unpin', ['KeyP'], toggle('pinned'), { icon: 'pin', ...selected }),
    action(
      'object.toFront',
      'To the foreground',
      ['Equal'],
      order((values) => Math.max(...values) + 1),
      selected,
    ),
    action(
      'object.toBack',
      'To the background',
      ['Minus'],
      order((values) => Math.min(...values) - 1),
      selected,
    ),
    action('object.group', 'Group', ['KeyG'], group, {
      ...selected,
      when: () => selection.ids().length > 1,
    }),
    action(
      'object.ungroup',
      'Ungroup',
      ['Shift+KeyG'],
      () => void engine.update(selection.ids(), { group: 0 }, 'group'),
      selected,
    ),
    action('object.next', 'Next object', ['Tab'], () => step(engine, 1), { repeats: true }),
    action('object.previous', 'Previous object', ['Shift+Tab'], () => step(engine, -1), { repeats: true }),
    action('object.focus', 'Look at the object', ['KeyY'], () => focus(engine), selected),
  ];
}

function focus(engine: CanvasEngine): void {
  const id = engine.selection.ids().at(-1);
  if (id !== undefined) engine.focusShape(id, { zoom: true });
}

function step(engine: CanvasEngine, by: 1 | -1): void {
  const ids = engine.scene
    .all()
    .flatMap((record) => (record.kind === 'shape' && !record.hidden ? [record.clientId] : []));
  if (ids.length === 0) return;
  const now = ids.indexOf(engine.selection.ids().at(-1) ?? '');
  const next = ids[now < 0 ? (by > 0 ? 0 : ids.length - 1) : (now + by + ids.length) % ids.length];
  if (next !== undefined) engine.focusShape(next);
}

function viewActions(engine: CanvasEngine): Action[] {
  const action = inGroup('view');
  const toggle = (name: 'crosshair' | 'smoothImage') => (): void =>
    engine.setAppearance({ [name]: !engine.getAppearance()[name] });
  const labels = (): void => {
    const order = ['active', 'all', 'none'] as const;
    const now = order.indexOf(engine.getAppearance().showLabels);
    engine.setAppearance({ showLabels: order[(now + 1) % order.length] ?? 'active' });
  };
  const pan = (code: string, name: string, x: number, y: number): Action =>
    action(`view.pan${name}`, `Move the picture ${name.toLowerCase()}`, [`Mod+${code}`], () => engine.panBy(x, y), {
      repeats: true,
    });
  return [
    action('view.fit', 'Fit the image', ['Home', 'Shift+KeyF'], () => engine.fit(), { icon: 'maximize' }),
    action('view.actualSize', 'One to one', ['Shift+Digit0'], () => engine.setScale(1), { icon: 'zoom-reset' }),
    action('view.zoomIn', 'Zoom in', ['Mod+Equal'], () => engine.zoomBy(1.25), { icon: 'zoom-in', repeats: true }),
    action('view.zoomOut', 'Zoom out', ['Mod+Minus'], () => engine.zoomBy(0.8), { icon: 'zoom-out', repeats: true }),
    action('view.rotateClockwise', 'Turn the view right', ['Mod+KeyR'], () => engine.rotateView('clockwise'), {
      icon: 'rotate-clockwise',
    }),
    action('view.rotateCounterclockwise', 'Turn the view left', ['Mod+Shift+KeyR'], () =>
      engine.rotateView('counterclockwise'),
    ),
    action('view.labels', 'Labels: active, all, none', [], labels, { icon: 'tag' }),
    action('view.crosshair', 'Crosshair on or off', [], toggle('crosshair'), { icon: 'plus' }),
    action('view.smooth', 'Smooth or square pixels', [], toggle('smoothImage')),
    pan('ArrowLeft', 'Left', 80, 0),
    pan('ArrowRight', 'Right', -80, 0),
    pan('ArrowUp', 'Up', 0, 80),
    pan('ArrowDown', 'Down', 0, -80),
  ];
}
