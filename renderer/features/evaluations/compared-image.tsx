import type { ComparedFrame, ComparedObject } from '../../../preload/contract/schema/evaluations.ts';
import { useText } from '../../i18n/index.ts';
import { isDrawn, objectPaths } from '../../shared/object-paths.ts';
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

/** The frame with matched, missed and extra objects, also distinguished by line style. */
export function ComparedImage({ taskId, seen, side, marked, onMark }: PictureProps) {
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
  ) => {
    // Tags are only in the list.
    if (!isDrawn(object)) return null;
    const { area, line, dot, left, top } = objectPaths(object, pixel);
    return (
      <g
        key={`${what} ${place}`}
        className={classes.object}
        data-what={what}
        data-marked={isMarked(list, place)}
        onClick={() => onMark({ list, place })}
      >
        <path d={area + line + dot} fillRule="evenodd" vectorEffect="non-scaling-stroke" />
        {text !== '' && <Tag x={left} y={top} text={text} pixel={pixel} />}
      </g>
    );
  };
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

interface TagProps {
  /** Upper left corner of the object. */
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly pixel: number;
}

function Tag({ x, y, text, pixel }: TagProps) {
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
