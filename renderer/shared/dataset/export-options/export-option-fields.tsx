import { useState } from 'react';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Fold } from '../../../ui/fold.tsx';
import { Hint, MultiSelect, Stack, Switch, Text, TextInput } from '../../../ui/kit.ts';
import { FieldRow } from '../field-row.tsx';
import { KindFields } from './kind-fields.tsx';
import { LabelChoice } from './label-choice.tsx';
import { ImageFields } from './export-image-fields.tsx';
import { PresetField } from './preset-field.tsx';
import { SplitField } from './split-field.tsx';
import type { ExportOptionsState } from './use-export-options.ts';

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
