import { Polygon, Rect, StaticCanvas, type FabricObject } from 'fabric';
import type { ShapeRecord } from '../../../renderer/canvas/types.ts';
import { makeCrowd, makeLabels } from '../../e2e/canvas-harness/harness-scene.ts';

/** Milliseconds of pan frames, with the shapes and over the bare image. */
export interface AnchorMeasured {
  readonly name: string;
  readonly work: readonly number[];
  readonly bare: readonly number[];
}

declare global {
  interface Window {
    anchors: { run(count: number): Promise<AnchorMeasured[]> };
  }
}

const width = 1280;
const height = 800;
const imageWidth = 1920;
const imageHeight = 1080;
const scale = width / imageWidth;
const labels = makeLabels();

const picture = new OffscreenCanvas(imageWidth, imageHeight);
const paint = picture.getContext('2d');
if (paint !== null) {
  paint.fillStyle = '#7788aa';
  paint.fillRect(0, 0, imageWidth, imageHeight);
}

const colorOf = (shape: ShapeRecord): string => labels.get(shape.labelId)?.color ?? '#888888';

function makeCanvas(): { element: HTMLCanvasElement; context: CanvasRenderingContext2D } {
  const element = document.createElement('canvas');
  element.width = width;
  element.height = height;
  document.body.replaceChildren(element);
  const context = element.getContext('2d');
  if (context === null) throw new Error('no 2D canvas');
  return { element, context };
}

function time(frames: number, draw: (shift: number) => void, context: CanvasRenderingContext2D): number[] {
  return Array.from({ length: frames }, (_, place) => {
    const start = performance.now();
    draw((place % 20) * 3);
    context.getImageData(0, 0, 1, 1);
    return performance.now() - start;
  });
}

function drawPicture(context: CanvasRenderingContext2D, shift: number): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width, height);
  context.setTransform(scale, 0, 0, scale, shift, shift);
  context.drawImage(picture, 0, 0);
}

function rawBatch(shapes: readonly ShapeRecord[], context: CanvasRenderingContext2D, shift: number): void {
  drawPicture(context, shift);
  const paths = new Map<string, Path2D>();
  for (const shape of shapes) {
    const color = colorOf(shape);
    const path = paths.get(color) ?? new Path2D();
    paths.set(color, path);
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape.points;
    if (shape.type === 'rectangle') path.rect(x1, y1, x2 - x1, y2 - y1);
    else {
      path.moveTo(x1, y1);
      for (let index = 2; index < shape.points.length; index += 2) {
        path.lineTo(shape.points[index] ?? 0, shape.points[index + 1] ?? 0);
      }
      path.closePath();
    }
  }
  context.lineWidth = 1.5 / scale;
  for (const [color, path] of paths) {
    context.fillStyle = `${color}14`;
    context.fill(path);
    context.strokeStyle = color;
    context.stroke(path);
  }
}

function fabricObject(shape: ShapeRecord, objectCaching: boolean): FabricObject {
  const color = colorOf(shape);
  const look = { fill: `${color}14`, stroke: color, strokeWidth: 1.5 / scale, objectCaching };
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape.points;
  if (shape.type === 'rectangle') {
    return new Rect({ ...look, left: (x1 + x2) / 2, top: (y1 + y2) / 2, width: x2 - x1, height: y2 - y1 });
  }
  const points = Array.from({ length: shape.points.length / 2 }, (_, vertex) => ({
    x: shape.points[vertex * 2] ?? 0,
    y: shape.points[vertex * 2 + 1] ?? 0,
  }));
  return new Polygon(points, look);
}

function fabricFrames(shapes: readonly ShapeRecord[], objectCaching: boolean, frames: number): number[] {
  const { element } = makeCanvas();
  const canvas = new StaticCanvas(element, { renderOnAddRemove: false, enableRetinaScaling: false });
  for (let place = 0; place < shapes.length; place += 500) {
    canvas.add(...shapes.slice(place, place + 500).map((shape) => fabricObject(shape, objectCaching)));
  }
  const draw = (shift: number): void => {
    canvas.viewportTransform = [scale, 0, 0, scale, shift, shift];
    canvas.calcViewportBoundaries();
    canvas.renderAll();
  };
  draw(0);
  return time(frames, draw, canvas.contextContainer);
}

window.anchors = {
  run(count) {
    const shapes = makeCrowd(count, imageWidth, imageHeight);
    const { context } = makeCanvas();
    const bare = time(30, (shift) => drawPicture(context, shift), context);
    const raw = time(12, (shift) => rawBatch(shapes, context, shift), context);
    return Promise.resolve([
      { name: 'for comparison: raw batch, pan', work: raw, bare },
      { name: 'for comparison: fabric tuned, pan', work: fabricFrames(shapes, false, 8), bare },
      { name: 'for comparison: fabric default, pan', work: fabricFrames(shapes, true, 3), bare },
    ]);
  },
};
