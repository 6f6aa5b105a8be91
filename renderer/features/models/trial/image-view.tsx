import { formatFixed } from '../../../i18n/language.ts';
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { useText } from '../../../i18n/index.ts';
import { anchorOf, middleOf, type Detection, type Part } from './detections.ts';
import classes from './try.module.css';
import { boxOf, type Corner, type Prompts } from './trial-fields.ts';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

interface ImageViewProps {
  readonly url: string;
  readonly label: string;
  readonly size: ImageSize;
  readonly detections: readonly Detection[];
  readonly highlighted: number | null;
  readonly prompts: Prompts;
  readonly onPoint: ((at: Corner) => void) | null;
}

const pairs = (points: readonly number[]): string =>
  points.reduce((text, value, index) => text + (index === 0 ? '' : index % 2 === 0 ? ' ' : ',') + String(value), '');

/** An image with results over it, in image pixels at any size. */
export function ImageView(props: ImageViewProps) {
  const { url, label, size, detections, highlighted, prompts, onPoint } = props;
  const { width, height } = size;
  return (
    <div
      className={classes.picture}
      style={{ aspectRatio: `${width} / ${height}`, maxWidth: `min(100%, calc(${width / height} * 66vh))` }}
    >
      <img src={url} alt={label} draggable={false} />
      <Masks size={size} detections={detections} highlighted={highlighted} />
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden data-testid="result-shapes">
        {detections.map((detection) => {
          const middle = middleOf(detection);
          return (
            <g
              key={detection.id}
              data-label={detection.label}
              stroke={detection.color}
              fill={detection.color}
              data-on={detection.id === highlighted || undefined}
              transform={detection.rotation === 0 ? undefined : `rotate(${detection.rotation} ${middle.x} ${middle.y})`}
            >
              {detection.parts.map((part, index) => (
                // Parts of one result keep their order.
                // oxlint-disable-next-line react/no-array-index-key -- the parts of one answer never move
                <PartShape key={index} part={part} />
              ))}
            </g>
          );
        })}
        <PromptShapes prompts={prompts} />
      </svg>
      {detections.map((detection) => (
        <Chip key={detection.id} detection={detection} size={size} />
      ))}
      {onPoint !== null && <PromptArea size={size} onPoint={onPoint} />}
    </div>
  );
}

function PartShape({ part }: { readonly part: Part }) {
  switch (part.type) {
    case 'path':
      return part.isClosed ? (
        <polygon points={pairs(part.points)} fillOpacity={0.15} />
      ) : (
        <polyline points={pairs(part.points)} fill="none" />
      );
    case 'ellipse':
      return <ellipse cx={part.x} cy={part.y} rx={part.rx} ry={part.ry} fillOpacity={0.15} />;
    case 'points':
      return (
        <>
          {part.points
            .filter((_, index) => index % 2 === 0)
            .map((x, index) => {
              const y = part.points[index * 2 + 1] ?? 0;
              // A line of zero length with round ends is a dot of constant size at every zoom.
              return <path key={`${x} ${y}`} className={classes.dotMark} d={`M${x} ${y}h0`} />;
            })}
        </>
      );
    case 'mask':
      return null;
  }
}

function PromptShapes({ prompts }: { readonly prompts: Prompts }) {
  const box = boxOf(prompts);
  const dot = (kind: 'positive' | 'negative' | 'box') =>
    prompts[kind].map(([x, y]) => (
      <path key={`${kind} ${x} ${y}`} className={classes.promptMark} data-kind={kind} d={`M${x} ${y}h0`} />
    ));
  return (
    <g data-testid="prompts">
      {box !== null && (
        <rect className={classes.promptBox} x={box[0]} y={box[1]} width={box[2] - box[0]} height={box[3] - box[1]} />
      )}
      {dot('positive')}
      {dot('negative')}
      {dot('box')}
    </g>
  );
}

function Masks({ size, detections, highlighted }: Pick<ImageViewProps, 'size' | 'detections' | 'highlighted'>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, size.width, size.height);
    for (const { id, color, parts } of detections) {
      for (const part of parts)
        if (part.type === 'mask') paintMask(context, part, color, id === highlighted ? 170 : 110);
    }
  }, [size, detections, highlighted]);
  if (!detections.some(({ parts }) => parts.some(({ type }) => type === 'mask'))) return null;
  return <canvas ref={canvas} width={size.width} height={size.height} data-testid="result-masks" />;
}

function paintMask(
  context: CanvasRenderingContext2D,
  { left, top, width, height, pixels }: Extract<Part, { type: 'mask' }>,
  color: string,
  opacity: number,
): void {
  const value = Number.parseInt(color.slice(1), 16);
  const image = new ImageData(width, height);
  pixels.forEach((isSet, index) => {
    if (isSet === 1) image.data.set([value >> 16, (value >> 8) & 255, value & 255, opacity], index * 4);
  });
  const layer = document.createElement('canvas');
  layer.width = width;
  layer.height = height;
  layer.getContext('2d')?.putImageData(image, 0, 0);
  context.drawImage(layer, left, top);
}

function Chip({ detection, size }: { readonly detection: Detection; readonly size: ImageSize }) {
  const at = anchorOf(detection);
  const { label, score, color } = detection;
  if (at === null || (label === '' && score === null)) return null;
  const part = (value: number, whole: number) => `${Math.min(98, Math.max(0, (100 * value) / whole))}%`;
  // Shifts the name left near the right edge, so that it stays on the image.
  const back = Math.round((100 * Math.max(0, Math.min(1, at.x / size.width) - 0.7)) / 0.3);
  // Near the upper edge, the name is inside of its box.
  const up = at.y / size.height < 0.05 ? 0 : 100;
  return (
    <span
      className={classes.chip}
      aria-hidden
      style={{
        left: part(at.x, size.width),
        top: part(at.y, size.height),
        borderColor: color,
        transform: `translate(-${back}%, -${up}%)`,
      }}
    >
      {label}
      {score !== null && <b>{formatFixed(score, 2)}</b>}
    </span>
  );
}

/** Image pixels per press of an arrow key. */
const keyStep = 1;
const keyLeap = 20;

/** Sets points by pointer, or with a cross that arrow keys move. */
function PromptArea({ size, onPoint }: { readonly size: ImageSize; readonly onPoint: (at: Corner) => void }) {
  const t = useText();
  const [cross, setCross] = useState<Corner | null>(null);
  const click = (event: MouseEvent<HTMLDivElement>): void => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * size.width;
    const y = ((event.clientY - top) / height) * size.height;
    onPoint([Math.round(x), Math.round(y)]);
  };
  const press = (event: KeyboardEvent): void => {
    const [x, y] = cross ?? [size.width / 2, size.height / 2];
    const step = event.shiftKey ? keyLeap : keyStep;
    const moves: Readonly<Record<string, Corner>> = {
      ArrowLeft: [x - step, y],
      ArrowRight: [x + step, y],
      ArrowUp: [x, y - step],
      ArrowDown: [x, y + step],
    };
    const next = moves[event.key];
    if (next !== undefined) {
      setCross([Math.min(size.width, Math.max(0, next[0])), Math.min(size.height, Math.max(0, next[1]))]);
    } else if (event.key === 'Enter') onPoint([Math.round(x), Math.round(y)]);
    else return;
    event.preventDefault();
  };
  return (
    <div
      className={classes.promptArea}
      role="application"
      aria-label={t('modelTry.promptArea')}
      tabIndex={0}
      onClick={click}
      onKeyDown={press}
      onFocus={() => setCross((before) => before ?? [Math.round(size.width / 2), Math.round(size.height / 2)])}
    >
      {cross !== null && (
        <span
          className={classes.cross}
          style={{ left: `${(100 * cross[0]) / size.width}%`, top: `${(100 * cross[1]) / size.height}%` }}
        />
      )}
    </div>
  );
}
