import { IconPlus, IconRefresh } from '@tabler/icons-react';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ModelEngine, ModelFunction } from '../../../../preload/contract/schema/functions.ts';
import { call } from '../../../api/client.ts';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { useChange } from '../../../shared/use-change.ts';
import { Anchor, Button, Dimmed, Hint, Mono, Progress, QuietButton, Text } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { DeleteItem, MoreMenu } from '../../../ui/more-menu.tsx';
import { notify } from '../../../ui/notify.ts';
import { Page, Problem } from '../../../ui/page.tsx';
import { StateDot, type Tone } from '../../../ui/state-dot.tsx';
import { ModelState } from '../function/model-state.tsx';
import { memoryText } from '../function/model-text.ts';
import { listRefreshMs } from '../function/model-timing.ts';
import { EngineDialog } from './engine-dialog.tsx';
import { SourcesPanel } from './sources-panel.tsx';
import classes from './engines-page.module.css';

/** The Docker Engines of this and other computers, and the sources that Limner only calls. For users who manage functions. */
export function EnginesPage() {
  const t = useText();
  const [isNew, setIsNew] = useState(false);
  const engines = useQuery({ ...modelQueries.engines(), refetchOnMount: 'always', refetchInterval: listRefreshMs });
  const models = useQuery({ ...modelQueries.list(), refetchOnMount: 'always', refetchInterval: listRefreshMs });
  // Each Engine is asked once when the page opens.
  const tests = useQueries({
    queries: (engines.data ?? []).map(({ name }) => modelQueries.engineTest(name)),
  });
  const client = useQueryClient();
  const testAgain = () => client.invalidateQueries({ queryKey: ['models', 'engine-test'] });
  return (
    <Page
      title={t('engines.title')}
      count={engines.data?.length}
      crumbs={<Link to="/models">{t('models.title')}</Link>}
      actions={
        <>
          <QuietButton
            leftSection={<IconRefresh size={16} />}
            loading={tests.some(({ isFetching }) => isFetching)}
            onClick={() => void testAgain()}
          >
            {t('engines.testAll')}
          </QuietButton>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setIsNew(true)}>
            {t('engines.add')}
          </Button>
        </>
      }
    >
      <Loaded query={engines}>
        {(all) => (
          <div className={classes.panels}>
            {all.map((engine) => (
              <EnginePanel
                key={engine.name}
                engine={tested(tests, engine)}
                models={(models.data ?? []).filter((model) => model.engine === engine.name)}
              />
            ))}
            <SourcesPanel />
          </div>
        )}
      </Loaded>
      {isNew && <EngineDialog onClose={() => setIsNew(false)} />}
    </Page>
  );
}

/** The list is refreshed more often than the tests, so it wins once it knows the state. */
function tested(tests: readonly { readonly data: ModelEngine | undefined }[], engine: ModelEngine): ModelEngine {
  if (engine.state !== 'unknown') return engine;
  return tests.find(({ data }) => data?.name === engine.name)?.data ?? engine;
}

const toneOf = ({ state }: ModelEngine): Tone => (state === 'connected' ? 'ok' : state === 'unknown' ? 'rest' : 'bad');

interface PanelProps {
  readonly engine: ModelEngine;
  readonly models: readonly ModelFunction[];
}

function EnginePanel({ engine, models }: PanelProps) {
  const t = useText();
  const { name, transport, source, state, address, version } = engine;
  const isBroken = state !== 'connected' && state !== 'unknown';
  return (
    <section className={classes.panel} aria-label={name} data-testid="engine">
      <header className={classes.head}>
        <h2>
          <StateDot tone={toneOf(engine)} title={t(`engines.state.${state}`)} />
          {name}
        </h2>
        <span className={classes.badge} data-bad={isBroken || undefined}>
          {isBroken ? t(`engines.state.${state}`) : t(`engines.transport.${transport}`)}
        </span>
        <span className={classes.latency}>
          {engine.latency_ms === null ? '' : t('engines.latency', { ms: formatNumber(engine.latency_ms) })}
        </span>
        <EngineMenu engine={engine} isOwn={source === 'own'} />
      </header>
      <Hint>
        <Mono>{address}</Mono> {version !== null && t('modelEngine.connected', { version })}
      </Hint>
      {isBroken ? (
        <Problem
          title={models.length === 0 ? t(`engines.state.${state}`) : t('engines.unreachable', { count: models.length })}
          message={engine.message}
        />
      ) : (
        <Cards engine={engine} />
      )}
      {models.length > 0 && (
        <ul className={classes.functions}>
          {models.map((model) => (
            <li key={model.name}>
              <Anchor
                renderRoot={(props) => <Link {...props} to="/models/$name" params={{ name: model.name }} />}
                fz="sm"
              >
                {model.name}
              </Anchor>
              <ModelState model={model} />
              <span className={classes.number}>
                {model.gpu.measured_mib === null ? '–' : memoryText(model.gpu.measured_mib * 2 ** 20)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {transport !== 'local' && state === 'connected' && <Hint>{t('engines.wall')}</Hint>}
    </section>
  );
}

function Cards({
  engine: { gpus, state, cpu_cores: cores, memory_bytes: memory, transport },
}: {
  readonly engine: ModelEngine;
}) {
  const t = useText();
  if (state === 'unknown') return <Dimmed>{t('engines.notTested')}</Dimmed>;
  if (gpus.length === 0) {
    const facts = [
      t(transport === 'tls' ? 'engines.gpusUnknown' : 'modelEngine.noCards'),
      cores === null ? null : t('modelEngine.cores', { count: cores }),
      memory === null ? null : t('modelEngine.memory', { size: memoryText(memory) }),
    ];
    return <Dimmed>{facts.filter((fact) => fact !== null).join(' · ')}</Dimmed>;
  }
  return gpus.map((card) => {
    const used = card.used_mib + (card.external_mib ?? 0);
    const label = t('engines.cardUse', {
      used: memoryText(used * 2 ** 20),
      all: memoryText(card.memory_mib * 2 ** 20),
    });
    return (
      <div key={card.uuid} className={classes.card} title={card.functions.join(', ')}>
        <Text fz="sm">{card.name}</Text>
        <Progress
          value={(100 * used) / Math.max(1, card.memory_mib)}
          color="ink"
          aria-label={`${card.name}: ${label}`}
        />
        <span className={classes.number}>{label}</span>
      </div>
    );
  });
}

function EngineMenu({ engine: { name, functions }, isOwn }: { readonly engine: ModelEngine; readonly isOwn: boolean }) {
  const t = useText();
  const client = useQueryClient();
  const remove = useChange(() => call('deleteModelEngine', { params: { name } }), {
    reloads: [['models', 'engines']],
    done: () => notify.success(t('engines.removed', { name })),
    failed: t('engines.removeFailed', { name }),
  });
  const test = () => client.invalidateQueries({ queryKey: ['models', 'engine-test', name] });
  return (
    <>
      <QuietButton size="xs" onClick={() => void test()} aria-label={t('engines.testOf', { name })}>
        {t('engines.test')}
      </QuietButton>
      {isOwn && functions.length === 0 && (
        <MoreMenu of="row" label={t('engines.moreOf', { name })}>
          <DeleteItem onClick={() => remove.mutate()}>{t('engines.remove')}</DeleteItem>
        </MoreMenu>
      )}
    </>
  );
}
