import { IconArchive } from '@tabler/icons-react';
import { useText } from '../../i18n/index.ts';
import { FileButton, SmallButton } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import { backupsAmong, useRestore } from './restoring.ts';

/** Makes a task or a project of its backup, which kind the archive says. */
export function RestoreButton() {
  const t = useText();
  const restore = useRestore();
  const take = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const found = await backupsAmong([file]);
    if (found.length === 0) notify.failure(t('workBackup.none'), t('workBackup.noneText', { name: file.name }));
    else await restore(found);
  };
  return (
    <FileButton accept=".zip" onChange={(file) => void take(file)}>
      {(props) => (
        <SmallButton {...props} leftSection={<IconArchive size={16} />}>
          {t('workBackup.from')}
        </SmallButton>
      )}
    </FileButton>
  );
}
