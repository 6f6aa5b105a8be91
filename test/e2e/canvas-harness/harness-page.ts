import { bindActions, createActionTable, type ActionTable } from '../../../renderer/canvas/action-table.ts';
import { canvasActions } from '../../../renderer/canvas/actions.ts';
import { createEngine } from '../../../renderer/canvas/engine.ts';
import type { CanvasEngine } from '../../../renderer/canvas/canvas-engine.ts';
import type { Command } from '../../../renderer/canvas/types.ts';
import { makeCrowd, makeGallery, makeLabels } from './harness-scene.ts';

export interface Harness {
  readonly engine: CanvasEngine;
  readonly table: ActionTable;
  readonly commands: Command[];
  readonly refusals: string[];
  showPicture(width: number, height: number): void;
  showGallery(): void;
  showCrowd(count: number): void;
  clear(): void;
}

declare global {
  interface Window {
    harness: Harness;
  }
}

/** An image with light and dark parts, drawn here so that no file is needed. */
function drawPicture(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no 2D canvas');
  const sky = context.createLinearGradient(0, 0, 0, height);
  sky.addColorStop(0, '#b9d4ec');
  sky.addColorStop(0.5, '#e8e3d5');
  sky.addColorStop(0.55, '#6b7a5a');
  sky.addColorStop(1, '#262c24');
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  for (let place = 0; place < 60; place += 1) {
    context.fillStyle = `hsl(${(place * 47) % 360} 25% ${25 + ((place * 13) % 45)}% / 0.5)`;
    const x = ((place * 97) % 100) / 100;
    const y = 0.45 + (((place * 61) % 50) / 100) * 0.9;
    context.fillRect(x * width, y * height, width * 0.04, height * 0.09);
  }
  return canvas;
}

const host = document.createElement('div');
Object.assign(host.style, { position: 'fixed', inset: '0', background: '#2b2f36' });
document.body.append(host);

const engine = createEngine({ host });
const table = createActionTable({ actions: bindActions(canvasActions, engine) });
const commands: Command[] = [];
const refusals: string[] = [];
engine.on('command', (command) => commands.push(command));
engine.on('refused', (sentence) => refusals.push(sentence));
window.addEventListener('keydown', (event) => {
  if (table.handleKey(event)) event.preventDefault();
});

window.harness = {
  engine,
  table,
  commands,
  refusals,
  showPicture: (width, height) => engine.setImage(drawPicture(width, height), { width, height }),
  showGallery() {
    const { shapes, labels } = makeGallery();
    engine.setLabels(labels);
    engine.setFrameShapes(shapes, 0);
  },
  showCrowd(count) {
    engine.setLabels(makeLabels());
    engine.setFrameShapes(makeCrowd(count, 1920, 1080), 0);
  },
  clear: () => engine.setFrameShapes([], 0),
};
