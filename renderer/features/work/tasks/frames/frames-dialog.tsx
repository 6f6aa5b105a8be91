import { IconDownload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { FrameCount } from '../../../../../preload/contract/schema/frames.ts';
import type { Task } from '../../../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../../../api/api-error.ts';
import { call } from '../../../../api/client.ts';
import { queries } from '../../../../api/queries.ts';
import { useText, type TextFunction } from '../../../../i18n/index.ts';
import { sameOrigin, startDownload } from '../../../../shared/files/save-file.ts';
import { ReportView, type Report } from '../../../../shared/dataset/report-view.tsx';
import { RunDialog, follow, useRun } from '../../../../shared/dataset/run-dialog.tsx';
import { Button, Group, QuietButton, Stack, Text, useDebouncedValue } from '../../../../ui/kit.ts';
import {
  filesBody,
  newChoice,
  selectionOf,
  taskBody,
  type Selection,
  ResultFields,
  SelectionFields,
} from './frames-form.tsx';

type Made = { readonly taskId: number; readonly report: Report | null } | { readonly url: string };

interface FramesDialogProps {
  readonly task: Task;
  readonly onClose: () => void;
}

export function FramesDialog({ task, onClose }: FramesDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const [choice, setChoice] = useState(() => newChoice(t('frames.defaultName', { name: task.name }).slice(0, 256)));
  const selection = selectionOf(choice);
  const [settled] = useDebouncedValue(selection, 200, { leading: true });
  const counted = useQuery({
    ...queries.frameCount('task', task.id, settled ?? {}),
    enabled: settled !== null,
  });
  // The fields may be newer than the count.
  const isCurrent = JSON.stringify(settled) === JSON.stringify(selection);
  const count = selection !== null && isCurrent && !counted.isError ? (counted.data?.count ?? null) : null;
  const isReady = count !== null && count > 0 && (choice.result === 'files' || choice.name.trim() !== '');

  const start = (selected: Selection) => {
    const params = { id: task.id };
    return choice.result === 'task'
      ? call('createTaskFromFrames', { params, body: taskBody(choice, selected) })
      : call('exportFrames', { params, body: filesBody(choice, selected) });
  };
  const run = useRun<Made>(async (tools) => {
    const { rq_id: id } = await start(selection ?? { annotated: false });
    const done = await follow(id, tools, t('frames.running'));
    void client.invalidateQueries({ queryKey: ['requests'] });
    if (choice.result === 'files') {
      const url = sameOrigin(done.result_url ?? '');
      startDownload(url);
      return { url };
    }
    void client.invalidateQueries({ queryKey: ['tasks'] });
    void client.invalidateQueries({ queryKey: ['projects'] });
    const report = await call('getRequestReport', { params: { id } }).catch(() => null);
    return { taskId: done.result_id ?? 0, report };
  });

  return (
    <RunDialog
      title={`${t('frames.title')} · ${task.name}`}
      size="lg"
      run={run}
      note={t('frames.background')}
      failed={t('frames.failed')}
      onClose={onClose}
      form={
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) void run.start(t('frames.running'));
          }}
        >
          <Stack gap="sm">
            <SelectionFields
              task={task}
              choice={choice}
              onChange={(change) => setChoice((now) => ({ ...now, ...change }))}
            />
            <ResultFields
              task={task}
              choice={choice}
              onChange={(change) => setChoice((now) => ({ ...now, ...change }))}
            />
            <Group justify="space-between" gap="sm" mt="xs" wrap="nowrap">
              <Text fz="sm" aria-live="polite" c={counted.isError || count === 0 ? 'var(--mantine-color-error)' : ''}>
                {selection !== null && isCurrent && counted.isError
                  ? messageOf(counted.error)
                  : countText(selection === null ? null : (counted.data ?? null), isCurrent, t)}
              </Text>
              <Group gap="sm" wrap="nowrap">
                <QuietButton onClick={onClose}>{t('common.cancel')}</QuietButton>
                <Button type="submit" disabled={!isReady}>
                  {t('frames.start', { count: count ?? 0 })}
                </Button>
              </Group>
            </Group>
          </Stack>
        </form>
      }
      renderResult={(made) => <MadeView made={made} name={choice.name} />}
    />
  );
}

function countText(counted: FrameCount | null, isCurrent: boolean, t: TextFunction): string {
  if (counted === null) return '';
  if (!isCurrent) return t('frames.counting');
  const { count, deleted } = counted;
  if (count === 0) return t('frames.none');
  const images = t('frames.count', { count });
  return deleted === 0 ? images : `${images}, ${t('frames.deleted', { count: deleted })}`;
}

/** The focused fields were removed. */
const takeFocus = (element: HTMLButtonElement | null): void => element?.focus();

function MadeView({ made, name }: { readonly made: Made; readonly name: string }) {
  const t = useText();
  if ('url' in made) {
    return (
      <Group justify="space-between">
        <Text fz="sm">{t('exporting.ready')}</Text>
        <Button component="a" href={made.url} download leftSection={<IconDownload size={16} />}>
          {t('exporting.download')}
        </Button>
      </Group>
    );
  }
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text fz="sm">{t('frames.made', { name: name.trim() })}</Text>
        <Button
          ref={takeFocus}
          renderRoot={(props) => <Link {...props} to="/tasks/$taskId" params={{ taskId: String(made.taskId) }} />}
        >
          {t('frames.open')}
        </Button>
      </Group>
      {made.report !== null && <ReportView report={made.report} of="import" name={name} />}
    </Stack>
  );
}
