import { useCallback, useState } from 'react';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A canvas at the resolution of the screen; reports its size in CSS pixels. */
export function useCanvas() {
  const [element, setElement] = useState<HTMLCanvasElement | null>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const attach = useCallback((canvas: HTMLCanvasElement | null) => {
    setElement(canvas);
    if (canvas === null) return undefined;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = canvas;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(canvas);
    measure();
    return () => observer.disconnect();
  }, []);
  const paint = (draw: (context: CanvasRenderingContext2D) => void): void => {
    const context = element?.getContext('2d');
    if (!element || !context || size.width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(context);
  };
  return { attach, element, size, paint };
}
