import { IconPhotoPlus } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { text, useText } from '../i18n/index.ts';
import { isBackup } from '../shared/backup/opened-backup.ts';
import { pathsOfDrop } from '../shared/desktop.ts';
import { dragHasFiles, filesOfDrop } from '../shared/files/found-files.ts';
import { backupsAmong, useRestore, type WorkBackup } from '../features/work/work-backup/restore.tsx';
import { pageTakesDrops, passToPage } from '../shared/files/page-drop.ts';
import { Text } from '../ui/kit.ts';
import { notify } from '../ui/notify.ts';
import { type OpenMedia, useOpenMedia } from '../features/work/task-creation/open-media.ts';
import classes from './window-drop.module.css';
import { useRestoreOpened } from './desktop-events.tsx';

const belongsToAnother = (event: DragEvent): boolean =>
  event.target instanceof Element && event.target.closest('[data-own-drop], [role="dialog"]') !== null;

interface Ways {
  readonly open: OpenMedia;
  readonly restore: (path: string) => void;
  readonly restoreWork: (backups: readonly WorkBackup[]) => Promise<void>;
}

/** Backups of the workbench, a task or a project are restored and never become a task. */
const take = async (transfer: DataTransfer, { open, restore, restoreWork }: Ways): Promise<void> => {
  const paths = pathsOfDrop(transfer);
  const backup = [...transfer.files].findIndex(({ name }) => isBackup(name));
  if (backup >= 0) {
    const path = paths[backup];
    if (path !== undefined) return restore(path);
    const { name } = transfer.files[backup] ?? { name: '' };
    return notify.failure(text('backup.dropTitle'), text('backup.dropText', { name }));
  }
  // The list of a drop is empty after an await.
  const [plain, found] = [[...transfer.files], filesOfDrop(transfer)];
  const backups = await backupsAmong(plain);
  if (backups.length > 0) {
    if (backups.length < plain.length) notify.hint('left-out', text('workBackup.leftOut'));
    await restoreWork(backups);
    return;
  }
  if (pageTakesDrops() && (await passToPage(await found))) return;
  if (paths.length > 0) await open.paths(paths);
  else await open.files(await found);
};

export function WindowDrop() {
  const t = useText();
  const [over, setOver] = useState(false);
  const open = useOpenMedia();
  const restore = useRestoreOpened();
  const restoreWork = useRestore();
  const latest = useRef({ open, restore, restoreWork });
  useEffect(() => {
    latest.current = { open, restore, restoreWork };
  });

  useEffect(() => {
    // Decided by each event alone: enters and leaves cannot be counted, because an element that is removed below the
    // pointer is never left.
    const move = (event: DragEvent): void => {
      if (!dragHasFiles(event)) return;
      event.preventDefault();
      setOver(!belongsToAnother(event));
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!dragHasFiles(event)) return;
      event.preventDefault();
      if (belongsToAnother(event) || event.dataTransfer === null) return;
      take(event.dataTransfer, latest.current).catch((error: unknown) => notify.failure(text('drop.unread'), error));
    };
    const listeners = { dragenter: move, dragover: move, dragleave: leave, drop };
    // While capturing, because an element that takes files itself may stop the event.
    for (const [type, listener] of Object.entries(listeners)) {
      window.addEventListener(type, listener as EventListener, true);
    }
    return () => {
      for (const [type, listener] of Object.entries(listeners)) {
        window.removeEventListener(type, listener as EventListener, true);
      }
    };
  }, []);

  if (!over) return null;
  return (
    <div className={classes.veil}>
      <div className={classes.frame}>
        <IconPhotoPlus size={40} stroke={1.25} />
        <Text fw={600} fz="lg">
          {t(pageTakesDrops() ? 'drop.add' : 'drop.title')}
        </Text>
        <Text c="dimmed">{t('drop.text')}</Text>
      </div>
    </div>
  );
}
