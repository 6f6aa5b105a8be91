import { useId } from 'react';
import { formatNumber } from '../../i18n/language.ts';
import classes from './statistics.module.css';

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
    <section className={classes.chart} aria-labelledby={id} {...(bars.length > barsInSight ? { tabIndex: 0 } : {})}>
      <h3 id={id} className={classes.chartTitle} title={title}>
        {title}
      </h3>
      <ul>
        {bars.map(({ key, name, count, shown, color }) => (
          <li key={key} className={classes.bar}>
            <span className={classes.barName} title={name}>
              {name}
            </span>
            <svg className={classes.barLine} width="100%" height={12} aria-hidden="true" focusable="false">
              <rect width="100%" height={12} rx={2} className={classes.barGround} />
              {count > 0 && (
                <rect
                  width={`${Math.max(1, (100 * count) / most)}%`}
                  height={12}
                  rx={2}
                  fill={color ?? 'var(--mantine-primary-color-filled)'}
                />
              )}
            </svg>
            <span className={classes.barCount}>{shown ?? formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
