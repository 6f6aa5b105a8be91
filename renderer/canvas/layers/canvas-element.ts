import type { Size } from '../types.ts';

/** Of whatever lies over the host from its top left. It never takes pointer events. */
export const layerStyle = {
  position: 'absolute',
  left: '0',
  top: '0',
  pointerEvents: 'none',
  transformOrigin: '0 0',
  willChange: 'transform',
} as const;

/** A canvas that covers the host from its top left, with crisp pixels. */
export function createCanvasElement(host: HTMLElement, name: string) {
  const element = host.ownerDocument.createElement('canvas');
  element.dataset['layer'] = name;
  Object.assign(element.style, layerStyle);
  host.append(element);
  const context = element.getContext('2d');
  if (context === null) throw new Error('This browser has no 2D canvas, which the annotation view needs.');
  return {
    element,
    context,
    /** CSS pixels and device pixels per CSS pixel. Clears the canvas when something changed. */
    resize({ width, height }: Size, ratio: number): boolean {
      const pixelWidth = Math.max(1, Math.round(width * ratio));
      const pixelHeight = Math.max(1, Math.round(height * ratio));
      if (element.width === pixelWidth && element.height === pixelHeight) return false;
      element.width = pixelWidth;
      element.height = pixelHeight;
      element.style.width = `${pixelWidth / ratio}px`;
      element.style.height = `${pixelHeight / ratio}px`;
      return true;
    },
    remove: () => element.remove(),
  };
}

export type CanvasElement = ReturnType<typeof createCanvasElement>;
