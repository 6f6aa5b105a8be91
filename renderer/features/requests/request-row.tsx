import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Request } from '../../../preload/contract/schema/resources.ts';
import { useText, type TextFunction } from '../../i18n/index.ts';
import { sameOrigin, startDownload } from '../../parts/dataset/downloads.ts';
import { formatDate, formatWhen } from '../../parts/format-text.ts';
import { Badge, Button, Group, Progress } from '../../ui/kit.ts';
import { Cell, Row, RowNote } from '../../ui/list.tsx';

const colors = { queued: 'gray', started: 'ink', failed: 'red', finished: 'teal' } as const;

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

/** What the request is about; of a backup that was restored and of frames, what became of it. */
function targetOf({ operation, result_id: result }: Request) {
  const { project_id: project, task_id: task, job_id: job, type, target } = operation;
  if (type === 'create:frames' && result !== null) return { project: null, task: result, job: null };
  if (type !== 'import:backup') return { project, task, job };
  return { project: target === 'project' ? result : null, task: target === 'task' ? result : null, job: null };
}

const Target = ({ request }: { readonly request: Request }): ReactNode => {
  const t = useText();
  const { project, task, job } = targetOf(request);
  if (task !== null) {
    return (
      <Link to="/tasks/$taskId" params={{ taskId: String(task) }}>
        {job === null ? `${t('requests.task')} ${task}` : `${t('requests.job')} ${job}`}
      </Link>
    );
  }
  if (project === null) return null;
  return (
    <Link to="/projects/$projectId" params={{ projectId: String(project) }}>
      {`${t('requests.project')} ${project}`}
    </Link>
  );
};

interface RequestRowProps {
  readonly request: Request;
  readonly running: boolean;
  readonly onCancel: () => void;
  readonly onReport: () => void;
}

export function RequestRow({ request, running, onCancel, onReport }: RequestRowProps) {
  const t = useText();
  const { operation, result_url: resultUrl } = request;
  const kept = resultUrl === null ? null : request.expiry_date;
  const failed = request.status === 'failed';
  return (
    <Row
      name={
        <>
          {typeText(operation.type, t)}
          {Object.values(targetOf(request)).some((id) => id !== null) && ' · '}
          <Target request={request} />
        </>
      }
      title={typeText(operation.type, t)}
      meta={[
        operation.format,
        formatWhen(request.created_date),
        kept === null ? null : t('requests.kept', { date: formatDate(kept) }),
      ]}
      note={request.message !== '' && <RowNote text={request.message} failed={failed} whole={failed} />}
      cells={
        <>
          <Cell width={160}>
            {running && (
              <Progress
                value={(request.progress ?? 1) * 100}
                animated={request.progress === null}
                aria-label={t('requests.status.started')}
              />
            )}
          </Cell>
          <Cell width={112}>
            <Badge variant="dot" color={colors[request.status]} size="sm" tt="none">
              {t(`requests.status.${request.status}`)}
            </Badge>
          </Cell>
        </>
      }
    >
      <Group gap={8} w={208} justify="flex-end" wrap="nowrap">
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
