import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { type ImportTarget, sendOnce, type SentFile } from '../../api/uploads.ts';
import { useText } from '../../i18n/index.ts';
import { Button, Group, Modal, QuietButton, Stack, Text } from '../../ui/kit.ts';
import { Problem } from '../../ui/page.tsx';
import { useUndoChange } from '../undo-change.ts';
import { formatBytes } from '../format-text.ts';
import classes from './dataset.module.css';
import type { DatasetTarget } from './export-dialog.tsx';
import { firstChoice, type ImportChoice, importOptions } from './import-choice.ts';
import { ImportForm } from './import-form.tsx';
import { type Report, ReportView } from './report-view.tsx';
import { follow, useRun, RunningView } from './run-dialog.tsx';
import { useInspection } from './use-inspection.ts';

/**
 * Uploads the chosen file while the user chooses options; `fraction` is the uploaded part, 0 to 1; null after a
 * failure.
 */
function useSentFile({ kind, id }: ImportTarget, file: File | null) {
  const [sent, setSent] = useState<SentFile | null>(null);
  const [fraction, setFraction] = useState<number | null>(0);
  /** The service keeps one file per user and target, so the previous one has to be deleted first. */
  const forgotten = useRef(Promise.resolve());
  useEffect(() => {
    if (file === null) return;
    const next = sendOnce({ kind, id }, file, forgotten.current);
    setSent(next);
    const unwatch = next.watch(setFraction);
    return () => {
      unwatch();
      forgotten.current = next.forget();
    };
  }, [kind, id, file]);
  return { sent: sent?.file === file ? sent : null, fraction };
}

const noLabels: readonly string[] = [];

function useTargetLabels({ kind, id }: DatasetTarget): readonly string[] {
  const of = kind === 'job' ? { job_id: id } : kind === 'task' ? { task_id: id } : { project_id: id };
  const { data } = useQuery(queries.labels(of));
  return data?.map(({ name }) => name) ?? noLabels;
}

interface ImportResult {
  readonly report: Report | null;
  /** The file was only checked. */
  readonly checked: boolean;
}

interface ImportDialogProps {
  readonly target: DatasetTarget;
  readonly onClose: () => void;
  readonly beforeStart?: () => Promise<void>;
  readonly onDone?: () => void;
}

/** Import of annotations: choose, detect, upload, read; then the list of unreadable records with positions. */
export function ImportDialog({ target, onClose, beforeStart, onDone }: ImportDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const formats = useQuery(queries.formats());
  const described = useQuery(queries.formatOptions());
  const labels = useTargetLabels(target);
  const [choice, setChoice] = useState<ImportChoice>(firstChoice);
  const { sent, fraction } = useSentFile(target, choice.file);
  const look = useInspection(sent, choice);
  const importers = (formats.data?.importers ?? []).filter((item) => item.enabled && item.dimension === '2d');

  const { offerNewest } = useUndoChange(onDone);
  const isDryRun = useRef(false);

  const run = useRun<ImportResult | null>(async ({ signal, step }) => {
    if (sent === null || choice.format === null) return null;
    if (!isDryRun.current) await beforeStart?.();
    const options = {
      format: choice.format,
      mode: choice.mode,
      dryRun: isDryRun.current,
      options: importOptions(choice, look.state.preview, labels, target.kind === 'project'),
    };
    const total = sent.file.size;
    const unwatch = sent.watch((there) => {
      if (there === null || there === 1) return;
      step(t('importing.sending', { sent: formatBytes(there * total), total: formatBytes(total) }), there);
    });
    const id = await sent.start(options, signal).finally(unwatch);
    step(t('importing.running'), null);
    await follow(id, { signal, step }, t('importing.running'));
    if (!isDryRun.current) {
      for (const key of ['requests', 'labels', 'tasks', 'projects', 'jobs']) {
        void client.invalidateQueries({ queryKey: [key] });
      }
      onDone?.();
      if (target.kind !== 'project') void offerNewest(target);
    }
    const report = await call('getRequestReport', { params: { id } }).catch(() => null);
    return { report, checked: isDryRun.current };
  });
  const { state } = run;
  const start = (check: boolean): void => {
    isDryRun.current = check;
    void run.start(t('exporting.waiting'));
  };
  const doneText = ({ report, checked }: ImportResult): string => {
    const isPartial = report !== null && (report.invalidCount > 0 || report.dropped.length > 0);
    if (checked) return isPartial ? t('importing.checkedPartly') : t('importing.checked');
    return isPartial ? t('importing.partly') : t('importing.done');
  };
  const title = target.kind === 'project' ? t('importing.titleProject') : t('importing.title');

  return (
    <Modal
      opened
      onClose={onClose}
      title={`${title} · ${target.name}`}
      size="xl"
      closeOnClickOutside={state.phase === 'form'}
    >
      {state.phase === 'form' && (
        <ImportForm
          importers={importers}
          project={target.kind === 'project'}
          takesImages={target.kind === 'task'}
          described={described.data?.importers}
          choice={choice}
          onChange={setChoice}
          sent={sent}
          fraction={fraction}
          look={look.state}
          onLook={look.ask}
          labels={labels}
          cancelled={state.cancelled === true}
          onCancel={onClose}
          onStart={() => start(false)}
          onCheck={() => start(true)}
        />
      )}
      {state.phase === 'running' && <RunningView text={state.text} progress={state.progress} onCancel={run.cancel} />}
      {state.phase === 'failed' && (
        <Problem
          title={t('importing.failed')}
          message={`${state.message} ${t('importing.failedKept')}`}
          retry={run.back}
        />
      )}
      {state.phase === 'done' && state.result !== null && (
        <Stack gap="md">
          <Text fz="sm">{doneText(state.result)}</Text>
          {state.result.report !== null && (
            <ReportView report={state.result.report} of="import" name={choice.file?.name ?? ''} />
          )}
          {state.result.checked ? (
            <Group justify="flex-end" gap="sm" className={classes.footer}>
              <QuietButton onClick={run.back}>{t('common.back')}</QuietButton>
              <Button onClick={() => start(false)}>{t('importing.start')}</Button>
            </Group>
          ) : (
            <Group justify="flex-end" className={classes.footer}>
              <Button onClick={onClose}>{t('common.close')}</Button>
            </Group>
          )}
        </Stack>
      )}
    </Modal>
  );
}
