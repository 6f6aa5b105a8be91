import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { uploadPredictions } from '../../../api/uploads.ts';
import { useText } from '../../../i18n/index.ts';
import { FormError } from '../../../ui/form.tsx';
import {
  Button,
  Dimmed,
  FileButton,
  Group,
  Modal,
  Progress,
  QuietButton,
  Select,
  Stack,
  Text,
  TextInput,
} from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { detectFormat } from '../../../shared/dataset/detect-format.ts';
import { follow, useRun } from '../../../shared/dataset/run-dialog.tsx';
import { ResourceSelect } from '../../../shared/lists/resource-select.tsx';

interface DialogProps {
  readonly taskId: number;
  readonly onClose: () => void;
}

/** Starts a request with progress; the dialog's button cancels it. */
function useTaking(start: (signal: AbortSignal) => Promise<string>, onClose: () => void) {
  const t = useText();
  const client = useQueryClient();
  const run = useRun<string>(async ({ signal, step }) => {
    const id = await start(signal);
    const progressAlone = (_: string, progress: number | null): void => step(t('evaluations.running'), progress);
    const { message } = await follow(id, { signal, step: progressAlone }, '');
    await client.invalidateQueries({ queryKey: ['predictions'] });
    return message;
  });
  const { state } = run;
  useEffect(() => {
    if (state.phase !== 'done') return;
    notify.success(state.result);
    onClose();
    // oxlint-disable-next-line react/exhaustive-deps -- the end of the run closes the dialog, once
  }, [state]);
  return run;
}

interface TakingProps {
  readonly title: string;
  readonly action: string;
  readonly isReady: boolean;
  readonly run: ReturnType<typeof useTaking>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function TakingDialog({ title, action, isReady, run, onClose, children }: TakingProps) {
  const t = useText();
  const { state } = run;
  const isRunning = state.phase === 'running';
  return (
    <Modal opened title={title} onClose={isRunning ? run.cancel : onClose}>
      <Stack gap="sm">
        {children}
        {state.phase === 'failed' && <FormError text={state.message} />}
        {isRunning && <Progress value={(state.progress ?? 0) * 100} aria-label={t('evaluations.running')} />}
        <Group justify="flex-end" gap="sm">
          <QuietButton onClick={isRunning ? run.cancel : onClose}>{t('common.cancel')}</QuietButton>
          <Button disabled={!isReady || isRunning} onClick={() => void run.start(t('evaluations.running'))}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

export function FileDialog({ taskId, onClose }: DialogProps) {
  const t = useText();
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<string | null>(null);
  const [name, setName] = useState('');
  const formats = useQuery(queries.formats());
  const take = (next: File | null): void => {
    if (next === null) return;
    setFile(next);
    setName((now) => (now === '' ? next.name.replace(/\.\w+$/, '') : now));
    void detectFormat(next, new AbortController().signal).then(([best]) =>
      setFormat((now) => now ?? best?.name ?? null),
    );
  };
  const run = useTaking(
    (signal) => uploadPredictions(taskId, file!, { name: name.trim(), format: format ?? '' }, { signal }),
    onClose,
  );
  return (
    <TakingDialog
      title={t('evaluations.fileTitle')}
      action={t('evaluations.take')}
      isReady={file !== null && format !== null && name.trim() !== ''}
      run={run}
      onClose={onClose}
    >
      <Group gap="sm">
        <FileButton onChange={take} inputProps={{ 'aria-label': t('evaluations.file') }}>
          {(button) => (
            <QuietButton {...button} data-autofocus>
              {t('evaluations.chooseFile')}
            </QuietButton>
          )}
        </FileButton>
        <Text fz="sm">{file?.name}</Text>
      </Group>
      <Select
        label={t('evaluations.format')}
        data={(formats.data?.importers ?? []).map((one) => one.name)}
        value={format}
        searchable
        onChange={setFormat}
      />
      <TextInput label={t('evaluations.name')} value={name} maxLength={256} onChange={setName} />
    </TakingDialog>
  );
}

export function CopyDialog({ taskId, onClose }: DialogProps) {
  const t = useText();
  const [source, setSource] = useState<number | null>(null);
  const [name, setName] = useState('');
  const run = useTaking(
    async (signal) =>
      (
        await call('takePredictionsOfTask', {
          params: { id: taskId },
          body: { name: name.trim(), source_task_id: source ?? 0 },
          signal,
        })
      ).rq_id,
    onClose,
  );
  return (
    <TakingDialog
      title={t('evaluations.ofTaskTitle')}
      action={t('evaluations.copy')}
      isReady={source !== null && name.trim() !== ''}
      run={run}
      onClose={onClose}
    >
      <Dimmed>{t('evaluations.ofTaskText')}</Dimmed>
      <ResourceSelect
        kind="task"
        label={t('evaluations.otherTask')}
        placeholder={t('evaluations.otherTask')}
        value={source}
        onChange={setSource}
      />
      <TextInput label={t('evaluations.name')} value={name} maxLength={256} onChange={setName} />
    </TakingDialog>
  );
}
