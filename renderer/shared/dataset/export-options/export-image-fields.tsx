import type { DatasetExportOptions } from '../../../../preload/contract/schema/export-options.ts';
import { useText } from '../../../i18n/index.ts';
import { Group, NumberInput, ChoiceField } from '../../../ui/kit.ts';
import { ChoiceRow } from '../choice-row.tsx';
import { FieldRow } from '../field-row.tsx';
import type { ExportOptionsState } from './use-export-options.ts';

type Images = NonNullable<DatasetExportOptions['images']>;

interface PictureFieldsProps {
  readonly arranging: ExportOptionsState;
  /** True if the export may rename frames. */
  readonly isNamed: boolean;
  readonly numbersClasses: boolean;
}

/** Size, format and names of exported images, and the first class number. */
export function ImageFields({ arranging, isNamed, numbersClasses }: PictureFieldsProps) {
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
