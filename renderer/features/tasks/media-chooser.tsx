import { IconFolder, IconPhotoPlus, IconPhoto } from '@tabler/icons-react';
import { useRef } from 'react';
import type { NamedFile } from '../../api/uploads.ts';
import { useText } from '../../i18n/index.ts';
import { DropZone } from '../../parts/files/drop-zone.tsx';
import { filesOfInput } from '../../parts/files/dropped-files.ts';
import { chooseMedia } from '../../parts/files/media-files.ts';
import { formatBytes } from '../../parts/format-text.ts';
import { Button, FileButton, Group, Text } from '../../ui/kit.ts';
import { notify } from '../../ui/notify.ts';
import type { NewTaskForm } from './new-task-form.ts';

interface MediaChooserProps {
  readonly form: NewTaskForm;
  readonly onChange: (change: Partial<NewTaskForm>) => void;
}

/** Takes images, a folder, archives or a video, dropped or chosen; more images can be added. */
export function MediaChooser({ form, onChange }: MediaChooserProps) {
  const t = useText();
  const folderInput = useRef<HTMLInputElement>(null);
  const { files, ignoredCount } = form;
  const add = (found: readonly NamedFile[]): void => {
    const taken = new Set(files.map((item) => item.path));
    const chosen = chooseMedia([...files, ...found.filter((item) => !taken.has(item.path))]);
    if (found.length > 0 && chosen.files.length === 0) return notify.failure(t('newTask.title'), t('newTask.noImages'));
    const [video] = chosen.otherVideos;
    if (video !== undefined) {
      const left = { count: chosen.otherVideos.length, name: video.path };
      notify.hint('videos', t('newTask.oneVideo', left));
    }
    onChange({ files: chosen.files, ignoredCount: ignoredCount + chosen.ignored.length });
  };
  const size = formatBytes(files.reduce((sum, item) => sum + item.file.size, 0));
  return (
    <DropZone label={t('newTask.dropTitle')} onFiles={add}>
      <IconPhotoPlus size={32} stroke={1.25} />
      <div>
        <Text fw={600}>
          {files.length === 0 ? t('newTask.dropTitle') : t('newTask.chosen', { count: files.length, size })}
        </Text>
        <Text fz="xs" c="dimmed">
          {ignoredCount > 0 ? t('newTask.ignored', { count: ignoredCount }) : t('newTask.dropText')}
        </Text>
      </div>
      <Group gap={8} mt={8}>
        <FileButton multiple onChange={(list) => add(filesOfInput(list))}>
          {(props) => (
            <Button {...props} size="xs" variant="default" leftSection={<IconPhoto size={16} />}>
              {t('newTask.chooseFiles')}
            </Button>
          )}
        </FileButton>
        <input
          ref={(input) => {
            // React knows no property for it.
            input?.setAttribute('webkitdirectory', '');
            folderInput.current = input;
          }}
          type="file"
          hidden
          onChange={(event) => {
            add(filesOfInput([...(event.currentTarget.files ?? [])]));
            event.currentTarget.value = '';
          }}
        />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFolder size={16} />}
          onClick={() => folderInput.current?.click()}
        >
          {t('newTask.chooseFolder')}
        </Button>
        {files.length > 0 && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => onChange({ files: [], ignoredCount: 0 })}>
            {t('newTask.clear')}
          </Button>
        )}
      </Group>
    </DropZone>
  );
}
