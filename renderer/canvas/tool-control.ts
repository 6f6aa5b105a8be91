import type { CommandRunner } from './command-runner.ts';
import type { Emitter } from './emitter.ts';
import type { HitTester } from './hit-test.ts';
import type { EditableScene } from './scene.ts';
import type { Geometry, ShapeContext } from './shapes/behaviour.ts';
import { createTools } from './tools/create-tools.ts';
import { isDrawTool } from './tool-kinds.ts';
import type { Tool, ToolHost } from './tools/tool.ts';
import { noLabel } from './types.ts';
import type {
  Appearance,
  CanvasLabel,
  ClientId,
  Command,
  CommandInput,
  EngineEvents,
  Selection,
  ShapeRecord,
  ShapeType,
  TextValues,
  ToolId,
  ToolOptions,
} from './types.ts';
import type { ViewControl } from './view-control.ts';

interface ToolControlParts {
  readonly scene: EditableScene;
  readonly selection: Selection;
  readonly hits: HitTester;
  readonly view: ViewControl;
  readonly commands: CommandRunner;
  readonly events: Emitter<EngineEvents>;
  readonly newId: () => ClientId;
  readonly refuse: (sentence: string, values?: TextValues) => void;
  readonly context: () => ShapeContext;
  readonly appearance: () => Appearance;
  readonly labels: () => ReadonlyMap<number, CanvasLabel>;
  readonly hover: () => ClientId | null;
  readonly setHover: (id: ClientId | null) => void;
  readonly refresh: (layer: 'active' | 'overlay') => void;
}

export function createToolControl(parts: ToolControlParts) {
  const { events, commands, view } = parts;
  const options = new Map<ToolId, ToolOptions>();
  const optionsOf = (id: ToolId): ToolOptions => options.get(id) ?? {};
  let previous: ToolId = 'select';
  let lastDraw: ToolId = 'rectangle';

  /** A shape without a label is for the screen to keep until it has one. */
  const commit = (input: CommandInput): Command | null => {
    const [drawn] = input.changes;
    if (input.kind !== 'create' || drawn?.after?.kind !== 'shape' || drawn.after.labelId !== noLabel) {
      return commands.execute(input);
    }
    events.emit('unlabelled', drawn.after);
    return null;
  };

  const hostOf = (id: ToolId): ToolHost => {
    const draftShape = (type: ShapeType, geometry: Geometry): ShapeRecord =>
      makeShape('draft', type, geometry, optionsOf(id), parts);
    return {
      scene: parts.scene,
      selection: parts.selection,
      view: view.get,
      imageSize: view.image,
      appearance: parts.appearance,
      options: () => optionsOf(id),
      context: parts.context,
      pick: parts.hits.pick,
      pickHandle: parts.hits.pickHandle,
      inBox: parts.hits.inBox,
      hover: parts.hover,
      setHover: parts.setHover,
      newId: parts.newId,
      commit,
      refresh: parts.refresh,
      draftShape,
      newShape(type, geometry) {
        const { labelId } = optionsOf(id);
        const label = labelId === undefined ? undefined : parts.labels().get(labelId);
        if (labelId === noLabel) return makeShape(parts.newId(), type, geometry, optionsOf(id), parts);
        if (label === undefined) {
          parts.refuse('Choose a label first: every shape needs one.');
        } else if (label.type !== 'any' && label.type !== type) {
          parts.refuse('The label "{{name}}" is for {{type}} only: choose another label or tool.', {
            name: label.name,
            type: label.type,
          });
        } else {
          return makeShape(parts.newId(), type, geometry, optionsOf(id), parts);
        }
        return null;
      },
      drawStarted: () => events.emit('drawStart', id),
      drawEnded: (outcome) => events.emit('drawEnd', id, outcome),
      refuse: parts.refuse,
      panBy: view.panBy,
      zoomTo: view.zoomTo,
      zoomBy: view.zoomBy,
      backToPreviousTool: () => set(previous),
      contextMenu: (request) => events.emit('contextMenu', request),
      prompts: (prompts, finished) => events.emit('prompts', prompts, finished),
    };
  };
  const tools = createTools(hostOf);
  let current: Tool = tools.select;

  const leave = (next: ToolId | null): void => {
    if (current.leave === undefined) current.cancel();
    else current.leave(next);
  };
  const set = (id: ToolId, given?: ToolOptions): void => {
    if (given !== undefined) options.set(id, { ...optionsOf(id), ...given });
    if (id !== current.id) {
      leave(id);
      previous = current.id === 'zoom' || current.id === 'pan' ? previous : current.id;
      current = tools[id];
      if (isDrawTool(id)) lastDraw = id;
      parts.setHover(null);
    }
    parts.refresh('active');
    parts.refresh('overlay');
    events.emit('toolChange', id, optionsOf(id));
  };

  return {
    current: () => current,
    options: () => optionsOf(current.id),
    set,
    /** Before the scene is replaced: ends what is half drawn. */
    leaveFrame: () => leave(null),
    lastDrawTool: () => lastDraw,
  };
}

export type ToolControl = ReturnType<typeof createToolControl>;

function makeShape(
  clientId: ClientId,
  type: ShapeType,
  geometry: Geometry,
  options: ToolOptions,
  parts: ToolControlParts,
): ShapeRecord {
  return {
    kind: 'shape',
    clientId,
    type,
    frame: parts.scene.frame,
    labelId: options.labelId ?? noLabel,
    points: geometry.points,
    rotation: geometry.rotation ?? 0,
    occluded: options.occluded ?? false,
    outside: false,
    zOrder: options.zOrder ?? 0,
    group: options.group ?? 0,
    attributes: options.attributes ?? [],
    source: 'manual',
    score: 1,
    locked: false,
    hidden: false,
    ...(geometry.elements === undefined ? {} : { elements: geometry.elements }),
    ...(options.asTrack === true ? { trackId: parts.newId(), keyframe: true } : {}),
  };
}
