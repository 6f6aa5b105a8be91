import { IconDeviceFloppy, IconFileDownload, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type DatasetExportOptions, exportOptionsSchema } from '../../../../preload/contract/schema/export-options.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Autocomplete, Group, useLocalStorage } from '../../../ui/kit.ts';
import { saveFile } from '../../files/save-file.ts';
import { FieldRow } from '../field-row.tsx';
import type { ExportOptionsState } from './use-export-options.ts';

/** Drops labels and frames that the current data lacks, so that a preset fits every export. */
function fitting(preset: DatasetExportOptions, known: ReadonlySet<string>): DatasetExportOptions {
  const { labels, ...rest } = preset;
  const found = labels?.filter(({ name }) => known.has(name)) ?? [];
  return found.length === 0 ? rest : { ...rest, labels: found };
}

/** Named export options for reuse; can be saved as a file for the command line. */
export function PresetField({ arranging }: { readonly arranging: ExportOptionsState }) {
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
