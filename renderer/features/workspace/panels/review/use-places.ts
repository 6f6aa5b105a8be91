import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { Box } from '../../../../canvas/types.ts';
import { useSession } from '../session-context.ts';

const cardWidth = 288;
const gap = 16;

/**
 * Follows the view without rendering. `data-box` of each region is in image pixels; cards are placed beside their
 * regions.
 */
export function usePlaces() {
  const { engine } = useSession();
  const layer = useRef<HTMLDivElement>(null);
  const place = useCallback((): void => {
    const host = layer.current;
    if (host === null) return;
    for (const element of host.querySelectorAll<HTMLElement>('[data-box]')) {
      const [left = 0, top = 0, right = 0, bottom = 0] = (element.dataset['box'] ?? '').split(' ').map(Number);
      const [a, b] = [engine.toScreen({ x: left, y: top }), engine.toScreen({ x: right, y: bottom })];
      const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
      const [width, height] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
      if (element.dataset['card'] === undefined) {
        Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
        continue;
      }
      const beside = x + width + gap + 24;
      const fits = beside + cardWidth <= host.clientWidth;
      const wanted = fits ? beside : x - gap - cardWidth;
      const most = Math.max(8, host.clientWidth - cardWidth - 8);
      const lowest = Math.max(8, host.clientHeight - element.offsetHeight - 8);
      Object.assign(element.style, {
        left: `${Math.min(most, Math.max(8, wanted))}px`,
        top: `${Math.min(lowest, Math.max(8, y))}px`,
      });
    }
  }, [engine]);
  useLayoutEffect(place);
  // Parts of the layer render separately, and a card grows with its text; each is placed before it is painted.
  useLayoutEffect(() => {
    const host = layer.current;
    if (host === null) return undefined;
    const observer = new MutationObserver(place);
    observer.observe(host, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-box'] });
    return () => observer.disconnect();
  }, [place]);
  useEffect(() => engine.on('view', place), [engine, place]);
  return layer;
}

export const boxText = ({ left, top, right, bottom }: Box): string => [left, top, right, bottom].join(' ');
