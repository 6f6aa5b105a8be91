import { IconPhotoPlus } from '@tabler/icons-react';
import type { NamedFile } from '../../../api/uploads.ts';
import { useText } from '../../../i18n/index.ts';
import { DropZone } from '../../../shared/files/drop-zone.tsx';
import { FileButtons } from '../../../shared/files/file-buttons.tsx';
import { chooseMedia, isMediaFile, useChooseMedia } from '../../../shared/files/media-files.ts';
import { formatBytes } from '../../../shared/format-text.ts';
import { RestoreButton } from '../work-backup/restore-button.tsx';
import { backupsAmong, useRestore } from '../work-backup/restoring.ts';
import { Button, Checkbox, Group, Hint, Text } from '../../../ui/kit.ts';
import { filesByTask, type NewTaskForm } from './new-task-form.ts';

interface MediaChooserProps {
  readonly form: NewTaskForm;
  readonly onChange: (change: Partial<NewTaskForm>) => void;
}

/** Drop area and chooser for images, folders, archives or videos; more can be added. */
export function MediaChooser({ form, onChange }: MediaChooserProps) {
  const t = useText();
  const choose = useChooseMedia();
  const restore = useRestore();
  const { files, ignoredCount, isSeparate } = form;
  const add = async (found: readonly NamedFile[]): Promise<void> => {
    const backups = await backupsAmong(found.map(({ file }) => file));
    if (backups.length > 0) return restore(backups);
    const taken = new Set(files.map((item) => item.path));
    const all = [...files, ...found.filter((item) => !taken.has(item.path))];
    const chosen = isSeparate ? null : choose(all);
    if (!isSeparate && chosen === null) return;
    onChange({ files: all.filter(isMediaFile), ignoredCount: ignoredCount + (chosen?.ignored.length ?? 0) });
  };
  const groups = filesByTask(files);
  const shown = isSeparate ? files : chooseMedia(files).files;
  const size = formatBytes(shown.reduce((sum, item) => sum + item.file.size, 0));
  return (
    <DropZone label={t('newTask.dropTitle')} onFiles={(found) => void add(found)}>
      <IconPhotoPlus size={32} stroke={1.25} />
      <div>
        <Text fw={600}>
          {files.length === 0 ? t('newTask.dropTitle') : t('newTask.chosen', { count: shown.length, size })}
        </Text>
        <Hint>{ignoredCount > 0 ? t('newTask.ignored', { count: ignoredCount }) : t('newTask.dropText')}</Hint>
      </div>
      <Group gap={8} mt={8}>
        <FileButtons onFiles={(found) => void add(found)} />
        {files.length === 0 && <RestoreButton />}
        {files.length > 0 && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => onChange({ files: [], ignoredCount: 0 })}>
            {t('newTask.clear')}
          </Button>
        )}
      </Group>
      {groups.length > 1 && (
        <Checkbox
          mt={4}
          label={t('newTask.separate', { count: groups.length })}
          checked={isSeparate}
          onChange={(isOn) => onChange({ isSeparate: isOn })}
        />
      )}
    </DropZone>
  );
}
