import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Request } from '../../../preload/contract/schema/resources.ts';
import { useText } from '../../i18n/index.ts';
import { sameOrigin, startDownload } from '../../shared/files/save-file.ts';
import { type Column, dateColumn } from '../../shared/lists/columns.tsx';
import { Button, Group, Progress } from '../../ui/kit.ts';
import { targetOf, type WorkNames } from './use-work-names.ts';

export const tones = { queued: 'rest', started: 'busy', failed: 'bad', finished: 'ok' } as const;

export const isRunning = ({ status }: Request): boolean => status === 'queued' || status === 'started';

/** The preparation of images has a report only if its message mentions one. */
const hasReport = ({ operation, message, status }: Request): boolean =>
  status === 'finished' && withReports.has(operation.type) && (operation.type !== 'create:task' || message !== '');

const withReports: ReadonlySet<string> = new Set([
  'create:task',
  'create:manifest',
  'import:annotations',
  'import:dataset',
  'import:images',
  'export:annotations',
  'export:dataset',
  'create:frames',
]);

/** Subject of the request by name; a deleted one has no link. */
export const Target = ({ request, names }: { readonly request: Request; readonly names: WorkNames }): ReactNode => {
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

export function useRequestColumns(): readonly Column<Request>[] {
  const t = useText();
  return [
    {
      key: 'format',
      name: t('requests.kind'),
      width: 176,
      from: 'middle',
      title: ({ operation }) => operation.format ?? undefined,
      render: ({ operation }) => operation.format,
    },
    {
      key: 'state',
      name: t('requests.state'),
      width: 136,
      render: ({ status, progress }) => (
        <>
          {status === 'started' && (
            <Progress
              mb={4}
              value={(progress ?? 1) * 100}
              animated={progress === null}
              aria-label={t('requests.status.started')}
            />
          )}
          {t(`requests.status.${status}`)}
        </>
      ),
    },
    dateColumn({ key: 'when', name: t('requests.when'), width: 80 }, (request) => request.created_date),
  ];
}

export const requestActionsWidth = 176;

interface RequestButtonsProps {
  readonly request: Request;
  readonly onCancel: () => void;
  readonly onReport: () => void;
}

export function RequestButtons({ request, onCancel, onReport }: RequestButtonsProps) {
  const t = useText();
  const { status, result_url: resultUrl } = request;
  return (
    <Group gap={8} w={requestActionsWidth} justify="flex-end" wrap="nowrap">
      {isRunning(request) ? (
        <Button size="compact-xs" variant="default" onClick={onCancel}>
          {t('requests.cancel')}
        </Button>
      ) : (
        hasReport(request) && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={onReport}>
            {t('requests.report')}
          </Button>
        )
      )}
      {status === 'finished' && resultUrl !== null && (
        <Button size="compact-xs" variant="default" onClick={() => startDownload(sameOrigin(resultUrl))}>
          {t('common.download')}
        </Button>
      )}
    </Group>
  );
}
