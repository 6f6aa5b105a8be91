import type { Point, Size } from '../types.ts';
import { layerStyle } from './canvas-element.ts';

/** Two lines across the host with a dark edge. They are DOM elements, so that moving them draws nothing. */
export function createCrosshair(host: HTMLElement) {
  const line = (): HTMLElement => {
    const element = host.ownerDocument.createElement('div');
    Object.assign(element.style, layerStyle, {
      display: 'none',
      background: '#ffffff',
      boxShadow: '0 0 0 1px rgba(0, 0, 0, 0.55)',
    });
    host.append(element);
    return element;
  };
  const across = line();
  const down = line();
  across.style.height = '1px';
  down.style.width = '1px';

  return {
    /** Screen pixels; null hides it. */
    place(at: Point | null) {
      const display = at === null ? 'none' : '';
      across.style.display = display;
      down.style.display = display;
      if (at === null) return;
      across.style.transform = `translateY(${Math.round(at.y)}px)`;
      down.style.transform = `translateX(${Math.round(at.x)}px)`;
    },
    resize({ width, height }: Size) {
      across.style.width = `${width}px`;
      down.style.height = `${height}px`;
    },
    remove() {
      across.remove();
      down.remove();
    },
  };
}
