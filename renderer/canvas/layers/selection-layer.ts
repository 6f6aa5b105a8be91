import { Canvas, type FabricObject } from 'fabric';
import { shapeColor } from '../appearance.ts';
import type { Editor } from '../editor.ts';
import { RecordObject } from '../fabric/record-object.ts';
import { bitmapTransform, viewMatrix } from '../geometry/view-transform.ts';
import { showsHandles } from '../tool-kinds.ts';
import type { ToolView } from '../tools/tool.ts';
import type { Handle } from '../shapes/behaviour.ts';
import type { ShapeRecord, Size, View } from '../types.ts';
import { layerStyle } from './canvas-element.ts';
import { handleSizePx, paintHandles } from './handle-painter.ts';
import {
  createMaskPainter,
  mostDrawnPerStep,
  paintedMasks,
  selectedMaskOpacity,
  selectedStyle,
} from './mask-painter.ts';
import { behaviourOf } from '../shapes/shape-behaviours.ts';
import { paintDashedRing } from './overlay-marks.ts';
import { paintShapes } from './shape-painter.ts';
import { pointStateOf } from '../shapes/point-states.ts';

const groupColor = '#4a9eff';

type Context = CanvasRenderingContext2D;

interface Painting {
  objects(context: Context, objects: readonly RecordObject[]): void;
  handles(context: Context, active: FabricObject): void;
}

/** Fabric's canvas with the painters of the static layer, so that a shape looks the same when selected. */
class SelectionCanvas extends Canvas {
  painting: Painting | null = null;

  override getZoom(): number {
    return Math.hypot(this.viewportTransform[0], this.viewportTransform[1]);
  }

  override _renderObjects(context: Context, objects: FabricObject[]): void {
    this.painting?.objects(
      context,
      objects.filter((object) => object instanceof RecordObject),
    );
  }

  override drawControls(context: Context): void {
    const active = this.getActiveObject();
    if (active !== undefined) this.painting?.handles(context, active);
  }
}

/**
 * Layer 4: the selected shapes with handles, as fabric objects. It handles no pointer events: the select tool asks the
 * objects for the control under the pointer and runs its handler, so gestures also run without a document. An object is
 * drawn as its record with the gesture applied.
 */
export function createSelectionLayer(host: HTMLElement, editor: Editor) {
  const { selected } = editor;
  const element = host.ownerDocument.createElement('canvas');
  element.dataset['layer'] = 'selection';
  const canvas = new SelectionCanvas(element, {
    selection: false,
    skipTargetFind: true,
    renderOnAddRemove: false,
    uniformScaling: false,
    uniScaleKey: 'shiftKey',
    containerClass: 'canvas-selection',
  });
  const { wrapperEl, upperCanvasEl } = canvas;
  Object.assign(wrapperEl.style, layerStyle, { display: 'none' });
  host.append(wrapperEl);
  const masks = createMaskPainter();
  let shownVersion = -1;
  let drawnView: View | null = null;
  let toolView: ToolView | null = null;

  const recordsOf = (objects: readonly RecordObject[]): ShapeRecord[] => {
    const drafts = new Map(toolView?.drafts.map(({ shape }) => [shape.clientId, shape]));
    const hidden = new Set(toolView?.hidden);
    return objects.flatMap(({ record }) =>
      hidden.has(record.clientId) ? [] : [drafts.get(record.clientId) ?? record],
    );
  };
  /** A skeleton's points show their state instead of plain handles. */
  const nodesOf =
    (shape: ShapeRecord | undefined, color: string) =>
    ({ kind, index }: Handle) => {
      const element = kind === 'vertex' ? shape?.elements?.[index] : undefined;
      if (element === undefined) return null;
      const own = editor.appearance().colorBy === 'label' ? editor.labels().get(element.labelId)?.color : undefined;
      return { state: pointStateOf(element), color: own ?? color };
    };
  canvas.painting = {
    objects(context, objects) {
      const appearance = editor.appearance();
      const records = recordsOf(objects);
      masks.paint(
        context,
        paintedMasks(records),
        editor,
        editor.context(),
        selectedMaskOpacity(appearance.selectedOpacity),
      );
      paintShapes(context, records, selectedStyle(editor));
    },
    handles(context, active) {
      const { id, drawing } = editor.tools.current();
      if (id !== 'select' && (!showsHandles(id) || drawing())) return;
      const isHeld = toolView?.drafts.length !== 0;
      // While the object moves, handles would hide the target.
      if (isHeld && toolView?.activeHandle === null) return;
      const appearance = editor.appearance();
      const handles = selected.handles().filter(({ kind }) => !isHeld || kind !== 'middle');
      const color =
        active instanceof RecordObject ? shapeColor(active.record, appearance, editor.labels()) : groupColor;
      if (!(active instanceof RecordObject) || behaviourOf(active.record).frame === undefined) {
        const corners = handles.flatMap(({ kind, x, y }) =>
          kind === 'corner' ? [editor.view.toScreen({ x, y })] : [],
        );
        paintDashedRing(context, corners);
      }
      context.save();
      context.transform(...canvas.viewportTransform);
      paintHandles(context, handles, {
        pixel: editor.context().pixel,
        color,
        sizePx: handleSizePx,
        active: toolView?.activeHandle ?? null,
        nodeOf: active instanceof RecordObject ? nodesOf(recordsOf([active])[0], color) : undefined,
      });
      context.restore();
    },
  };
  const show = (): void => {
    const objects = selected.objects();
    if (selected.version() === shownVersion) return;
    shownVersion = selected.version();
    canvas.discardActiveObject();
    canvas.remove(...canvas.getObjects());
    // The stand-in canvas, if the objects were asked for handles before.
    for (const object of objects) object.set('canvas', undefined);
    canvas.add(...objects);
    const active = selected.active();
    if (active !== null) canvas.setActiveObject(active);
    wrapperEl.style.display = objects.length === 0 ? 'none' : '';
  };

  return {
    resize({ width, height }: Size) {
      canvas.setDimensions({ width, height });
      // Unused, so its bitmap is minimal.
      upperCanvasEl.width = 1;
      upperCanvasEl.height = 1;
      drawnView = null;
    },
    /** False if it has to be redrawn for this view; few objects are redrawn at once and stay sharp. */
    follow(view: View): boolean {
      const count = canvas.getObjects().length;
      if (count === 0) return true;
      if (drawnView === null || count <= mostDrawnPerStep) return false;
      if (view.rotation !== drawnView.rotation) return false;
      const { scale, x, y } = bitmapTransform(drawnView, view);
      wrapperEl.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
      return true;
    },
    draw(view: View, given: ToolView) {
      toolView = given;
      // Set first, because it positions the controls of added objects.
      canvas.viewportTransform = [...viewMatrix(view)];
      show();
      if (canvas.getObjects().length === 0) return;
      drawnView = view;
      wrapperEl.style.transform = '';
      canvas.renderAll();
    },
    remove() {
      void canvas.dispose();
      wrapperEl.remove();
    },
  };
}
