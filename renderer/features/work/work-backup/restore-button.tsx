import { IconArchive } from '@tabler/icons-react';
import { useText } from '../../../i18n/index.ts';
import { notify } from '../../../ui/notify.ts';
import { ChooseFile } from '../../../shared/files/file-buttons.tsx';
import { backupsAmong, useRestore } from './restoring.ts';

export function RestoreButton() {
  const t = useText();
  const restore = useRestore();
  const take = async (file: File): Promise<void> => {
    const found = await backupsAmong([file]);
    if (found.length === 0) notify.failure(t('workBackup.none'), t('workBackup.noneText', { name: file.name }));
    else await restore(found);
  };
  return (
    <ChooseFile accept=".zip" leftSection={<IconArchive size={16} />} onFile={(file) => void take(file)}>
      {t('workBackup.from')}
    </ChooseFile>
  );
}
