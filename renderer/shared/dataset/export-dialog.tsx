import { IconDownload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { QueryInputOf } from '../../../preload/contract/operation.ts';
import type { Operations } from '../../../preload/contract/operations/index.ts';
import { call } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import {
  Button,
  Group,
  QuietButton,
  Stack,
  Switch,
  Text,
  TextInput,
  useLocalStorage,
  ChoiceField,
} from '../../ui/kit.ts';
import { ExportOptionFields, ExportSummary } from './export-options/export-option-fields.tsx';
import { FramePreview } from './export-options/export-preview.tsx';
import { useFramePreview } from './export-options/use-export-preview.ts';
import { useExportOptions } from './export-options/use-export-options.ts';
import { sameOrigin, startDownload } from '../files/save-file.ts';
import classes from './dataset.module.css';
import { FieldRow, ChoiceRow } from './field-row.tsx';
import { OptionFields, type OptionValues } from './option-fields.tsx';
import { ReportView, type Report } from './report-view.tsx';
import { RunDialog, follow, useRun } from './run-dialog.tsx';

interface FramesOption {
  readonly target: { readonly kind: 'project' | 'task' | 'job'; readonly id: number; readonly isVideo?: boolean };
  readonly saveImages: boolean;
  /** From the format; null if its plug-in does not declare if frames may be left out. */
  readonly stills: boolean | null | undefined;
}

/** Exported frames of a video: only annotated ones for still-image formats. */
function useExportFrames({ target, saveImages, stills }: FramesOption) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOffered = saveImages && target.isVideo === true && target.kind !== 'project' && stills !== false;
  const onlyAnnotated = isOffered && (chosen ?? stills === true);
  const kind = target.kind === 'job' ? 'job' : 'task';
  const { data } = useQuery({
    ...queries.frameCount(kind, target.id, { annotated: true }),
    enabled: isOffered && stills !== undefined,
  });
  return {
    isOffered: isOffered && stills !== undefined,
    onlyAnnotated,
    /** False if the file would be empty. */
    hasFrames: !onlyAnnotated || data?.count !== 0,
    counted: data ?? null,
    choose: setChosen,
  };
}

function ExportFramesRow({ frames }: { readonly frames: ReturnType<typeof useExportFrames> }) {
  const t = useText();
  const { isOffered, onlyAnnotated, counted, hasFrames, choose } = frames;
  if (!isOffered) return null;
  const number = (value: number | undefined) => (value === undefined ? '…' : String(value));
  return (
    <ChoiceRow
      label={t('exporting.frames')}
      note={hasFrames ? undefined : t('exporting.noAnnotatedFrame')}
      value={onlyAnnotated ? 'annotated' : 'all'}
      onChange={(value) => choose(value === 'annotated')}
      choices={[
        { value: 'annotated', label: t('exporting.annotatedFrames', { number: number(counted?.count) }) },
        { value: 'all', label: t('exporting.allFrames', { number: number(counted?.total) }) },
      ]}
    />
  );
}

export interface DatasetTarget {
  readonly kind: 'project' | 'task' | 'job';
  readonly id: number;
  readonly name: string;
  readonly isVideo?: boolean;
}

interface ExportDialogProps {
  readonly target: DatasetTarget;
  readonly onClose: () => void;
  /** Resolves when the latest edits are saved. */
  readonly beforeStart?: () => Promise<void>;
}

interface Exported {
  readonly url: string;
  readonly report: Report | null;
}

const operationOf = { project: 'exportProjectDataset', task: 'exportTaskDataset', job: 'exportJobDataset' } as const;

/** Answered options in the service's format; undefined if there are none. */
const statedOptions = (values: OptionValues): string | undefined => {
  const stated = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return stated.length === 0 ? undefined : JSON.stringify(Object.fromEntries(stated));
};

const offered = (exporters: readonly { name: string; enabled: boolean; dimension: string }[]): string[] =>
  exporters.filter(({ enabled, dimension }) => enabled && dimension === '2d').map(({ name }) => name);

type ExportQuery = QueryInputOf<Operations['exportTaskDataset']>;

function useExportRun(target: DatasetTarget, beforeStart: ExportDialogProps['beforeStart'], query: ExportQuery) {
  const t = useText();
  const client = useQueryClient();
  return useRun<Exported>(async ({ signal, step }) => {
    await beforeStart?.();
    step(t('exporting.running'), null);
    const { rq_id: id } = await call(operationOf[target.kind], { params: { id: target.id }, query, signal });
    const done = await follow(id, { signal, step }, t('exporting.running'));
    void client.invalidateQueries({ queryKey: ['requests'] });
    const report = await call('getRequestReport', { params: { id } }).catch(() => null);
    const url = sameOrigin(done.result_url ?? '');
    startDownload(url);
    return { url, report };
  });
}

/** Format, images and name; then progress; then the file with the dropped data. */
export function ExportDialog({ target, onClose, beforeStart }: ExportDialogProps) {
  const t = useText();
  const formats = useQuery(queries.formats());
  const [format, setFormat] = useLocalStorage({ key: 'limner.export.format', defaultValue: 'COCO 1.0' });
  const [saveImages, setSaveImages] = useState(false);
  const [fileName, setFileName] = useState('');
  const described = useQuery(queries.formatOptions());
  const [values, setValues] = useState<OptionValues>({});
  const names = offered(formats.data?.exporters ?? []);
  const chosen = names.includes(format) ? format : (names[0] ?? null);

  const exporter = described.data?.exporters.find(({ name }) => name === chosen);
  const frames = useExportFrames({ target, saveImages, stills: exporter?.stills });

  const arranging = useExportOptions({ target, format: chosen, onlyAnnotated: frames.onlyAnnotated });

  const pictures = useFramePreview({ target, format: chosen, values, arranging });

  const run = useExportRun(target, beforeStart, {
    format: chosen ?? '',
    // The result is downloaded.
    location: 'local',
    save_images: String(saveImages),
    ...(frames.onlyAnnotated || arranging.leavesEmptyOut ? { only_annotated_frames: 'true' } : {}),
    filename: fileName.trim() === '' ? undefined : fileName.trim(),
    options: statedOptions(values),
    export_options: arranging.stated,
  });
  const isWide = run.state.phase === 'form' && arranging.isOpen;
  const isReady = chosen !== null && frames.hasFrames;

  return (
    <RunDialog
      title={`${t('exporting.title')} · ${target.name}`}
      size={isWide ? 1120 : 'lg'}
      run={run}
      note={t('exporting.background')}
      failed={t('exporting.failed')}
      onClose={onClose}
      form={
        <Stack gap="sm">
          <div className={isWide ? classes.besides : undefined}>
            <Stack gap="sm">
              <FieldRow label={t('exporting.format')}>
                <ChoiceField
                  aria-label={t('exporting.format')}
                  size="xs"
                  data={names}
                  value={chosen}
                  searchable
                  onChange={(value) => {
                    if (value === null) return;
                    setFormat(value);
                    setValues({});
                  }}
                />
              </FieldRow>
              <FieldRow label={t('exporting.images')}>
                <Switch label={t('exporting.saveImages')} checked={saveImages} onChange={setSaveImages} />
              </FieldRow>
              <ExportFramesRow frames={frames} />
              <OptionFields options={exporter?.options ?? []} values={values} onChange={setValues} />
              <ExportOptionFields
                arranging={arranging}
                kind={target.kind}
                stills={exporter?.stills}
                numbersClasses={exporter?.numbers_classes ?? false}
              />
              <FieldRow label={t('exporting.fileName')}>
                <TextInput
                  aria-label={t('exporting.fileName')}
                  size="xs"
                  placeholder={t('exporting.fileNamePlaceholder')}
                  value={fileName}
                  onChange={setFileName}
                />
              </FieldRow>
            </Stack>
            {isWide && (
              <div className={classes.beside}>
                <FramePreview pictures={pictures} />
              </div>
            )}
          </div>
          <ExportFooter
            summary={<ExportSummary arranging={arranging} />}
            isReady={isReady}
            onStart={() => void run.start(t('exporting.waiting'))}
            onClose={onClose}
          />
        </Stack>
      }
      renderResult={(exported) => <ExportedView exported={exported} name={`${target.name} ${chosen ?? ''}`} />}
    />
  );
}

interface ExportFooterProps {
  readonly summary: ReactNode;
  readonly isReady: boolean;
  readonly onStart: () => void;
  readonly onClose: () => void;
}

function ExportFooter({ summary, isReady, onStart, onClose }: ExportFooterProps) {
  const t = useText();
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap" className={classes.footer}>
      {summary}
      <Group gap="sm" wrap="nowrap">
        <QuietButton onClick={onClose}>{t('common.cancel')}</QuietButton>
        {/* Not `disabled`, because the dialog focuses it first and disabled elements cannot have the focus. */}
        <Button data-autofocus data-disabled={!isReady} aria-disabled={!isReady} onClick={() => isReady && onStart()}>
          {t('exporting.start')}
        </Button>
      </Group>
    </Group>
  );
}

interface ExportedViewProps {
  readonly exported: Exported;
  readonly name: string;
}

function ExportedView({ exported: { url, report }, name }: ExportedViewProps) {
  const t = useText();
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text fz="sm">{t('exporting.ready')}</Text>
        <Button component="a" href={url} download leftSection={<IconDownload size={16} />}>
          {t('exporting.download')}
        </Button>
      </Group>
      {report !== null && <ReportView report={report} of="export" name={name} />}
    </Stack>
  );
}
