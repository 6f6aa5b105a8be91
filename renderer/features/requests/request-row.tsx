import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Request } from '../../../preload/contract/schema/resources.ts';
import { useText, type TextFunction } from '../../i18n/index.ts';
import { sameOrigin, startDownload } from '../../parts/dataset/downloads.ts';
import { formatDate, formatShort } from '../../parts/format-text.ts';
import { Button, Group, Progress } from '../../ui/kit.ts';
import { Cell, ListHead, Row, RowNote } from '../../ui/list.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { targetOf } from './request-target.ts';
import type { WorkNames } from './use-work-names.ts';

const tones = { queued: 'rest', started: 'busy', failed: 'bad', finished: 'ok' } as const;

const known = new Set([
  'create:task',
  'import:annotations',
  'import:dataset',
  'export:annotations',
  'export:dataset',
  'import:backup',
  'export:backup',
  'export:events',
  'autoannotate:task',
  'create:frames',
  'export:frames',
] as const);
type KnownType = typeof known extends Set<infer Type> ? Type : never;

const typeText = (type: string, t: TextFunction): string =>
  known.has(type as KnownType) ? t(`requests.type.${type as KnownType}`) : type;

/** The preparation of images keeps a report only when there is something to say of its files, and says so in its message. */
const hasReport = ({ operation, message, status }: Request): boolean =>
  status === 'finished' && withReports.has(operation.type) && (operation.type !== 'create:task' || message !== '');

const withReports: ReadonlySet<string> = new Set([
  'create:task',
  'import:annotations',
  'import:dataset',
  'export:annotations',
  'export:dataset',
  'create:frames',
]);

/** What the request is about, by its name; what was deleted meanwhile leads nowhere. */
const Target = ({ request, names }: { readonly request: Request; readonly names: WorkNames }): ReactNode => {
  const t = useText();
  const { project, task, job } = targetOf(request);
  if (task !== null) {
    const name = names.tasks.get(task);
    if (names.areKnown && name === undefined) return t('requests.deleted', { what: `${t('requests.task')} ${task}` });
    const shown = name ?? `${t('requests.task')} ${task}`;
    return (
      <Link to="/tasks/$taskId" params={{ taskId: String(task) }} title={shown}>
        {job === null ? shown : `${shown}, ${t('requests.job')} ${job}`}
      </Link>
    );
  }
  if (project === null) return null;
  const name = names.projects.get(project);
  const number = `${t('requests.project')} ${project}`;
  if (names.areKnown && name === undefined) return t('requests.deleted', { what: number });
  return (
    <Link to="/projects/$projectId" params={{ projectId: String(project) }} title={name ?? number}>
      {name ?? number}
    </Link>
  );
};

const widths = { kind: 176, state: 136, when: 80, actions: 176 };

export function RequestHead() {
  const t = useText();
  return (
    <ListHead
      lead={<span style={{ width: 8 }} />}
      name={t('requests.request')}
      cells={
        <>
          <Cell width={widths.kind} from="middle">
            {t('requests.kind')}
          </Cell>
          <Cell width={widths.state}>{t('requests.state')}</Cell>
          <Cell width={widths.when} end>
            {t('requests.when')}
          </Cell>
        </>
      }
    >
      <Cell width={widths.actions} />
    </ListHead>
  );
}

interface RequestRowProps {
  readonly request: Request;
  readonly names: WorkNames;
  readonly running: boolean;
  readonly onCancel: () => void;
  readonly onReport: () => void;
}

export function RequestRow({ request, names, running, onCancel, onReport }: RequestRowProps) {
  const t = useText();
  const { operation, result_url: resultUrl } = request;
  const kept = resultUrl === null ? null : request.expiry_date;
  const failed = request.status === 'failed';
  return (
    <Row
      lead={<StateDot tone={tones[request.status]} />}
      name={
        <>
          {typeText(operation.type, t)}
          {Object.values(targetOf(request)).some((id) => id !== null) && ' · '}
          <Target request={request} names={names} />
        </>
      }
      title={typeText(operation.type, t)}
      meta={[kept === null ? null : t('requests.kept', { date: formatDate(kept) })]}
      note={request.message !== '' && <RowNote text={request.message} failed={failed} whole={failed} />}
      cells={
        <>
          <Cell width={widths.kind} from="middle" title={operation.format ?? undefined}>
            {operation.format}
          </Cell>
          <Cell width={widths.state}>
            {request.status === 'started' && (
              <Progress
                mb={4}
                value={(request.progress ?? 1) * 100}
                animated={request.progress === null}
                aria-label={t('requests.status.started')}
              />
            )}
            {t(`requests.status.${request.status}`)}
          </Cell>
          <Cell width={widths.when} end title={formatDate(request.created_date)}>
            {formatShort(request.created_date)}
          </Cell>
        </>
      }
    >
      <Group gap={8} w={widths.actions} justify="flex-end" wrap="nowrap">
        {running && (
          <Button size="compact-xs" variant="default" onClick={onCancel}>
            {t('requests.cancel')}
          </Button>
        )}
        {!running && hasReport(request) && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={onReport}>
            {t('requests.report')}
          </Button>
        )}
        {request.status === 'finished' && resultUrl !== null && (
          <Button size="compact-xs" variant="default" onClick={() => startDownload(sameOrigin(resultUrl))}>
            {t('common.download')}
          </Button>
        )}
      </Group>
    </Row>
  );
}
