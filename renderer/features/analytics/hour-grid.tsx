import type { AnalyticsReport } from '../../../preload/contract/schema/analytics.ts';
import { useText } from '../../i18n/index.ts';
import { locale } from '../../i18n/language.ts';
import classes from './analytics.module.css';

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour);
/** 1 January 2024 was a Monday. */
const dayName = (weekday: number): string =>
  new Intl.DateTimeFormat(locale(), { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday));

/** Created objects by weekday and hour, darker for more; each cell has its number. */
export function HourGrid({ hours }: { readonly hours: AnalyticsReport['objects']['by_hour'] }) {
  const t = useText();
  const counts = new Map(hours.map(({ weekday, hour, count }) => [weekday * 24 + hour, count]));
  const most = Math.max(1, ...counts.values());
  return (
    <section aria-labelledby="hours-of-work">
      <h3 id="hours-of-work" className={classes.cardTitle}>
        {t('analytics.whenDrawn')}
      </h3>
      <div className={classes.grid} role="img" aria-label={t('analytics.whenDrawn')}>
        {weekdays.map((weekday) => (
          <div key={weekday} className={classes.gridRow}>
            <span>{dayName(weekday)}</span>
            {hoursOfDay.map((hour) => {
              const count = counts.get(weekday * 24 + hour) ?? 0;
              return (
                <i
                  key={hour}
                  title={t('analytics.hourCell', { day: dayName(weekday), hour, count })}
                  style={{ opacity: count === 0 ? undefined : 0.25 + (0.75 * count) / most }}
                  data-some={count > 0 || undefined}
                />
              );
            })}
          </div>
        ))}
        <div className={classes.gridRow}>
          <span />
          {hoursOfDay.map((hour) => (
            <b key={hour}>{hour % 6 === 0 ? hour : ''}</b>
          ))}
        </div>
      </div>
    </section>
  );
}
