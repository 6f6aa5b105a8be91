import { createEngine } from '../../../renderer/canvas/engine.ts';
import type { CanvasEngine } from '../../../renderer/canvas/canvas-engine.ts';
import type { ShapeRecord } from '../../../renderer/canvas/types.ts';
import { makeCrowd, makeLabels } from '../../e2e/canvas-harness/harness-scene.ts';

/** Milliseconds per step. */
export interface Measured {
  readonly work: readonly number[];
  /** Time between two frames without a frame rate limit, so with the compositor. */
  readonly frame: readonly number[];
}

export interface Opened {
  /** Time until the first shapes are on screen. */
  readonly shownMs: number;
  readonly longestMs: number;
}

export type Gesture = 'pan' | 'zoom' | 'hover' | 'drag' | 'edit' | 'crisp' | Held;

/** Gesture, and number of selected shapes. */
type Held = `${'drag' | 'scale' | 'rotate'} ${50 | 200}`;

interface CanvasBench {
  open(count: number): Promise<Opened>;
  measure(gesture: Gesture, steps: number): Promise<Measured>;
  heapBytes(): number;
}

declare global {
  interface Window {
    bench: CanvasBench;
  }
}

const imageWidth = 1920;
const imageHeight = 1080;

/** Time spent in the engine's own frame callbacks. The bench itself waits with the native function. */
const nativeFrame = window.requestAnimationFrame.bind(window);
let engineMs = 0;
let longestMs = 0;
window.requestAnimationFrame = (callback) =>
  nativeFrame((time) => {
    const start = performance.now();
    callback(time);
    const tookMs = performance.now() - start;
    engineMs += tookMs;
    longestMs = Math.max(longestMs, tookMs);
  });

const host = document.createElement('div');
Object.assign(host.style, { position: 'fixed', inset: '0', background: '#2b2f36' });
document.body.append(host);

const picture = new OffscreenCanvas(imageWidth, imageHeight);
const paint = picture.getContext('2d');
if (paint === null) throw new Error('no 2D canvas');
for (let place = 0; place < 400; place += 1) {
  paint.fillStyle = `hsl(${(place * 47) % 360} 40% ${20 + ((place * 13) % 60)}%)`;
  paint.fillRect((place * 97) % imageWidth, (place * 61) % imageHeight, 180, 120);
}

const engine: CanvasEngine = createEngine({ host });
engine.setLabels(makeLabels());
engine.setImage(picture, { width: imageWidth, height: imageHeight });

const nextFrame = (): Promise<number> => new Promise((resolve) => nativeFrame(resolve));
const rest = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 250));
  while (!engine.isAtRest()) await nextFrame();
};

function forceRaster(): void {
  for (const canvas of host.querySelectorAll('canvas')) {
    if (canvas.style.display !== 'none' && canvas.dataset['layer'] !== 'image') {
      canvas.getContext('2d')?.getImageData(0, 0, 1, 1);
    }
  }
}

const root = (): Element => host.querySelector('[data-canvas]') ?? host;

function pointer(type: string, x: number, y: number, buttons = 0, button = -1): void {
  root().dispatchEvent(
    new PointerEvent(type, {
      clientX: x,
      clientY: y,
      buttons,
      button,
      pointerId: 1,
      bubbles: true,
      cancelable: true,
      isPrimary: true,
    }),
  );
}

function firstShape(): ShapeRecord | undefined {
  return engine.scene.all().find((record): record is ShapeRecord => record.kind === 'shape');
}

/** The shapes nearest to the centre of the image, so that they have space to move. */
function selectFirst(count: number): ShapeRecord[] {
  const away = ({ points: [x = 0, y = 0] }: ShapeRecord) => Math.hypot(x - imageWidth / 2, y - imageHeight / 2);
  const shapes = engine.scene.all().filter((record): record is ShapeRecord => record.kind === 'shape');
  const selected = shapes.sort((a, b) => away(a) - away(b)).slice(0, count);
  engine.update(
    selected.map(({ clientId }) => clientId),
    { zOrder: 1 },
  );
  engine.selection.set(selected.map(({ clientId }) => clientId));
  return selected;
}

/** Position of the body, the lower right corner or the rotation knob of a selection, in screen pixels. */
function gripOf(action: string, shapes: readonly ShapeRecord[]): { x: number; y: number } {
  const [first] = shapes;
  if (first === undefined) return { x: 640, y: 400 };
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shapes.find(({ type }) => type === 'rectangle')?.points ?? first.points;
  if (action === 'drag') return engine.toScreen({ x: (x1 + x2) / 2, y: (y1 + y2) / 2 });
  const xs = shapes.flatMap(({ points }) => points.filter((_, place) => place % 2 === 0));
  const ys = shapes.flatMap(({ points }) => points.filter((_, place) => place % 2 === 1));
  const low = engine.toScreen({ x: Math.min(...xs), y: Math.min(...ys) });
  const high = engine.toScreen({ x: Math.max(...xs), y: Math.max(...ys) });
  return action === 'scale' ? { x: high.x + 6, y: high.y + 6 } : { x: (low.x + high.x) / 2, y: low.y - 32 };
}

/** One step of a gesture; `before` and `after` are not measured. */
interface Steps {
  before?(): void;
  step(place: number): void;
  after?(): void;
}

function stepsOf(gesture: Gesture): Steps {
  const circle = (place: number, radius: number): { x: number; y: number } => ({
    x: 640 + Math.cos(place / 9) * radius,
    y: 400 + Math.sin(place / 7) * radius * 0.6,
  });
  if (gesture === 'pan') return { step: (place) => engine.panBy(place % 40 < 20 ? 6 : -6, place % 20 < 10 ? 3 : -3) };
  if (gesture === 'zoom') {
    return { step: (place) => engine.zoomBy(place % 24 < 12 ? 1.06 : 1 / 1.06, { x: 500, y: 300 }) };
  }
  if (gesture === 'hover') {
    return {
      step(place) {
        const { x, y } = circle(place, 300);
        pointer('pointermove', x, y);
      },
    };
  }
  if (gesture === 'edit') {
    return {
      step() {
        const shape = firstShape();
        if (shape !== undefined)
          engine.update([shape.clientId], { points: shape.points.map((value) => value + 0.5) }, 'move');
      },
    };
  }
  if (gesture === 'crisp') return { step: () => engine.setAppearance({}) };
  let grip = { x: 0, y: 0 };
  const [action, count] = gesture.split(' ');
  if (count !== undefined) {
    return {
      before() {
        grip = gripOf(action ?? '', selectFirst(Number(count)));
        pointer('pointermove', grip.x, grip.y);
        pointer('pointerdown', grip.x, grip.y, 1, 0);
        pointer('pointermove', grip.x + 8, grip.y + 8, 1);
      },
      step(place) {
        pointer('pointermove', grip.x + 40 * Math.sin(place / 10), grip.y + 30 * Math.cos(place / 10), 1);
      },
      after: () => pointer('pointerup', grip.x, grip.y, 0, 0),
    };
  }
  return {
    before() {
      const shape = firstShape();
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape?.points ?? [];
      grip = engine.toScreen({ x: (x1 + x2) / 2, y: (y1 + y2) / 2 });
      engine.update(shape === undefined ? [] : [shape.clientId], { zOrder: 1 });
      pointer('pointermove', grip.x, grip.y);
      pointer('pointerdown', grip.x, grip.y, 1, 0);
      pointer('pointermove', grip.x + 8, grip.y + 8, 1);
    },
    step(place) {
      pointer('pointermove', grip.x + 60 * Math.sin(place / 10), grip.y + 40 * Math.cos(place / 10), 1);
    },
    after: () => pointer('pointerup', grip.x, grip.y, 0, 0),
  };
}

async function measureWork(steps: Steps, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let place = 0; place < count; place += 1) {
    await nextFrame();
    forceRaster();
    engineMs = 0;
    const start = performance.now();
    steps.step(place);
    const dispatched = performance.now();
    await nextFrame();
    const drawn = performance.now();
    forceRaster();
    times.push(dispatched - start + engineMs + performance.now() - drawn);
  }
  return times;
}

async function measureFrames(steps: Steps, count: number): Promise<number[]> {
  const times: number[] = [];
  await nextFrame();
  let last = performance.now();
  for (let place = 0; place < count; place += 1) {
    steps.step(place);
    await nextFrame();
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times;
}

window.bench = {
  async open(count) {
    engine.setFrameShapes([], 0);
    engine.fit();
    await rest();
    const shapes = makeCrowd(count, imageWidth, imageHeight);
    engineMs = 0;
    const start = performance.now();
    engine.setFrameShapes(shapes, 0);
    const given = performance.now();
    longestMs = given - start;
    await nextFrame();
    const drawn = performance.now();
    forceRaster();
    const shownMs = given - start + engineMs + performance.now() - drawn;
    await rest();
    return { shownMs, longestMs };
  },
  async measure(gesture, count) {
    const steps = stepsOf(gesture);
    steps.before?.();
    await nextFrame();
    await nextFrame();
    const work = await measureWork(steps, count);
    const frame = await measureFrames(steps, count);
    steps.after?.();
    engine.selection.clear();
    engine.fit();
    await rest();
    return { work, frame };
  },
  heapBytes: () => Reflect.get(performance, 'memory')?.usedJSHeapSize ?? 0,
};
