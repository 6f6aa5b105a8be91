import { IconDownload, IconRestore, IconUpload } from '@tabler/icons-react';
import type { ActionDefinition } from '../../../canvas/action-table.ts';
import { useText } from '../../../i18n/index.ts';
import { ChooseFile } from '../../../shared/files/file-buttons.tsx';
import { saveFile } from '../../../shared/files/save-file.ts';
import { useKeymap } from '../../../shared/keys/keymap-store.ts';
import { defaultKeymap, readKeymap, writeKeymap } from '../../../shared/keys/keymap.ts';
import { presetIds } from '../../../shared/keys/presets.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Button, Group, QuietButton, ChoiceField } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';

export function ShortcutsBar({ actions }: { readonly actions: readonly ActionDefinition[] }) {
  const t = useText();
  const { keymap, set } = useKeymap();
  const changed = Object.keys(keymap.changes).length;
  const readFile = async (file: File): Promise<void> => {
    const reading = readKeymap(await file.text(), actions);
    if ('problem' in reading) {
      notify.failure(t('keys.importFailed'), t(`keys.${reading.problem}`, { details: reading.details }));
      return;
    }
    set(reading.keymap);
    notify.success(t('keys.imported'));
  };
  const resetAll = async (): Promise<void> => {
    const isSure = await ask({
      title: t('keys.resetAllTitle'),
      text: t('keys.resetAllText', { count: changed }),
      confirm: t('keys.resetAll'),
    });
    if (isSure) set({ ...defaultKeymap, preset: keymap.preset });
  };
  return (
    <Group gap={8} align="flex-end">
      <ChoiceField
        label={t('keys.preset')}
        description={t('keys.presetHint')}
        flex={1}
        miw={260}
        data={presetIds.map((value) => ({ value, label: t(`keys.presets.${value}`) }))}
        value={keymap.preset}
        // The values come from the list above.
        onChange={(value) => set({ ...keymap, preset: value })}
      />
      <QuietButton
        leftSection={<IconDownload size={16} stroke={1.5} />}
        onClick={() => saveFile('limner-keys.json', new Blob([writeKeymap(keymap)], { type: 'application/json' }))}
      >
        {t('keys.export')}
      </QuietButton>
      <ChooseFile
        size="sm"
        accept="application/json,.json"
        leftSection={<IconUpload size={16} stroke={1.5} />}
        onFile={(file) => void readFile(file)}
      >
        {t('keys.import')}
      </ChooseFile>
      <Button
        variant="subtle"
        color="gray"
        disabled={changed === 0}
        leftSection={<IconRestore size={16} stroke={1.5} />}
        onClick={() => void resetAll()}
      >
        {t('keys.resetAll')}
      </Button>
    </Group>
  );
}
