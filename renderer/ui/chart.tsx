import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { useText } from '../i18n/index.ts';
import { formatNumber } from '../i18n/language.ts';
import classes from './chart.module.css';

export interface Point {
  readonly x: number;
  /** Null is missing and interrupts the line. */
  readonly y: number | null;
}

interface LineChartProps {
  readonly title: string;
  /** False below a heading that says the same. */
  readonly showsTitle?: boolean;
  /** At least one; also distinguished by dashes. All have the same number of points. */
  readonly lines: readonly (readonly Point[])[];
  /** By default from the first to the last point. */
  readonly range?: readonly [from: number, to: number] | undefined;
  /** Value at the upper edge, by default the maximum. */
  readonly top?: number;
  /** A larger distance of two points interrupts the line. */
  readonly gap?: number;
  readonly marks?: readonly Point[];
  /** Position of a vertical line. */
  readonly cursor?: number | undefined;
  readonly shown: (y: number) => string;
  readonly nameOf: (x: number) => string;
  /** Name of the horizontal axis. */
  readonly axis?: string;
  /** For a chart that is the main content of its panel. */
  readonly isLarge?: boolean;
}

const mostSteps = 3;

/** Round values of the grid lines. */
function axisSteps(top: number): readonly number[] {
  const rough = top / mostSteps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.floor(top / step + 1e-9) }, (_, index) => (index + 1) * step);
}

/** Pieces of a line without missing points. */
function piecesOf(line: readonly Point[], gap: number): { readonly x: number; readonly y: number }[][] {
  const pieces: { x: number; y: number }[][] = [];
  let before = -Infinity;
  for (const { x, y } of line) {
    if (y === null) before = -Infinity;
    if (y === null) continue;
    if (x - before > gap || before === -Infinity) pieces.push([]);
    pieces.at(-1)?.push({ x, y });
    before = x;
  }
  return pieces;
}

const nextAt = (key: string, at: number, last: number): number | null => {
  if (key === 'ArrowRight') return Math.min(last, at + 1);
  if (key === 'ArrowLeft') return Math.max(0, at - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
};

/** Values over a number or time. Hover and arrow keys show single values; a table lists them all. */
export function LineChart(props: LineChartProps) {
  const { title, showsTitle = true, lines, gap = Infinity, marks = [], cursor, shown, nameOf, axis, isLarge } = props;
  const t = useText();
  const id = useId();
  const [at, setAt] = useState<number | null>(null);
  const points = lines[0] ?? [];
  const last = points.length - 1;
  const [from, to] = props.range ?? [points[0]?.x ?? 0, points[last]?.x ?? 0];
  const most = props.top ?? Math.max(0, ...lines.flat().map(({ y }) => y ?? 0));
  const left = (x: number): number => (to === from ? 50 : (100 * (x - from)) / (to - from));
  const down = (y: number): number => 100 - (100 * y) / (most > 0 ? most : 1);
  const steps = most > 0 ? axisSteps(most) : [];
  // Values with the same text are shown once.
  const told = steps.filter((step, index) => shown(step) !== shown(index === 0 ? 0 : (steps[index - 1] ?? 0)));
  const valuesAt = (index: number): string =>
    lines
      .map((line) => line[index]?.y ?? null)
      .map((y) => (y === null ? '–' : shown(y)))
      .join(' / ');
  const pathOf = (piece: readonly { x: number; y: number }[]): string =>
    `M${piece.map(({ x, y }) => `${left(x)} ${down(y)}`).join('L')}${piece.length === 1 ? 'h0' : ''}`;
  const pointed = at === null ? undefined : points[at];
  const dots = [
    ...marks.entries(),
    ...(at === null ? [] : lines.flatMap((line, of) => (line[at] ? [[of, line[at]] as const] : []))),
  ];

  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = from + ((event.clientX - box.left) / box.width) * (to - from);
    const distances = points.map((point) => Math.abs(point.x - x));
    setAt(distances.indexOf(Math.min(...distances)));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextAt(event.key, at ?? last, last);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
  };
  return (
    <section aria-labelledby={id}>
      <header className={classes.head}>
        <h3 id={id} title={title} data-hidden={!showsTitle || undefined}>
          {title}
        </h3>
        <output className={classes.value}>{pointed && `${nameOf(pointed.x)}: ${valuesAt(at ?? 0)}`}</output>
      </header>
      <div
        className={classes.plot}
        data-large={isLarge || undefined}
        role="application"
        aria-label={title}
        aria-description={t('statistics.lineKeys')}
        tabIndex={0}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setAt(null)}
        onBlur={() => setAt(null)}
        onFocus={() => setAt(at ?? last)}
        onKeyDown={onKeyDown}
      >
        {told.map((step) => (
          <span key={step} className={classes.step} style={{ top: `${down(step)}%` }} aria-hidden>
            {shown(step)}
          </span>
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          {told.map((step) => (
            <path key={step} d={`M0 ${down(step)}H100`} className={classes.grid} vectorEffect="non-scaling-stroke" />
          ))}
          {lines.map((line, of) =>
            piecesOf(line, gap).map((piece) => (
              <g key={`${of} ${piece[0]?.x}`} data-line={of}>
                {lines.length === 1 && piece.length > 1 && (
                  <path d={`${pathOf(piece)}V100H${left(piece[0]?.x ?? 0)}Z`} className={classes.area} />
                )}
                <path d={pathOf(piece)} className={classes.line} vectorEffect="non-scaling-stroke" />
              </g>
            )),
          )}
          {[cursor, pointed?.x].map(
            (x, index) =>
              x !== undefined && (
                <path
                  key={index === 0 ? 'cursor' : 'pointed'}
                  d={`M${left(x)} 0V100`}
                  className={index === 0 ? classes.cursor : classes.pointed}
                  vectorEffect="non-scaling-stroke"
                />
              ),
          )}
        </svg>
        {dots.map(([of, { x, y }], index) =>
          y === null ? null : (
            // oxlint-disable-next-line react/no-array-index-key -- dots have nothing else that tells them apart
            <i
              key={index}
              className={classes.dot}
              data-line={of}
              style={{ left: `${left(x)}%`, top: `${down(y)}%` }}
              aria-hidden
            />
          ),
        )}
      </div>
      <div className={classes.axis} aria-hidden>
        <span>{nameOf(from)}</span>
        {axis !== undefined && <span>{axis}</span>}
        <span>{to > from && nameOf(to)}</span>
      </div>
      <AsTable rows={points.map(({ x }, index) => [x, nameOf(x), valuesAt(index)])} />
    </section>
  );
}

function AsTable({ rows }: { readonly rows: readonly (readonly [key: number, name: string, value: string])[] }) {
  const t = useText();
  return (
    <details className={classes.table}>
      <summary>{t('statistics.asTable')}</summary>
      <table>
        <tbody>
          {rows.map(([key, name, value]) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

export interface Bar {
  readonly key: string | number;
  readonly name: string;
  readonly count: number;
  /** Replaces the plain count. */
  readonly shown?: string;
  /** Colour of the label; by default that of the program. */
  readonly color?: string;
}

/** More bars are scrolled, also by keys. */
const barsInSight = 12;

export function BarChart({ title, bars }: { readonly title: string; readonly bars: readonly Bar[] }) {
  const id = useId();
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <section className={classes.bars} aria-labelledby={id} tabIndex={bars.length > barsInSight ? 0 : undefined}>
      <h3 id={id} className={classes.title} title={title}>
        {title}
      </h3>
      <ul>
        {bars.map(({ key, name, count, shown, color = 'var(--mantine-primary-color-filled)' }) => (
          <li key={key} className={classes.bar}>
            <span title={name}>{name}</span>
            <i aria-hidden>
              {count > 0 && <i style={{ width: `${Math.max(1, (100 * count) / most)}%`, background: color }} />}
            </i>
            <span className={classes.value}>{shown ?? formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
