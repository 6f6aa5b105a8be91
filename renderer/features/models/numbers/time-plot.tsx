import { formatDate } from '../../../shared/format-text.ts';
import classes from './numbers.module.css';

export interface Plotted {
  readonly atMs: number;
  readonly value: number | null;
}

interface TimePlotProps {
  readonly label: string;
  /** One entry per line; the first one is the most prominent. */
  readonly lines: readonly (readonly Plotted[])[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly text: (value: number) => string;
  /** Maximum distance of connected points; a larger one means no calls. */
  readonly gapMs: number;
}

const [width, height, left, bottom, top] = [400, 120, 4, 16, 14];

/** Pieces of a line without idle periods. */
function piecesOf(line: readonly Plotted[], gapMs: number): { atMs: number; value: number }[][] {
  const pieces: { atMs: number; value: number }[][] = [];
  let lastMs = -Infinity;
  for (const { atMs, value } of line) {
    if (value === null) continue;
    if (atMs - lastMs > gapMs) pieces.push([]);
    pieces.at(-1)?.push({ atMs, value });
    lastMs = atMs;
  }
  return pieces;
}

/** A small plot over time; its top is the maximum. */
export function TimePlot({ label, lines, fromMs, toMs, text, gapMs }: TimePlotProps) {
  const most = Math.max(0, ...lines.flat().map(({ value }) => value ?? 0));
  const xOf = (atMs: number): number => left + ((atMs - fromMs) / Math.max(1, toMs - fromMs)) * (width - 2 * left);
  const yOf = (value: number): number => top + (1 - value / (most || 1)) * (height - top - bottom);
  return (
    <figure className={classes.plot}>
      <figcaption>{label}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${label}: ${text(most)}`}>
        <path className={classes.rule} d={`M${left} ${yOf(0)}H${width - left}M${left} ${top}H${width - left}`} />
        <text x={left} y={top - 4}>
          {text(most)}
        </text>
        <text x={left} y={height - 3}>
          {formatDate(new Date(fromMs).toISOString())}
        </text>
        <text x={width - left} y={height - 3} textAnchor="end">
          {formatDate(new Date(toMs).toISOString())}
        </text>
        {lines.map((line, place) =>
          piecesOf(line, gapMs).map((piece) => {
            const [first] = piece;
            if (first === undefined) return null;
            if (piece.length === 1) {
              return (
                <circle
                  key={`${place} ${first.atMs}`}
                  data-line={place}
                  cx={xOf(first.atMs)}
                  cy={yOf(first.value)}
                  r={2}
                />
              );
            }
            const path = piece.map(({ atMs, value }) => `${xOf(atMs).toFixed(1)} ${yOf(value).toFixed(1)}`).join('L');
            return <path key={`${place} ${first.atMs}`} className={classes.line} data-line={place} d={`M${path}`} />;
          }),
        )}
      </svg>
    </figure>
  );
}
