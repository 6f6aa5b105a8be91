import { rotatedRectangleToPolygon } from '../../../preload/contract/geometry.ts';
import { maskBox, maskToBitmap } from '../../../preload/contract/mask-runs.ts';
import type { ComparedFrame, ComparedObject } from '../../../preload/contract/schema/evaluations.ts';
import { useText } from '../../i18n/index.ts';
import { shown } from './report-card.tsx';
import classes from './evaluations.module.css';

export type Side = 'truth' | 'both' | 'results';

interface PictureProps {
  readonly taskId: number;
  readonly seen: ComparedFrame;
  readonly side: Side;
  readonly marked: { readonly list: 'missed' | 'extra' | 'matched'; readonly place: number } | null;
  readonly onMark: (marked: { readonly list: 'missed' | 'extra' | 'matched'; readonly place: number }) => void;
}

/** The frame with matched, missed and extra objects over it; told apart by their lines, too. */
export function ComparedPicture({ taskId, seen, side, marked, onMark }: PictureProps) {
  const t = useText();
  const { width, height, frame, matched, missed, extra } = seen;
  const pixel = Math.max(width / 1100, height / 750);
  const isMarked = (list: string, place: number) => (marked?.list === list && marked.place === place) || undefined;
  const [showsTruth, showsResults] = [side !== 'results', side !== 'truth'];
  const draw = (
    object: ComparedObject,
    what: string,
    list: 'missed' | 'extra' | 'matched',
    place: number,
    text: string,
  ) =>
    // A tag is of the whole picture: it stands in the list alone.
    object.type === 'tag' ? null : (
      <g
        key={`${what} ${place}`}
        className={classes.object}
        data-what={what}
        data-marked={isMarked(list, place)}
        onClick={() => onMark({ list, place })}
      >
        <path d={outlineOf(object)} vectorEffect="non-scaling-stroke" />
        {text !== '' && <Tag object={object} text={text} pixel={pixel} />}
      </g>
    );
  return (
    <svg
      className={classes.picture}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t('evaluations.picture')}
    >
      <image
        href={`/api/tasks/${taskId}/data?type=frame&number=${frame}&quality=original`}
        width={width}
        height={height}
      />
      {showsTruth && matched.map(({ truth }, place) => draw(truth, 'truth', 'matched', place, ''))}
      {showsResults &&
        matched.map(({ result, overlap }, place) => draw(result, 'matched', 'matched', place, shown(overlap, 2)))}
      {showsTruth && missed.map(({ truth }, place) => draw(truth, 'missed', 'missed', place, t('evaluations.missed')))}
      {showsResults &&
        extra.map(({ result }, place) =>
          draw(result, 'extra', 'extra', place, `${t('evaluations.extra')} ${shown(result.score, 2)}`),
        )}
    </svg>
  );
}

function Tag({
  object,
  text,
  pixel,
}: {
  readonly object: ComparedObject;
  readonly text: string;
  readonly pixel: number;
}) {
  const [x, y] = cornerOf(object);
  const size = 12 * pixel;
  return (
    <g className={classes.tag}>
      <rect
        x={x}
        y={Math.max(0, y - size * 1.6)}
        width={size * (0.62 * text.length + 0.8)}
        height={size * 1.5}
        rx={3 * pixel}
      />
      <text x={x + size * 0.4} y={Math.max(0, y - size * 1.6) + size * 1.08} fontSize={size}>
        {text}
      </text>
    </g>
  );
}

const ring = (points: readonly number[]): string => {
  const pairs = Array.from({ length: points.length >> 1 }, (_, at) => `${points[at * 2]} ${points[at * 2 + 1]}`);
  return pairs.length === 0 ? '' : `M${pairs.join('L')}Z`;
};

function outlineOf({ type, points, rotation, elements }: ComparedObject): string {
  if (type === 'rectangle') return ring(rotatedRectangleToPolygon(points, rotation));
  if (type === 'mask') return maskOutline(points);
  if (type === 'ellipse') {
    const [x = 0, y = 0, right = 0, top = 0] = points;
    const [rx, ry] = [Math.abs(right - x), Math.abs(y - top)];
    const angle = (rotation * Math.PI) / 180;
    const [dx, dy] = [rx * Math.cos(angle), rx * Math.sin(angle)];
    const arc = `A${rx} ${ry} ${rotation} 0 1`;
    return `M${x - dx} ${y - dy}${arc} ${x + dx} ${y + dy}${arc} ${x - dx} ${y - dy}Z`;
  }
  if (type === 'skeleton')
    return elements
      .filter(({ outside }) => !outside)
      .map(({ points: [x = 0, y = 0] }) => `M${x - 3} ${y}h6M${x} ${y - 3}v6`)
      .join('');
  return ring(points);
}

/** Rows of set pixels as bars: exact, and one path. */
function maskOutline(points: readonly number[]): string {
  const { left, top, width, height, bitmap } = maskToBitmap(points);
  const bars: string[] = [];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      if (bitmap[row * width + column] === 0) continue;
      const from = column;
      while (column < width && bitmap[row * width + column] !== 0) column += 1;
      bars.push(`M${left + from} ${top + row}h${column - from}v1h${from - column}z`);
    }
  }
  return bars.join('');
}

function cornerOf({ type, points, rotation, elements }: ComparedObject): readonly [number, number] {
  if (type === 'mask') {
    const { left, top } = maskBox(points);
    return [left, top];
  }
  const all =
    type === 'rectangle'
      ? rotatedRectangleToPolygon(points, rotation)
      : type === 'skeleton'
        ? elements.flatMap((element) => element.points)
        : points;
  const xs = all.filter((_, at) => at % 2 === 0);
  const ys = all.filter((_, at) => at % 2 === 1);
  return [Math.min(...xs), Math.min(...ys)];
}
