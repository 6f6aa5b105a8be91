import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { useText } from '../../i18n/index.ts';
import classes from './line-chart.module.css';

const mostLines = 3;

/** Round values of the grid lines, and the value at the upper edge. */
function axisSteps(most: number): { readonly steps: readonly number[]; readonly top: number } {
  if (!(most > 0)) return { steps: [], top: 1 };
  const rough = most / mostLines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const count = Math.floor(most / step + 1e-9);
  const steps = Array.from({ length: count }, (_, index) => (index + 1) * step);
  return { steps, top: most };
}

export interface LinePoint {
  readonly key: string;
  /** Name of the position, such as a day. */
  readonly name: string;
  readonly value: number;
}

interface LineChartProps {
  readonly title: string;
  readonly points: readonly LinePoint[];
  readonly shown: (value: number) => string;
}

const nextAt = (key: string, at: number, last: number): number | null => {
  if (key === 'ArrowRight') return Math.min(last, at + 1);
  if (key === 'ArrowLeft') return Math.max(0, at - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
};

/** A number over time. Hover and arrow keys show single values; a table lists them all. */
export function LineChart({ title, points, shown }: LineChartProps) {
  const t = useText();
  const id = useId();
  const [at, setAt] = useState<number | null>(null);
  const last = points.length - 1;
  const { steps, top } = axisSteps(Math.max(0, ...points.map(({ value }) => value)));
  const x = (index: number): number => (last === 0 ? 50 : (100 * index) / last);
  const y = (value: number): number => 100 - (100 * value) / top;
  const line = points.map(({ value }, index) => `${x(index)},${y(value)}`).join(' ');
  const pointed = at === null ? undefined : points[at];
  // A single point forms no line.
  const marked = pointed === undefined && last === 0 ? points[0] : pointed;
  // Values with the same text are shown once.
  const told = steps.filter((step, index) => shown(step) !== shown(index === 0 ? 0 : (steps[index - 1] ?? 0)));
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(Math.min(last, Math.max(0, Math.round(((event.clientX - left) / width) * last))));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextAt(event.key, at ?? last, last);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
  };
  return (
    <section aria-labelledby={id} className={classes.chart}>
      <header className={classes.head}>
        <h3 id={id} title={title}>
          {title}
        </h3>
        <output className={classes.value}>{pointed && `${pointed.name}: ${shown(pointed.value)}`}</output>
      </header>
      <div
        className={classes.plot}
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
          <span key={step} className={classes.step} style={{ top: `${y(step)}%` }} aria-hidden>
            {shown(step)}
          </span>
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          <polygon points={`${x(0)},100 ${line} ${x(last)},100`} className={classes.area} />
          <polyline points={line} className={classes.line} vectorEffect="non-scaling-stroke" />
          {at !== null && (
            <line x1={x(at)} x2={x(at)} y1={0} y2={100} className={classes.mark} vectorEffect="non-scaling-stroke" />
          )}
        </svg>
        {marked !== undefined && (
          <i className={classes.dot} style={{ left: `${x(at ?? 0)}%`, top: `${y(marked.value)}%` }} aria-hidden />
        )}
      </div>
      <div className={classes.axis} aria-hidden>
        <span>{points[0]?.name}</span>
        <span>{last > 0 && points[last]?.name}</span>
      </div>
      <details className={classes.table}>
        <summary>{t('statistics.asTable')}</summary>
        <table>
          <tbody>
            {points.map(({ key, name, value }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td>{shown(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
