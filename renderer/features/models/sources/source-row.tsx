import {
  IconBox,
  IconChevronDown,
  IconChevronRight,
  IconCloudComputing,
  IconFile,
  IconMessage,
  IconRobot,
  IconServer,
  IconWorld,
} from '@tabler/icons-react';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Mono, SmallButton } from '../../../ui/kit.ts';
import { RowNote } from '../../../ui/list.tsx';
import { StateDot, type Tone } from '../../../ui/state-dot.tsx';
import classes from '../models-table.module.css';
import type { GroupKind, SourceGroup } from './source-groups.ts';

const icons: Readonly<Record<GroupKind, typeof IconFile>> = {
  file: IconFile,
  engine: IconBox,
  agents: IconRobot,
  inference: IconServer,
  chat: IconMessage,
  url: IconWorld,
  nuclio: IconCloudComputing,
};

interface SourceRowProps {
  readonly group: SourceGroup;
  readonly columns: number;
  readonly canManage: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Head of the models of one source: its address, and whether it answers. */
export function SourceRow({ group, columns, canManage, isOpen, onToggle }: SourceRowProps) {
  const t = useText();
  const { kind, engine, source, models, elsewhere } = group;
  const Icon = icons[kind];
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const place = engine?.address ?? group.place;
  const name = kind === 'engine' ? (engine?.version ?? null) : null;
  return (
    <tr className={classes.source}>
      <th scope="rowgroup" colSpan={columns}>
        <div className={classes.head}>
          <button type="button" className={classes.toggle} aria-expanded={isOpen} data-stop onClick={onToggle}>
            <Chevron size={14} stroke={1.5} aria-hidden />
            <Icon size={16} stroke={1.5} aria-hidden />
            {name === null ? t(`models.source.${kind}`) : t('modelEngine.connected', { version: name })}
          </button>
          <span className={classes.count}>{formatNumber(models.length + elsewhere.length)}</span>
          {place !== '' && <Mono>{place}</Mono>}
          <SourceState group={group} />
        </div>
        {source?.state === 'failed' && <RowNote text={source.message} failed whole />}
      </th>
      <td className={classes.actions}>{canManage && <SourceAction group={group} />}</td>
    </tr>
  );
}

function SourceState({ group: { engine, source, kind } }: { readonly group: SourceGroup }) {
  const t = useText();
  const state = engine?.state ?? source?.state;
  if (state === undefined || (kind === 'engine' && engine?.transport === 'local')) return null;
  const latency = engine?.latency_ms ?? source?.latency_ms ?? null;
  const tone: Tone = state === 'connected' ? 'ok' : state === 'unknown' ? 'rest' : 'bad';
  const isReached = state === 'connected' && latency !== null;
  const text = isReached
    ? t('models.reached', { time: t('engines.latency', { ms: formatNumber(latency) }) })
    : t(state === 'failed' ? 'models.unreachable' : `engines.state.${state}`);
  return (
    <span className={classes.reached} role="status">
      <StateDot tone={tone}>{text}</StateDot>
    </span>
  );
}

function SourceAction({ group: { kind, place, source, engine } }: { readonly group: SourceGroup }) {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const query = source === null ? null : modelQueries.sourceTest(source.id);
  const isTesting = useIsFetching({ queryKey: query?.queryKey ?? ['models', 'no-source'] }) > 0;
  if (kind === 'file') {
    return <SmallButton onClick={() => void navigate({ to: '/models/add' })}>{t('models.addFile')}</SmallButton>;
  }
  if (kind === 'engine') {
    const isLocal = engine === null || engine.transport === 'local';
    if (isLocal)
      return <SmallButton onClick={() => void navigate({ to: '/models/new' })}>{t('models.deploy')}</SmallButton>;
    return <SmallButton onClick={() => void navigate({ to: '/models/engines' })}>{t('engines.title')}</SmallButton>;
  }
  if (query === null) return null;
  return (
    <SmallButton
      data-test
      loading={isTesting}
      aria-label={t('engines.testOf', { name: place })}
      onClick={() => void client.fetchQuery({ ...query, staleTime: 0 })}
    >
      {t('engines.test')}
    </SmallButton>
  );
}
