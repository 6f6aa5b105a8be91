import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { analyticsQueries } from '../../api/analytics-queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber, locale } from '../../i18n/language.ts';
import { Text } from '../../ui/kit.ts';

/** So far back the service looks for the pace, whatever period is asked for. */
const paceDays = 28;
const dayText = (day: Date): string => day.toISOString().slice(0, 10);
const longDay = (day: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));

/** When a project will be done at the pace of late; nothing where nothing can be said. */
export function Forecast({ projectId }: { readonly projectId: number }) {
  const t = useText();
  const [today] = useState(() => dayText(new Date()));
  const wish = { from: today, to: today, project: projectId };
  const forecast = useQuery(analyticsQueries.report(wish)).data?.progress?.forecast ?? null;
  if (forecast === null) return null;
  return (
    <Text fz="sm" mt={12}>
      {t(forecast.earliest === forecast.latest ? 'pages.forecast' : 'pages.forecastBetween', {
        days: paceDays,
        pace: formatNumber(forecast.jobs_per_day, { maximumFractionDigits: 1 }),
        end: longDay(forecast.end),
        earliest: longDay(forecast.earliest),
        latest: longDay(forecast.latest),
      })}
    </Text>
  );
}
