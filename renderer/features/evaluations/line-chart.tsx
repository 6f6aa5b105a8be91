import classes from './evaluations.module.css';

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface LineChartProps {
  readonly label: string;
  /** Coordinates from 0 to 1; values below 0 are missing. */
  readonly lines: readonly (readonly Point[])[];
  readonly marks?: readonly Point[];
  /** Position of a vertical line. */
  readonly line?: number;
  readonly axis?: string;
}

const [width, height, left, bottom, top] = [400, 200, 30, 20, 8];
const xOf = (x: number): number => left + x * (width - left - 8);
const yOf = (y: number): number => top + (1 - y) * (height - top - bottom);
const isThere = ({ x, y }: Point): boolean => x >= 0 && y >= 0;

/** Curves from 0 to 1, one line per model, also distinguished by dashes. */
export function LineChart({ label, lines, marks = [], line, axis }: LineChartProps) {
  return (
    <svg className={classes.chart} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {[0, 0.5, 1].map((value) => (
        <g key={value}>
          <path className={classes.rule} d={`M${xOf(0)} ${yOf(value)}H${xOf(1)}`} />
          <text x={left - 6} y={yOf(value) + 4} textAnchor="end">
            {value}
          </text>
        </g>
      ))}
      <text x={xOf(0)} y={height - 4}>
        0
      </text>
      {axis !== undefined && (
        <text x={xOf(0.5)} y={height - 4} textAnchor="middle">
          {axis}
        </text>
      )}
      <text x={xOf(1)} y={height - 4} textAnchor="end">
        1
      </text>
      {line !== undefined && <path className={classes.cursor} d={`M${xOf(line)} ${top}V${yOf(0)}`} />}
      {lines.map((points, place) => {
        const there = points.filter(isThere);
        if (there.length === 0) return null;
        const path = there.map(({ x, y }) => `${xOf(x).toFixed(1)} ${yOf(y).toFixed(1)}`).join('L');
        return <path key={place} className={classes.curve} data-model={place} d={`M${path}`} />;
      })}
      {marks.map((mark, place) =>
        isThere(mark) ? (
          <circle key={place} className={classes.mark} data-model={place} cx={xOf(mark.x)} cy={yOf(mark.y)} r={4} />
        ) : null,
      )}
    </svg>
  );
}
