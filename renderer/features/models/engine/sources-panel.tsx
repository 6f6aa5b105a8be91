import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ModelSource } from '../../../../preload/contract/schema/functions.ts';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Dimmed, Hint, Mono, SmallButton } from '../../../ui/kit.ts';
import { joined } from '../../../ui/list.tsx';
import { StateDot } from '../../../ui/state-dot.tsx';
import classes from './engines-page.module.css';

/** Sources that Limner only calls: dashboards, inference servers, chat endpoints and other addresses. */
export function SourcesPanel() {
  const t = useText();
  const sources = useQuery({ ...modelQueries.sources(), refetchOnMount: 'always' });
  return (
    <section className={classes.panel} aria-label={t('engines.sources')}>
      <header className={classes.head}>
        <h2>{t('engines.sources')}</h2>
        <span className={classes.latency}>{t('engines.sourcesText')}</span>
      </header>
      {sources.data?.length === 0 && <Dimmed>{t('engines.noSources')}</Dimmed>}
      {sources.data?.map((source) => (
        <SourceRow key={source.id} source={source} />
      ))}
    </section>
  );
}

function SourceRow({ source }: { readonly source: ModelSource }) {
  const t = useText();
  const client = useQueryClient();
  const test = useQuery(modelQueries.sourceTest(source.id));
  const { id, kind, address, state, message, latency_ms: latency, models } = test.data ?? source;
  const tone = test.isFetching ? 'busy' : state === 'connected' ? 'ok' : state === 'failed' ? 'bad' : 'rest';
  return (
    <div className={classes.source} data-testid="source">
      <div>
        <StateDot tone={tone}>
          <Mono>{address}</Mono>
        </StateDot>
        <Hint>
          {joined([t(`engines.sourceKind.${kind}`), t('engines.sourceModels', { count: models.length }), message])}
        </Hint>
      </div>
      <span className={classes.number}>
        {latency === null ? '–' : t('engines.latency', { ms: formatNumber(latency) })}
      </span>
      <SmallButton
        aria-label={t('engines.testOf', { name: address })}
        onClick={() => void client.invalidateQueries({ queryKey: ['models', 'source-test', id] })}
      >
        {t('engines.test')}
      </SmallButton>
    </div>
  );
}
