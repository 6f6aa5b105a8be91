import { useState } from 'react';
import { IconDeviceFloppy, IconFileDownload, IconTrash, IconArrowUp } from '@tabler/icons-react';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Fold } from '../../../ui/fold.tsx';
import {
  Hint,
  MultiSelect,
  Stack,
  Switch,
  Text,
  TextInput,
  NumberInput,
  ChoiceField,
  Autocomplete,
  Group,
  useLocalStorage,
  Checkbox,
} from '../../../ui/kit.ts';
import { FieldRow, ChoiceRow } from '../field-row.tsx';
import { SplitField } from './split-field.tsx';
import type { ExportOptionsState } from './use-export-options.ts';
import {
  type ArrangedKind,
  arrangedKinds,
  arrangedTargets,
  type DatasetExportOptions,
  exportOptionsSchema,
  type ExportPreview,
} from '../../../../preload/contract/schema/export-options.ts';
import classes from './export-options.module.css';
import { IconButton } from '../../../ui/icon-button.tsx';
import { LongList } from '../../../ui/long-list.tsx';
import { saveFile } from '../../files/save-file.ts';

/** Subsets of the unfiltered data, because the counts of a selection or split contain other ones. */
function useKnownSubsets({ exportOptions, preview }: ExportOptionsState): string[] {
  const [known, setKnown] = useState<readonly string[]>([]);
  const isWhole = exportOptions.split === undefined && exportOptions.subsets === undefined;
  const found = preview.data?.subsets.map(({ name }) => name) ?? [];
  const isChanged = isWhole && !preview.isPlaceholderData && found.some((name) => !known.includes(name));
  if (isChanged) setKnown([...new Set([...known, ...found])]);
  return [...known];
}

interface ExportOptionFieldsProps {
  readonly arranging: ExportOptionsState;
  readonly kind: 'project' | 'task' | 'job';
  /** True if frames may be left out; null if the format does not declare it. */
  readonly stills: boolean | null | undefined;
  readonly numbersClasses: boolean;
}

export function ExportOptionFields({ arranging, kind, stills, numbersClasses }: ExportOptionFieldsProps) {
  const t = useText();
  const { exportOptions, change, isOpen, setOpen, leavesEmptyOut, setLeavesEmptyOut } = arranging;
  const subsets = useKnownSubsets(arranging);
  const areStills = stills !== false;
  return (
    <Stack gap="sm">
      <Text fz="sm" fw={500} component="div">
        <Fold isOpen={isOpen} onChange={setOpen}>
          {t('arranging.open')}
        </Fold>
      </Text>
      {isOpen && (
        <>
          <PresetField arranging={arranging} />
          {(areStills || kind === 'project') && <SplitField arranging={arranging} isProject={kind === 'project'} />}
          {kind === 'project' && subsets.length > 1 && (
            <FieldRow label={t('arranging.subsets')}>
              <MultiSelect
                size="xs"
                aria-label={t('arranging.subsets')}
                placeholder={exportOptions.subsets ? '' : t('arranging.allSubsets')}
                data={subsets}
                value={[...(exportOptions.subsets ?? [])]}
                onChange={(value) => change({ subsets: value.length === 0 ? undefined : value })}
              />
            </FieldRow>
          )}
          {kind !== 'project' && areStills && (
            <FieldRow label={t('arranging.frames')}>
              <TextInput
                size="xs"
                aria-label={t('arranging.frames')}
                placeholder={t('arranging.framesHint')}
                value={exportOptions.frames ?? ''}
                onChange={(value) => change({ frames: value.trim() === '' ? undefined : value })}
              />
            </FieldRow>
          )}
          {areStills && (
            <FieldRow label={t('arranging.empty')}>
              <Switch label={t('arranging.leaveEmptyOut')} checked={leavesEmptyOut} onChange={setLeavesEmptyOut} />
            </FieldRow>
          )}
          <LabelChoice arranging={arranging} />
          <KindFields arranging={arranging} />
          <ImageFields arranging={arranging} isNamed={areStills} numbersClasses={numbersClasses} />
        </>
      )}
    </Stack>
  );
}

/** Number of objects and frames in the file, or the reason why there are none. */
export function ExportSummary({ arranging: { preview } }: { readonly arranging: ExportOptionsState }) {
  const t = useText();
  const { data, error, isFetching } = preview;
  if (error)
    return (
      <Text fz="xs" c="var(--mantine-color-error)">
        {error.message}
      </Text>
    );
  if (!data) return isFetching ? <Hint>{t('arranging.counting')}</Hint> : <span />;
  const { objects, frames, notes } = data;
  const said = [
    t('arranging.summary', {
      written: formatNumber(objects.written),
      total: formatNumber(objects.total),
      frames: formatNumber(frames.written),
    }),
    ...(objects.unfit > 0 ? [t('arranging.unfit', { count: objects.unfit })] : []),
    ...notes,
  ];
  return (
    <Hint aria-live="polite" data-testid="export-summary">
      {said.join(' ')}
    </Hint>
  );
}

const isArranged = (kind: string): kind is ArrangedKind => arrangedKinds.some((known) => known === kind);

/** Conversion of each present object kind, unsupported ones first; and the minimum size. */
function KindFields({ arranging }: { readonly arranging: ExportOptionsState }) {
  const t = useText();
  const { exportOptions, change, preview } = arranging;
  const { shapes = {}, minimum_area: minimumArea } = exportOptions;
  const kinds = (preview.data?.kinds ?? []).toSorted((a, b) => Number(a.fits !== false) - Number(b.fits !== false));
  const set = (kind: ArrangedKind, value: string | null): void => {
    const target = arrangedTargets.find((known) => known === value);
    const { [kind]: _before, ...others } = shapes;
    const next = target === undefined ? others : { ...others, [kind]: target };
    change({ shapes: Object.keys(next).length === 0 ? undefined : next });
  };
  return (
    <>
      {kinds.length > 0 && (
        <FieldRow label={t('arranging.kinds')}>
          {kinds.map(({ kind, objects, fits }) => {
            if (!isArranged(kind)) return null;
            const label = `${formatNumber(objects)} × ${t(`arranging.kindNames.${kind}`)}`;
            const outlines = [
              { value: 'rectangle', label: t('arranging.kindBox') },
              { value: 'polygon', label: t('arranging.kindPolygon') },
              { value: 'mask', label: t('arranging.kindMask') },
            ].filter(({ value }) => value !== kind);
            return (
              <div key={kind} className={classes.kind}>
                <span className={classes.name} title={label}>
                  {label}
                </span>
                <ChoiceField
                  size="xs"
                  aria-label={t('arranging.kindBecomes', { kind: t(`arranging.kindNames.${kind}`) })}
                  value={shapes[kind] ?? 'as they are'}
                  data={[
                    { value: 'as they are', label: t(fits === false ? 'arranging.kindLacks' : 'arranging.kindStays') },
                    ...(kind === 'tag' ? [] : outlines),
                    { value: 'leave_out', label: t('arranging.kindOut') },
                  ]}
                  onChange={(value) => set(kind, value)}
                />
              </div>
            );
          })}
        </FieldRow>
      )}
      <FieldRow label={t('arranging.minimumArea')} note={t('arranging.minimumAreaNote')}>
        <NumberInput
          size="xs"
          maw={160}
          min={0}
          aria-label={t('arranging.minimumArea')}
          value={minimumArea ?? ''}
          onChange={(value) => change({ minimum_area: typeof value === 'number' && value > 0 ? value : undefined })}
        />
      </FieldRow>
    </>
  );
}

/** Drops labels and frames that the current data lacks, so that a preset fits every export. */
function fitting(preset: DatasetExportOptions, known: ReadonlySet<string>): DatasetExportOptions {
  const { labels, ...rest } = preset;
  const found = labels?.filter(({ name }) => known.has(name)) ?? [];
  return found.length === 0 ? rest : { ...rest, labels: found };
}

/** Named export options for reuse; can be saved as a file for the command line. */
function PresetField({ arranging }: { readonly arranging: ExportOptionsState }) {
  const t = useText();
  const [kept, setKept] = useLocalStorage<Readonly<Record<string, unknown>>>({
    key: 'limner.export.presets',
    defaultValue: {},
  });
  const [name, setName] = useState('');
  const { exportOptions, replace, preview } = arranging;
  const isKept = Object.hasOwn(kept, name);
  const open = (chosen: string): void => {
    const preset = exportOptionsSchema.safeParse(kept[chosen]);
    if (preset.success) replace(fitting(preset.data, new Set(preview.data?.labels.map((label) => label.name))));
  };
  return (
    <FieldRow label={t('arranging.preset')}>
      <Group gap={4} wrap="nowrap">
        <Autocomplete
          size="xs"
          flex={1}
          aria-label={t('arranging.presetName')}
          placeholder={t('arranging.presetName')}
          data={Object.keys(kept)}
          value={name}
          onChange={setName}
          onOptionSubmit={open}
        />
        <IconButton
          label={t('arranging.keepPreset')}
          icon={<IconDeviceFloppy size={16} />}
          disabled={name.trim() === ''}
          onClick={() => setKept({ ...kept, [name]: exportOptions })}
        />
        <IconButton
          label={t('arranging.deletePreset')}
          icon={<IconTrash size={16} />}
          disabled={!isKept}
          onClick={() => {
            setKept(Object.fromEntries(Object.entries(kept).filter(([one]) => one !== name)));
            setName('');
          }}
        />
        <IconButton
          label={t('arranging.savePreset')}
          icon={<IconFileDownload size={16} />}
          onClick={() =>
            saveFile(
              `${name.trim() === '' ? 'export' : name.trim()}.json`,
              new Blob([`${JSON.stringify(exportOptions, null, 2)}\n`], { type: 'application/json' }),
            )
          }
        />
      </Group>
    </FieldRow>
  );
}

type PresentLabel = ExportPreview['labels'][number];
interface Row extends PresentLabel {
  readonly as: string;
  readonly isWritten: boolean;
}

function rowsOf(present: readonly PresentLabel[], wanted: DatasetExportOptions['labels']): Row[] {
  if (!wanted) return present.map((label) => ({ ...label, as: label.name, isWritten: true }));
  const byName = new Map(present.map((label) => [label.name, label]));
  const chosen = wanted.flatMap(({ name, as = name }): Row[] => {
    const label = byName.get(name);
    byName.delete(name);
    return label ? [{ ...label, as, isWritten: true }] : [];
  });
  return [...chosen, ...[...byName.values()].map((label) => ({ ...label, as: label.name, isWritten: false }))];
}

/** Undefined if all labels are written unchanged. */
function statedLabels(rows: readonly Row[], present: readonly PresentLabel[]): DatasetExportOptions['labels'] {
  const written = rows.filter(({ isWritten }) => isWritten);
  const isAll = written.length === present.length;
  if (isAll && written.every(({ name, as }, index) => as === name && present[index]?.name === name)) return undefined;
  return written.map(({ name, as }) => (as === name || as.trim() === '' ? { name } : { name, as }));
}

function LabelChoice({ arranging }: { readonly arranging: ExportOptionsState }) {
  const t = useText();
  const present = arranging.preview.data?.labels ?? [];
  const rows = rowsOf(present, arranging.exportOptions.labels);
  const set = (next: readonly Row[]): void => {
    if (next.some(({ isWritten }) => isWritten)) arranging.change({ labels: statedLabels(next, present) });
  };
  const change = (at: number, changes: Partial<Row>): void =>
    set(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  if (rows.length === 0) return null;
  return (
    <FieldRow label={t('arranging.labels')} note={t('arranging.labelsNote')}>
      <LongList as="div" className={classes.labels} rowHeight={32} gap={4}>
        {rows.map(({ name, color, objects, as, isWritten }, index) => (
          <div key={name} className={classes.label}>
            <Checkbox
              size="xs"
              aria-label={t('arranging.writeLabel', { label: name })}
              checked={isWritten}
              onChange={(isOn) => change(index, { isWritten: isOn })}
            />
            <span className={classes.swatch} style={{ background: color }} />
            <span className={classes.name} title={name}>
              {name}
            </span>
            <TextInput
              size="xs"
              aria-label={t('arranging.labelAs', { label: name })}
              disabled={!isWritten}
              maxLength={64}
              value={as}
              onChange={(value) => change(index, { as: value })}
            />
            <span className={classes.count}>{formatNumber(objects)}</span>
            {index > 0 && isWritten ? (
              <IconButton
                size="sm"
                label={t('arranging.labelUp', { label: name })}
                icon={<IconArrowUp size={14} />}
                onClick={() => set(rows.toSpliced(index, 1).toSpliced(index - 1, 0, rows[index]!))}
              />
            ) : (
              <span />
            )}
          </div>
        ))}
      </LongList>
    </FieldRow>
  );
}

type Images = NonNullable<DatasetExportOptions['images']>;

interface PictureFieldsProps {
  readonly arranging: ExportOptionsState;
  /** True if the export may rename frames. */
  readonly isNamed: boolean;
  readonly numbersClasses: boolean;
}

/** Size, format and names of exported images, and the first class number. */
function ImageFields({ arranging, isNamed, numbersClasses }: PictureFieldsProps) {
  const t = useText();
  const { exportOptions, change } = arranging;
  const { images = {}, names, first_class_id: firstClass } = exportOptions;
  const set = (next: { readonly [Name in keyof Images]?: Images[Name] | undefined }): void => {
    const stated = Object.entries({ ...images, ...next }).filter(([, value]) => value !== undefined);
    // Drops undefined members.
    change({ images: stated.length === 0 ? undefined : (Object.fromEntries(stated) as Images) });
  };
  return (
    <>
      <FieldRow label={t('arranging.pictures')}>
        <Group gap="xs" grow>
          <NumberInput
            size="xs"
            aria-label={t('arranging.longestSide')}
            title={t('arranging.longestSide')}
            placeholder={t('arranging.original')}
            suffix=" px"
            min={16}
            max={65_535}
            allowDecimal={false}
            value={images.longest_side ?? ''}
            onChange={(value) => set({ longest_side: typeof value === 'number' && value >= 16 ? value : undefined })}
          />
          <ChoiceField
            size="xs"
            aria-label={t('arranging.pictureFormat')}
            value={images.format ?? 'own'}
            data={[
              { value: 'own', label: t('arranging.keepFormat') },
              { value: 'jpeg', label: t('arranging.asJpeg') },
              { value: 'png', label: t('arranging.asPng') },
            ]}
            onChange={(value) => set({ format: value === 'jpeg' || value === 'png' ? value : undefined })}
          />
        </Group>
      </FieldRow>
      <ChoiceRow
        label={t('arranging.orientation')}
        note={t('arranging.orientationNote')}
        value={images.orientation ?? 'upright'}
        choices={[
          { value: 'upright', label: t('arranging.orientationUpright') },
          { value: 'original', label: t('arranging.orientationOriginal') },
        ]}
        onChange={(value) => set({ orientation: value === 'original' ? value : undefined })}
      />
      {isNamed && (
        <ChoiceRow
          label={t('arranging.names')}
          value={names ?? 'kept'}
          choices={[
            { value: 'kept', label: t('arranging.namesKept') },
            { value: 'numbered', label: t('arranging.namesNumbered') },
          ]}
          onChange={(value) => change({ names: value === 'numbered' ? value : undefined })}
        />
      )}
      {numbersClasses && (
        <ChoiceRow
          label={t('arranging.firstClass')}
          note={t('arranging.firstClassNote')}
          value={firstClass === 0 ? '0' : '1'}
          choices={[
            { value: '1', label: '1' },
            { value: '0', label: '0' },
          ]}
          onChange={(value) => change({ first_class_id: value === '0' ? 0 : undefined })}
        />
      )}
    </>
  );
}
