import type { ReactNode } from 'react';
import { requestTypeText } from '../../shared/format-text.ts';
import { shapeTypes } from '../../../preload/contract/annotation-names.ts';
import type { AnalyticsReport } from '../../../preload/contract/schema/analytics.ts';
import { toolIds } from '../../canvas/tool-kinds.ts';
import { useText, type TextFunction } from '../../i18n/index.ts';
import { formatFixed, formatNumber, locale } from '../../i18n/language.ts';
import { BarChart, LineChart, type Bar, type Point } from '../../ui/chart.tsx';
import classes from './analytics.module.css';

const hourMs = 3_600_000;
/** Minutes for less than an hour. */
const asTime = (ms: number): string => {
  const [value, unit] = ms < hourMs ? [ms / 60_000, 'minute'] : [ms / hourMs, 'hour'];
  const digits = unit === 'hour' && ms < 10 * hourMs ? 1 : 0;
  return formatNumber(value, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits });
};
const shortDay = (day: string | number): string =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day));

interface Named {
  readonly id: number | null;
  readonly name: string;
}

function Figure(props: {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
  readonly more: string;
}) {
  return (
    <div className={classes.figure}>
      <dt>{props.name}</dt>
      <dd>
        <strong>{props.value}</strong> {props.unit}
        <span>{props.more}</span>
      </dd>
    </div>
  );
}

const Card = ({ children }: { readonly children: ReactNode }) => <div className={classes.card}>{children}</div>;

const seconds = (ms: number, count: number): number => (count === 0 ? 0 : ms / count / 1000);

/** In less time, objects per hour would be meaningless. */
const leastWorkMs = hourMs / 6;

/** Empty for a range of one day. */
const spanText = ({ earliest, latest }: { earliest: string; latest: string }, t: TextFunction): string =>
  earliest === latest ? '' : `, ${t('analytics.between', { earliest: shortDay(earliest), latest: shortDay(latest) })}`;

function Figures({ report }: { readonly report: AnalyticsReport }) {
  const t = useText();
  const { totals, progress } = report;
  const ahead = progress?.forecast ?? null;
  const isDone = progress !== null && progress.jobs > 0 && progress.completed === progress.jobs;
  return (
    <dl className={classes.figures}>
      <Figure
        name={t('analytics.workingTime')}
        value={asTime(totals.working_ms)}
        more={t('analytics.daysWorked', { count: report.working_time.by_day.length })}
      />
      <Figure
        name={t('analytics.objects')}
        value={formatNumber(totals.objects)}
        more={
          totals.working_ms < leastWorkMs
            ? t('analytics.noRate')
            : t('analytics.perHour', {
                value: formatNumber((totals.objects * hourMs) / totals.working_ms, { maximumFractionDigits: 0 }),
              })
        }
      />
      <Figure
        name={t('analytics.speed')}
        value={totals.drawn === 0 ? '–' : formatFixed(seconds(totals.drawing_ms, totals.drawn), 1)}
        unit={totals.drawn === 0 ? '' : t('analytics.secondsEach')}
        more={t('analytics.drawn', { value: formatNumber(totals.drawn) })}
      />
      <Figure
        name={t('analytics.byModels')}
        value={
          totals.objects === 0
            ? '–'
            : formatNumber(totals.objects_by_models / totals.objects, { style: 'percent', maximumFractionDigits: 0 })
        }
        more={t('analytics.ofObjects')}
      />
      {progress !== null && (
        <Figure
          name={t('analytics.progress')}
          value={t('analytics.jobsOf', {
            completed: formatNumber(progress.completed),
            jobs: formatNumber(progress.jobs),
          })}
          more={
            ahead === null
              ? t(isDone ? 'analytics.done' : 'analytics.noForecast')
              : `${t('analytics.expectedEnd')} ${shortDay(ahead.end)}${spanText(ahead, t)}`
          }
        />
      )}
    </dl>
  );
}

const sources = ['manual', 'auto', 'semi-auto', 'file', 'consensus'] as const;

/** Sums labels of the same name across projects to one bar. */
function byName(all: readonly { readonly name: string; readonly count: number }[]): Bar[] {
  const counts = new Map<string, number>();
  for (const { name, count } of all) counts.set(name, (counts.get(name) ?? 0) + count);
  const bars = [...counts].map(([name, count]) => ({ key: name, name, count }));
  return bars.toSorted((a, b) => b.count - a.count);
}

type Chart = readonly [title: string, bars: readonly Bar[]];

function chartsOf(report: AnalyticsReport, t: ReturnType<typeof useText>): readonly Chart[] {
  const { working_time: time, objects } = report;
  const nameOf = (one: Named, none: string): string =>
    one.id === null ? none : one.name === '' ? t('analytics.gone', { id: one.id }) : one.name;
  /** Unknown words of other clients stay unchanged. */
  const named = <Word extends string>(word: string, known: readonly Word[], name: (one: Word) => string): string => {
    const found = known.find((one) => one === word);
    return found === undefined ? word : name(found);
  };
  const kindName = (kind: string): string =>
    kind === 'tag' ? t('analytics.tag') : named(kind, shapeTypes, (one) => t(`labels.types.${one}`));
  const toolName = (tool: string): string => named(tool, toolIds, (one) => t(`actions.tool.${one}`));
  const sourceName = (source: string): string =>
    source === '' ? t('analytics.unknown') : named(source, sources, (one) => t(`statistics.source.${one}`));
  const each = (ms: number, count: number) => ({
    count: seconds(ms, count),
    shown: `${formatFixed(seconds(ms, count), 1)} s`,
  });
  return [
    [
      t('analytics.timeByPerson'),
      time.by_user.map((one) => ({
        key: one.id ?? 0,
        name: nameOf(one, t('analytics.nobody')),
        count: one.ms,
        shown: asTime(one.ms),
      })),
    ],
    [
      t('analytics.timeByProject'),
      time.by_project.map((one) => ({
        key: one.id ?? 0,
        name: nameOf(one, t('analytics.noProject')),
        count: one.ms,
        shown: asTime(one.ms),
      })),
    ],
    [t('analytics.byKind'), objects.by_kind.map(({ kind, count }) => ({ key: kind, name: kindName(kind), count }))],
    [
      t('analytics.byLabel'),
      byName(objects.by_label.map((one) => ({ name: nameOf(one, t('analytics.noLabel')), count: one.count }))),
    ],
    [
      t('analytics.byPerson'),
      objects.by_user.map((one) => ({
        key: one.id ?? 0,
        name: nameOf(one, t('analytics.nobody')),
        count: one.count,
      })),
    ],
    [
      t('analytics.bySource'),
      objects.by_source.map(({ source, count }) => ({ key: source, name: sourceName(source), count })),
    ],
    [
      t('analytics.byTool'),
      report.tools.map(({ tool, objects: count }) => ({ key: tool, name: toolName(tool), count })),
    ],
    [
      t('analytics.speedByTool'),
      report.tools.map(({ tool, objects: count, ms }) => ({ key: tool, name: toolName(tool), ...each(ms, count) })),
    ],
    [
      t('analytics.requests'),
      report.requests.map(({ type, finished }) => ({ key: type, name: requestTypeText(type, t), count: finished })),
    ],
    [
      t('analytics.requestsFailed'),
      report.requests
        .filter(({ failed }) => failed > 0)
        .map(({ type, failed }) => ({ key: type, name: requestTypeText(type, t), count: failed })),
    ],
    [t('analytics.calls'), report.calls.map(({ function: name, good }) => ({ key: name, name, count: good }))],
    [
      t('analytics.callsFailed'),
      report.calls
        .filter(({ failed }) => failed > 0)
        .map(({ function: name, failed }) => ({ key: name, name, count: failed })),
    ],
    [
      t('analytics.errors'),
      report.errors.map(({ source, count }) => ({
        key: source,
        name: source === 'window' ? t('analytics.window') : source || t('analytics.unknown'),
        count,
      })),
    ],
  ];
}

type Line = readonly [title: string, values: ReadonlyMap<string, number>, shown: (value: number) => string];

const sumByDay = (all: readonly { readonly day: string; readonly count: number }[]): ReadonlyMap<string, number> =>
  new Map(
    [...Map.groupBy(all, ({ day }) => day)].map(([day, of]) => [day, of.reduce((sum, { count }) => sum + count, 0)]),
  );

function linesOf(report: AnalyticsReport, t: ReturnType<typeof useText>): readonly Line[] {
  const { working_time: time, objects, progress } = report;
  const made = sumByDay(objects.by_day);
  const worked = new Map(time.by_day.map(({ day, ms }) => [day, ms / hourMs]));
  const rates = [...worked].flatMap(([day, hours]) =>
    hours * hourMs < leastWorkMs ? [] : [[day, (made.get(day) ?? 0) / hours] as const],
  );
  const speed = report.speed_by_day.map(({ day, ms, objects: count }) => [day, seconds(ms, count)] as const);
  const done = (progress?.by_day ?? []).map(({ day, completed }) => [day, completed] as const);
  const whole = (value: number): string => formatNumber(value, { maximumFractionDigits: 0 });
  return [
    [t('analytics.timeByDay'), worked, (hours) => asTime(hours * hourMs)],
    [t('analytics.objectsByDay'), made, whole],
    [t('analytics.ratePerDay'), new Map(rates), whole],
    [t('analytics.speedByDay'), new Map(speed), (value) => `${formatFixed(value, 1)} s`],
    [t('analytics.progress'), new Map(done), whole],
  ];
}

const dayMs = 86_400_000;

/** From the first day with a value to the end of the period; missing days are zero. */
function everyDay(values: ReadonlyMap<string, number>, to: string): Point[] {
  const first = [...values.keys()].toSorted()[0];
  if (first === undefined) return [];
  const count = Math.round((Date.parse(to) - Date.parse(first)) / dayMs) + 1;
  return Array.from({ length: Math.max(1, count) }, (_, index) => {
    const x = Date.parse(first) + index * dayMs;
    return { x, y: values.get(new Date(x).toISOString().slice(0, 10)) ?? 0 };
  });
}

export function AnalyticsView({ report }: { readonly report: AnalyticsReport }) {
  const t = useText();
  return (
    <>
      <Figures report={report} />
      <div className={classes.cards}>
        <Card>
          <HourGrid hours={report.objects.by_hour} />
        </Card>
        {linesOf(report, t).map(([title, values, shown]) => (
          <Card key={title}>
            {values.size === 0 ? (
              <BarChart title={title} bars={[]} />
            ) : (
              <LineChart title={title} lines={[everyDay(values, report.to)]} shown={shown} nameOf={shortDay} />
            )}
            {values.size === 0 && <p className={classes.none}>{t('analytics.nothing')}</p>}
          </Card>
        ))}
        {chartsOf(report, t).map(([title, bars]) => (
          <Card key={title}>
            <BarChart title={title} bars={bars} />
            {bars.length === 0 && <p className={classes.none}>{t('analytics.nothing')}</p>}
          </Card>
        ))}
      </div>
    </>
  );
}

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour);
/** 1 January 2024 was a Monday. */
const dayName = (weekday: number): string =>
  new Intl.DateTimeFormat(locale(), { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday));

/** Created objects by weekday and hour, darker for more; each cell has its number. */
function HourGrid({ hours }: { readonly hours: AnalyticsReport['objects']['by_hour'] }) {
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
