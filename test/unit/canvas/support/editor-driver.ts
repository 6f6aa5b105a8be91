import { createEditor, type Invalid } from '../../../../renderer/canvas/editor.ts';
import type { FrameSizes } from '../../../../renderer/canvas/frame-guard.ts';
import type { RawPointer } from '../../../../renderer/canvas/pointer-control.ts';
import type {
  CanvasLabel,
  Command,
  CommandOrigin,
  ReadPicture,
  SceneRecord,
  ShapeRecord,
  Size,
  ToolId,
  ToolOptions,
} from '../../../../renderer/canvas/types.ts';

export interface Modifiers {
  readonly shift?: boolean;
  readonly mod?: boolean;
  readonly alt?: boolean;
  readonly button?: number;
  readonly clicks?: number;
}

const labels: ReadonlyMap<number, CanvasLabel> = new Map<number, CanvasLabel>([
  [1, { name: 'car', color: '#ff0000', type: 'any' }],
  [2, { name: 'lane', color: '#00ff00', type: 'polyline' }],
  [
    3,
    {
      name: 'person',
      color: '#0000ff',
      type: 'skeleton',
      edges: [[31, 32]],
    },
  ],
]);

/**
 * An editor with simulated mouse input: image coordinates in, commands out. No DOM. The view is 1:1 with the image at
 * the host's top left, so image and screen coordinates are equal.
 */
export function driveEditor(
  records: readonly SceneRecord[] = [],
  image: Size = { width: 400, height: 300 },
  readPicture: ReadPicture = () => null,
  frames?: FrameSizes,
  frame = 0,
) {
  let nextId = 0;
  const invalid = new Set<Invalid>();
  const editor = createEditor({
    newId: () => `new-${(nextId += 1)}`,
    describeCommand: ({ kind, count, type, labelName }) => `${kind} ${count} ${type} ${labelName}`,
    readPicture,
    ...(frames === undefined ? {} : { frames }),
    onInvalid: (what) => void invalid.add(what),
  });
  const commands: { command: Command; origin: CommandOrigin }[] = [];
  const refusals: string[] = [];
  const drawings: string[] = [];
  editor.setLabels(labels);
  editor.view.setHost(image);
  editor.view.setImage(image);
  editor.view.set({ scale: 1, offsetX: 0, offsetY: 0, rotation: 0 });
  editor.setFrameShapes(records, frame);
  editor.events.on('command', (command, origin) => commands.push({ command, origin }));
  editor.events.on('refused', (why, values = {}) => refusals.push([why, ...Object.values(values)].join(' ')));
  editor.events.on('drawStart', (tool) => drawings.push(`start ${tool}`));
  editor.events.on('drawEnd', (tool, outcome) => drawings.push(`${outcome} ${tool}`));

  const raw = (x: number, y: number, modifiers: Modifiers, button: number, clicks = 1): RawPointer => ({
    screen: editor.view.toScreen({ x, y }),
    button,
    clicks,
    shift: modifiers.shift ?? false,
    mod: modifiers.mod ?? false,
    alt: modifiers.alt ?? false,
  });
  const move = (x: number, y: number, modifiers: Modifiers = {}) => editor.pointer.move(raw(x, y, modifiers, -1));
  const down = (x: number, y: number, modifiers: Modifiers = {}) =>
    editor.pointer.down(raw(x, y, modifiers, modifiers.button ?? 0, modifiers.clicks));
  const up = (x: number, y: number, modifiers: Modifiers = {}) =>
    editor.pointer.up(raw(x, y, modifiers, modifiers.button ?? 0));
  const click = (x: number, y: number, modifiers: Modifiers = {}) => {
    move(x, y, modifiers);
    down(x, y, modifiers);
    up(x, y, modifiers);
  };

  return {
    editor,
    commands,
    refusals,
    drawings,
    invalid,
    tool: (id: ToolId, options: ToolOptions = { labelId: 1 }) => editor.tools.set(id, options),
    move,
    down,
    up,
    click,
    clicks(...places: readonly (readonly [number, number])[]) {
      for (const [x, y] of places) click(x, y);
    },
    doubleClick(x: number, y: number) {
      click(x, y);
      down(x, y, { clicks: 2 });
      up(x, y);
    },
    drag(from: readonly [number, number], to: readonly [number, number], modifiers: Modifiers = {}) {
      move(...from, modifiers);
      down(...from, modifiers);
      for (const part of [0.3, 0.7, 1]) {
        move(from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part, modifiers);
      }
      up(...to, modifiers);
    },
    shape(id: string): ShapeRecord {
      const shape = editor.scene.getShape(id);
      if (shape === undefined) throw new Error(`no shape ${id}`);
      return shape;
    },
    shapes: () => editor.scene.all().filter((record): record is ShapeRecord => record.kind === 'shape'),
    last(): Command {
      const entry = commands.at(-1);
      if (entry === undefined) throw new Error('no command yet');
      return entry.command;
    },
  };
}

export type EditorDriver = ReturnType<typeof driveEditor>;

export function driveTool(id: ToolId, options?: ToolOptions): EditorDriver {
  const hand = driveEditor();
  hand.tool(id, options);
  return hand;
}
