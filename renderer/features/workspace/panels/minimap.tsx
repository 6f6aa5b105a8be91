import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { boxOfCorners } from '../../../canvas/geometry/box.ts';
import { useText } from '../../../i18n/index.ts';
import classes from './canvas-area.module.css';
import { useAnnotate, useSession } from './session-context.ts';
import { useAppearance } from './scene-hooks.ts';

const longestSidePx = 140;
/** Share of the visible image above which the minimap is hidden. */
const seenWhole = 0.98;

/** Overview of the image with a frame around the visible part. Dragging moves the view. */
export function Minimap() {
  const t = useText();
  const { engine, metaOf } = useSession();
  const frame = useAnnotate((state) => state.settledFrame);
  const picture = useAnnotate((state) => state.picture.kind);
  const appearance = useAppearance();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const seen = useRef<HTMLDivElement>(null);
  const { width = 1, height = 1 } = metaOf(frame) ?? {};
  const scale = longestSidePx / Math.max(width, height);
  const isOn = appearance.minimap && picture === 'ready';
  const [isSeen, setSeen] = useState(false);

  useEffect(() => {
    if (!isOn || !isSeen || canvas.current === null) return;
    const copy = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
    const target = copy.getContext('2d');
    const shown = canvas.current.getContext('2d');
    if (target === null || shown === null || !engine.drawPicture(target, scale)) return;
    canvas.current.width = copy.width;
    canvas.current.height = copy.height;
    shown.drawImage(copy, 0, 0);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the engine draws the displayed frame with its adjustments
  }, [engine, isOn, isSeen, frame, width, height, scale, appearance]);

  useEffect(() => {
    if (!isOn) return;
    /** Writes to the DOM directly: nothing renders while the view moves. */
    const follow = (): void => {
      const area = host.current?.parentElement;
      if (host.current === null || seen.current === null || area == null) return;
      const box = boxOfCorners(
        engine.toImage({ x: 0, y: 0 }),
        engine.toImage({ x: area.clientWidth, y: area.clientHeight }),
      );
      const [left, top] = [Math.max(0, box.left), Math.max(0, box.top)];
      const [right, bottom] = [Math.min(width, box.right), Math.min(height, box.bottom)];
      const share = (Math.max(0, right - left) * Math.max(0, bottom - top)) / (width * height);
      setSeen(share <= seenWhole);
      Object.assign(seen.current.style, {
        left: `${left * scale}px`,
        top: `${top * scale}px`,
        width: `${Math.max(4, (right - left) * scale)}px`,
        height: `${Math.max(4, (bottom - top) * scale)}px`,
      });
    };
    // The observer also fires once for the initial size.
    const observer = new ResizeObserver(follow);
    if (host.current?.parentElement != null) observer.observe(host.current.parentElement);
    const stop = engine.on('view', follow);
    return () => {
      observer.disconnect();
      stop();
    };
  }, [engine, isOn, width, height, scale]);

  if (!isOn) return null;
  const look = (event: PointerEvent<HTMLDivElement>): void => {
    const area = host.current?.parentElement;
    if (event.buttons !== 1 || area == null) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const at = engine.toScreen({ x: (event.clientX - left) / scale, y: (event.clientY - top) / scale });
    engine.panBy(area.clientWidth / 2 - at.x, area.clientHeight / 2 - at.y);
  };
  return (
    <div
      ref={host}
      hidden={!isSeen}
      className={classes.minimap}
      style={{ width: width * scale, height: height * scale }}
      role="img"
      aria-label={t('view.minimapName')}
      data-testid="minimap"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        look(event);
      }}
      onPointerMove={look}
    >
      <canvas ref={canvas} />
      <div ref={seen} className={classes.seen} />
    </div>
  );
}
