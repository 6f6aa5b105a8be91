import { added } from '../changes.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import type { CommandRunner } from '../command-runner.ts';
import type { Emitter } from '../emitter.ts';
import type { SelectedObjects } from '../fabric/selected-objects.ts';
import type { HitTester } from '../hit-test.ts';
import type { EditableScene } from '../scene.ts';
import type { Geometry, ShapeContext } from '../shapes/behaviour.ts';
import { noLabel } from '../types.ts';
import type { Selection } from '../selection.ts';
import type {
  Appearance,
  CanvasLabel,
  ClientId,
  ContextMenuRequest,
  EngineEvents,
  Point,
  Prompts,
  ReadPicture,
  RecordChange,
  ShapeRecord,
  ShapeType,
  TextValues,
  ToolId,
  ToolOptions,
} from '../types.ts';
import type { ViewControl } from '../view-control.ts';

export interface ToolHostParts {
  readonly scene: EditableScene;
  readonly selection: Selection;
  readonly selected: SelectedObjects;
  readonly hits: HitTester;
  readonly view: ViewControl;
  readonly commands: CommandRunner;
  readonly events: Emitter<EngineEvents>;
  readonly newId: () => ClientId;
  readonly refuse: (why: TextKey, values?: TextValues) => void;
  readonly context: () => ShapeContext;
  readonly appearance: () => Appearance;
  readonly labels: () => ReadonlyMap<number, CanvasLabel>;
  /** By default there is no image. */
  readonly readPicture?: ReadPicture | undefined;
  readonly hover: () => ClientId | null;
  readonly setHover: (id: ClientId | null) => void;
  /** 'active' for edited shapes, 'overlay' for everything that follows the pointer. */
  readonly refresh: (layer: 'active' | 'overlay') => void;
}

interface OwnParts {
  readonly options: () => ToolOptions;
  readonly backToPreviousTool: () => void;
}

export function createToolHost(id: ToolId, parts: ToolHostParts, { options, backToPreviousTool }: OwnParts) {
  const { scene, selection, selected, view, hits, events, commands, labels, newId, refuse } = parts;
  const { appearance, context, readPicture = () => null, hover, setHover, refresh } = parts;

  const shapeOf = (clientId: ClientId, type: ShapeType, geometry: Geometry): ShapeRecord => {
    const { labelId = noLabel, attributes = [], asTrack } = options();
    return {
      kind: 'shape',
      clientId,
      type,
      frame: scene.frame,
      labelId,
      points: geometry.points,
      rotation: geometry.rotation ?? 0,
      occluded: false,
      outside: false,
      zOrder: 0,
      group: 0,
      attributes,
      source: 'manual',
      score: 1,
      locked: false,
      hidden: false,
      ...(geometry.elements === undefined ? {} : { elements: geometry.elements }),
      ...(asTrack === true ? { trackId: clientId, keyframe: true } : {}),
    };
  };

  return {
    scene,
    selection,
    selected,
    newId,
    refuse,
    options,
    backToPreviousTool,
    appearance,
    context,
    hover,
    setHover,
    refresh,
    pick: hits.pick,
    near: hits.near,
    inBox: hits.inBox,
    view: view.get,
    imageSize: view.image,
    readPicture,
    panBy: view.panBy,
    show({ x, y }: Point) {
      view.reveal({ left: x, top: y, right: x, bottom: y });
      events.emit('cursor', { x, y });
    },
    zoomTo: view.zoomTo,
    zoomBy: view.zoomBy,
    /** A record with the tool's label; null with a notice if the label is missing or does not allow the type. */
    newShape(type: ShapeType, geometry: Geometry): ShapeRecord | null {
      const { labelId } = options();
      const label = labelId === undefined ? undefined : labels().get(labelId);
      if (labelId === noLabel) return shapeOf(newId(), type, geometry);
      if (label === undefined) {
        refuse('canvas.refused.noLabel');
        return null;
      }
      if (label.type === 'any' || label.type === type) return shapeOf(newId(), type, geometry);
      refuse('canvas.refused.otherType', { name: label.name, type: label.type });
      return null;
    },
    /** The same without a check, for drafts. */
    draftShape: (type: ShapeType, geometry: Geometry): ShapeRecord => shapeOf('draft', type, geometry),
    commit: commands.execute,
    /**
     * Creates and selects the shape; the screen holds one without a label until it gets one. `others` are changes of
     * the same command.
     */
    create(shape: ShapeRecord, others: readonly RecordChange[] = []) {
      if (shape.labelId !== noLabel) commands.execute({ kind: 'create', changes: [added(shape), ...others] });
      else {
        events.emit('unlabelled', shape);
        if (others.length > 0) commands.execute({ kind: 'mask', changes: others });
      }
    },
    drawStarted: () => events.emit('drawStart', id),
    drawEnded: (outcome: 'done' | 'cancelled') => events.emit('drawEnd', id, outcome),
    keyPointChanged: () => events.emit('keyPoint'),
    contextMenu: (request: ContextMenuRequest) => events.emit('contextMenu', request),
    prompts: (prompts: Prompts, finished: boolean) => events.emit('prompts', prompts, finished),
  };
}

export type ToolHost = ReturnType<typeof createToolHost>;
