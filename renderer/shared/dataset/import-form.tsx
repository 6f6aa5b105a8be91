import { IconFile } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { FormatOptions } from '../../../preload/contract/schema/formats.ts';
import type { DatasetFormats } from '../../../preload/contract/schema/server.ts';
import { messageOf } from '../../api/api-error.ts';
import type { NamedFile, SentFile } from '../../api/uploads.ts';
import { useText } from '../../i18n/index.ts';
import {
  Button,
  Dimmed,
  Group,
  Hint,
  Loader,
  QuietButton,
  SmallButton,
  Stack,
  Text,
  ChoiceField,
} from '../../ui/kit.ts';
import { DropZone } from '../files/drop-zone.tsx';
import { ChooseFile, FolderButton } from '../files/file-buttons.tsx';
import { packFolder } from '../files/pack-folder.ts';
import { formatBytes } from '../format-text.ts';
import { ChoiceRow, FieldRow } from './field-row.tsx';
import classes from './dataset.module.css';
import { type Candidate, detectFormat } from './detect-format.ts';
import { FormatCandidates, FramePreview, LabelTable } from './import-preview.tsx';
import { type ImportChoice, textEncodings } from './import-choice.ts';
import { OptionFields } from './option-fields.tsx';
import type { InspectionState } from './use-inspection.ts';

interface ImportFormProps {
  readonly importers: DatasetFormats['importers'];
  /** Options of each format; undefined while loading. */
  readonly described: FormatOptions['importers'] | undefined;
  readonly project: boolean;
  /** True if missing images can be added to the target. */
  readonly takesImages: boolean;
  readonly choice: ImportChoice;
  readonly onChange: (change: (choice: ImportChoice) => ImportChoice) => void;
  readonly sent: SentFile | null;
  readonly fraction: number | null;
  readonly look: InspectionState;
  readonly onLook: () => void;
  readonly labels: readonly string[];
  readonly cancelled: boolean;
  readonly onStart: () => void;
  /** Checks the file and shows the effects of an import without writing. */
  readonly onCheck: () => void;
  readonly onCancel: () => void;
}

/** Formats detected by the service; empty if none was recognized. */
function useDetection(sent: SentFile | null, onFound: (name: string) => void): readonly Candidate[] | 'running' | null {
  const [found, setFound] = useState<readonly Candidate[] | 'running' | null>(null);
  useEffect(() => {
    if (sent === null) return;
    const abort = new AbortController();
    setFound('running');
    const detect = async (): Promise<void> => {
      const candidates = await detectFormat(sent.file, abort.signal, sent);
      if (abort.signal.aborted) return;
      setFound(candidates);
      const [best] = candidates;
      if (best !== undefined) onFound(best.name);
    };
    void detect();
    return () => abort.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- only another file asks again
  }, [sent]);
  return found;
}

/** The chosen file; a folder is packed into an archive, which takes a while. */
function useChosenFile(take: (file: File) => void) {
  const t = useText();
  const [packing, setPacking] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef(new AbortController());
  useEffect(() => () => running.current.abort(), []);
  const choose = async (files: readonly NamedFile[]): Promise<void> => {
    running.current.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    setProblem(null);
    const [only, another] = files;
    if (!only) return;
    if (!another && !only.path.includes('/')) {
      setPacking(null);
      return take(only.file);
    }
    setPacking(0);
    try {
      const archive = await packFolder(files, { signal, onProgress: setPacking });
      if (archive === null) setProblem(t('importing.emptyFolder'));
      else if ('tooLarge' in archive) setProblem(t('importing.tooLarge', { path: archive.tooLarge }));
      else take(archive);
    } catch (error) {
      if (signal.aborted) return;
      setProblem(messageOf(error));
    }
    setPacking(null);
  };
  return { packing, problem, choose };
}

const unanswered = { values: {}, subset: null, matching: 'auto', labels: {} } as const;

export function ImportForm(props: ImportFormProps) {
  const { importers, choice, onChange, sent, fraction, look, cancelled, onStart, onCheck, onCancel } = props;
  const t = useText();
  const { file, format } = choice;
  const { packing, problem, choose } = useChosenFile((next) =>
    onChange((now) => ({ ...now, ...unanswered, encoding: 'utf-8', file: next, format: null })),
  );
  const detection = useDetection(sent, (name) => onChange((now) => ({ ...now, format: now.format ?? name })));
  const several = detection !== null && detection !== 'running' && detection.length > 1 ? detection : null;
  const hint = (): string | undefined => {
    if (detection === 'running') return t('importing.detecting');
    if (detection?.length === 0) return t('importing.notDetected');
    if (several !== null) return undefined;
    const chosen = detection?.find(({ name }) => name === format);
    return chosen && t('importing.detected', { reason: chosen.reason });
  };
  const chooseFormat = (name: string | null): void => onChange((now) => ({ ...now, ...unanswered, format: name }));
  const percent = (done: number) => ({ percent: Math.round(done * 100) });
  const running = (): string | null => {
    if (sent !== null && fraction !== null && fraction < 1) return t('importing.sendingAt', percent(fraction));
    if (look.phase !== 'running') return null;
    return look.progress === null ? t('importing.looking') : t('importing.lookingAt', percent(look.progress));
  };
  const work = running();
  // Label decisions need the preview.
  const isReady = packing === null && file !== null && format !== null && look.phase !== 'running';
  return (
    <Stack gap="sm">
      <DropZone label={t('importing.file')} compact onFiles={(files) => void choose(files)}>
        <Group gap={12} justify="center">
          {file !== null && (
            <Group gap={8} wrap="nowrap" miw={0}>
              <IconFile size={18} stroke={1.5} style={{ flex: 'none' }} />
              <Text fz="sm" fw={600} lineClamp={1} title={file.name}>
                {file.name}
              </Text>
              <Dimmed style={{ whiteSpace: 'nowrap' }}>{formatBytes(file.size)}</Dimmed>
            </Group>
          )}
          <ChooseFile flex="none" data-autofocus onFile={(next) => void choose([{ file: next, path: next.name }])}>
            {file === null ? t('importing.choose') : t('importing.chooseOther')}
          </ChooseFile>
          <FolderButton label={t('newTask.chooseFolder')} onFiles={(files) => void choose(files)} />
          <Hint style={{ whiteSpace: 'nowrap' }} aria-live="polite">
            {packing !== null
              ? t('importing.packing', { percent: Math.round(packing * 100) })
              : (problem ?? t('importing.drop'))}
          </Hint>
        </Group>
      </DropZone>
      <FieldRow label={t('importing.format')} note={hint()}>
        <ChoiceField
          aria-label={t('importing.format')}
          size="xs"
          placeholder={t('importing.formatEmpty')}
          data={importers.map((item) => item.name)}
          value={format}
          searchable
          onChange={chooseFormat}
        />
      </FieldRow>
      {several !== null && <FormatCandidates candidates={several} format={format} onChoose={chooseFormat} />}
      <ReadingChoices {...props} />
      {file !== null && format !== null && <Preview {...props} />}
      <Group justify="space-between" gap="sm" className={classes.footer}>
        <Group gap={8}>
          {cancelled && (
            <Text fz="xs" role="status">
              {t('importing.cancelled')}
            </Text>
          )}
          {work !== null && (
            <>
              <Loader size={14} />
              <Hint aria-live="polite">{work}</Hint>
            </>
          )}
        </Group>
        <Group gap="sm">
          <QuietButton onClick={onCancel}>{t('common.cancel')}</QuietButton>
          <QuietButton disabled={!isReady} onClick={onCheck}>
            {t('importing.check')}
          </QuietButton>
          <Button disabled={!isReady} onClick={onStart}>
            {t('importing.start')}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

function ReadingChoices({ described, project, takesImages, choice, onChange, look }: ImportFormProps) {
  const t = useText();
  const { mode, format, masks, subset, attributes, images, encoding, values } = choice;
  const own = described?.find(({ name }) => name === format);
  // A project gets all subsets, each as a task, and all attributes.
  const subsets = project ? [] : (look.preview?.subsets ?? []);
  const unknownAttributes = project
    ? []
    : [...new Set(look.preview?.labels.flatMap((label) => label.unknownAttributes))];
  return (
    <>
      {!project && (
        <ChoiceRow
          label={t('importing.mode')}
          note={mode === 'replace' ? t('importing.replaceWarning') : undefined}
          value={mode}
          choices={[
            { value: 'append', label: t('importing.append') },
            { value: 'replace', label: t('importing.replace') },
          ]}
          onChange={(next) => onChange((now) => ({ ...now, mode: next }))}
        />
      )}
      {takesImages && (
        <ChoiceRow
          label={t('importing.images')}
          value={images}
          choices={[
            { value: 'skip', label: t('importing.imagesSkipped') },
            { value: 'add', label: t('importing.imagesAdded') },
          ]}
          onChange={(next) => onChange((now) => ({ ...now, images: next }))}
        />
      )}
      {own !== undefined && own.masks !== false && (
        <ChoiceRow
          label={t('importing.masks')}
          value={masks}
          choices={[
            { value: 'keep', label: t('importing.masksKept') },
            { value: 'polygons', label: t('importing.masksToPolygons') },
          ]}
          onChange={(next) => onChange((now) => ({ ...now, masks: next }))}
        />
      )}
      {(subsets.length > 1 || subset !== null) && (
        <FieldRow label={t('importing.subset')}>
          <ChoiceField
            aria-label={t('importing.subset')}
            size="xs"
            maw={280}
            data={[
              { value: '', label: t('importing.allSubsets') },
              ...new Set([...subsets, subset ?? subsets[0] ?? '']),
            ]}
            value={subset ?? ''}
            onChange={(next) => onChange((now) => ({ ...now, subset: next === '' ? null : next, labels: {} }))}
          />
        </FieldRow>
      )}
      {own !== undefined && (
        <FieldRow label={t('importing.encoding')} note={t('importing.encodingNote')}>
          <ChoiceField
            aria-label={t('importing.encoding')}
            size="xs"
            maw={280}
            data={textEncodings.map((value) => ({ value, label: t(`importing.encodings.${value}`) }))}
            value={encoding}
            onChange={(next) => onChange((now) => ({ ...now, encoding: next, labels: {} }))}
          />
        </FieldRow>
      )}
      {unknownAttributes.length > 0 && (
        <ChoiceRow
          label={t('importing.attributes')}
          note={unknownAttributes.slice(0, 8).join(', ') + (unknownAttributes.length > 8 ? ' …' : '')}
          value={attributes}
          choices={[
            { value: 'drop', label: t('importing.attributesDropped') },
            { value: 'create', label: t('importing.attributesMade') },
          ]}
          onChange={(next) => onChange((now) => ({ ...now, attributes: next }))}
        />
      )}
      <OptionFields
        options={own?.options ?? []}
        values={values}
        onChange={(next) => onChange((now) => ({ ...now, values: next }))}
      />
    </>
  );
}

function Preview({ project, choice, onChange, look, onLook, labels }: ImportFormProps) {
  const t = useText();
  const { preview, phase, message } = look;
  if (phase === 'waiting')
    return (
      <Group gap={12} className={classes.section}>
        <SmallButton onClick={onLook}>{t('importing.look')}</SmallButton>
        <Hint>{t('importing.lookNote')}</Hint>
      </Group>
    );
  if (phase === 'failed')
    return (
      <Text fz="sm" c="red" role="alert" className={classes.section}>
        {message}
      </Text>
    );
  if (preview === null) return null;
  return (
    <>
      {project ? (
        <Text fz="sm" className={classes.section} data-testid="project-frames">
          {t('importing.projectFrames', { count: preview.frames.total, subsets: preview.subsets.join(', ') })}
          {preview.frames.unmatchedCount > 0 &&
            ` ${t('importing.projectMissing', { count: preview.frames.unmatchedCount })}`}
        </Text>
      ) : (
        <FramePreview
          frames={preview.frames}
          matching={choice.matching}
          onChange={(matching) => onChange((now) => ({ ...now, matching }))}
        />
      )}
      {preview.labels.length > 0 && (
        <LabelTable
          preview={preview}
          labels={labels}
          choice={choice}
          onChange={(next) => onChange((now) => ({ ...now, labels: next }))}
        />
      )}
    </>
  );
}
