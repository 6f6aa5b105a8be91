import { useMemo } from 'react';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { brightnessOf, equalizing } from '../../../../canvas/geometry/equalize.ts';
import type { Appearance } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import classes from './inspector.module.css';

const bins = 64;
/** Side of the sampled copy, pixels. */
const sampleSide = 192;

/** Heights relative to the highest bin, from dark to light; null without an image. */
function sharesOf(engine: CanvasEngine, { gamma, equalize }: Appearance, scale: number): readonly number[] | null {
  const target = new OffscreenCanvas(sampleSide, sampleSide).getContext('2d', { willReadFrequently: true });
  if (target === null || !engine.drawPicture(target, scale)) return null;
  const { data } = target.getImageData(0, 0, sampleSide, sampleSide);
  const table = equalize ? equalizing(data) : null;
  const counts = Array.from({ length: bins }, () => 0);
  for (let place = 0; place < data.length; place += 4) {
    if ((data[place + 3] ?? 0) < 128) continue;
    const value = brightnessOf(data[place] ?? 0, data[place + 1] ?? 0, data[place + 2] ?? 0);
    const share = table?.[Math.round(value)] ?? value / 255;
    const bin = Math.min(bins - 1, Math.floor(share ** (1 / gamma) * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  // Ignores pure black and white, which many images contain a lot of.
  const most = Math.max(1, ...counts.slice(1, -1));
  return counts.map((count) => Math.min(1, count / most));
}

export function Histogram({ appearance }: { readonly appearance: Appearance }) {
  const t = useText();
  const { engine, metaOf } = useSession();
  const frame = useAnnotate((state) => state.frame);
  const picture = useAnnotate((state) => state.picture.kind);
  const shares = useMemo(() => {
    const { width = 1, height = 1 } = metaOf(frame) ?? {};
    return picture === 'ready' ? sharesOf(engine, appearance, Math.min(1, sampleSide / Math.max(width, height))) : null;
  }, [engine, metaOf, frame, picture, appearance]);
  if (shares === null) return null;
  const line = shares.map((share, bin) => `L${bin} ${(1 - share).toFixed(3)}L${bin + 1} ${(1 - share).toFixed(3)}`);
  return (
    <svg
      className={classes.histogram}
      viewBox={`0 0 ${bins} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('view.histogram')}
    >
      <path d={`M0 1${line.join('')}L${bins} 1Z`} />
    </svg>
  );
}
