import type { Size } from '../types.ts';

/** Style of all layers over the host. They never take pointer events. */
export const layerStyle = {
  position: 'absolute',
  left: '0',
  top: '0',
  pointerEvents: 'none',
  transformOrigin: '0 0',
  willChange: 'transform',
} as const;

export function createCanvasElement(host: HTMLElement, name: string) {
  const element = host.ownerDocument.createElement('canvas');
  element.dataset['layer'] = name;
  Object.assign(element.style, layerStyle);
  host.append(element);
  const context = element.getContext('2d');
  if (context === null)
    throw new Error('Cannot open the annotation view: this browser has no 2D canvas. Use a current browser.');
  return {
    element,
    context,
    /** CSS pixels and device pixels per CSS pixel. Clears the canvas if the size changed. */
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
