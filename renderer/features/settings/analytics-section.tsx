import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnalyticsState } from '../../../preload/contract/schema/analytics.ts';
import { analyticsQueries } from '../../api/analytics-queries.ts';
import { call } from '../../api/client.ts';
import { clientEvents } from '../../api/client-events.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber, locale } from '../../i18n/language.ts';
import { formatBytes } from '../../shared/format-text.ts';
import { ask } from '../../ui/confirm.tsx';
import { Stack, Switch } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Facts } from '../../ui/panel.tsx';
import { SectionHead } from '../../ui/section-head.tsx';

export function AnalyticsSection() {
  const t = useText();
  const client = useQueryClient();
  const state = useQuery(analyticsQueries.state());
  const change = useChange(
    (enabled: boolean) => call('updateAnalytics', { body: { enabled, delete_events: !enabled } }),
    {
      reloads: ['plugins'],
      done: (next) => {
        clientEvents.setWanted(next.enabled);
        client.setQueryData(analyticsQueries.state().queryKey, next);
        client.removeQueries({ queryKey: ['analytics', 'report'] });
      },
      failed: t('analytics.failed'),
    },
  );
  const switchTo = async (enabled: boolean, { events }: AnalyticsState): Promise<void> => {
    const question = {
      title: t('analytics.askTitle'),
      text: t('analytics.ask', { count: events }),
      confirm: t('analytics.askConfirm'),
    };
    if (enabled || (await ask(question))) change.mutate(enabled);
  };
  const date = (text: string | null): string | null =>
    text === null ? null : new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(new Date(text));
  return (
    <section>
      <SectionHead title={t('analytics.title')}>{t('analytics.settingsText')}</SectionHead>
      <Loaded query={state}>
        {(now) => (
          <Stack gap={16}>
            <Switch
              label={t('analytics.keep')}
              description={now.can_change ? undefined : t('analytics.onlyAdmin')}
              checked={now.enabled}
              disabled={!now.can_change || change.isPending}
              onChange={(isOn) => void switchTo(isOn, now)}
            />
            {now.enabled && (
              <Facts
                facts={[
                  [
                    t('analytics.kept'),
                    t('analytics.keptValue', { count: now.events, size: formatBytes(now.size_bytes) }),
                  ],
                  [t('analytics.since'), date(now.first_date)],
                  [
                    t('analytics.retention'),
                    t('analytics.retentionValue', { days: now.retention_days, size: formatBytes(now.max_bytes) }),
                  ],
                  [t('analytics.dropped'), now.dropped === 0 ? null : formatNumber(now.dropped)],
                ]}
              />
            )}
          </Stack>
        )}
      </Loaded>
    </section>
  );
}
