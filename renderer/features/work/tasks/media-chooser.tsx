import { IconPhotoPlus, IconFile, IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NamedFile } from '../../../api/uploads.ts';
import { useText } from '../../../i18n/index.ts';
import { DropZone } from '../../../shared/files/drop-zone.tsx';
import { FileButtons } from '../../../shared/files/file-buttons.tsx';
import { chooseMedia, isMediaFile, useChooseMedia } from '../../../shared/files/media-files.ts';
import { formatBytes } from '../../../shared/format-text.ts';
import { RestoreButton, backupsAmong, useRestore } from '../work-backup/restore.tsx';
import { Button, Checkbox, Group, Hint, Text, Anchor, Dimmed, ScrollArea, Stack, Textarea } from '../../../ui/kit.ts';
import { filesByTask, type NewTaskForm } from './new-task-form.ts';
import { queries } from '../../../api/queries.ts';
import { List, Row } from '../../../ui/list.tsx';
import { Loaded } from '../../../ui/loaded.tsx';

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

interface PathChooserProps {
  readonly form: NewTaskForm;
  readonly onChange: (change: Partial<NewTaskForm>) => void;
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Files and folders on the service's computer, used in place. */
export function PathChooser({ form, onChange }: PathChooserProps) {
  const t = useText();
  const [text, setText] = useState(() => form.paths.join('\n'));
  const change = (next: string): void => {
    setText(next);
    onChange({ paths: [...new Set(linesOf(next))] });
  };
  const toggle = (path: string): void => {
    const lines = linesOf(text);
    change((lines.includes(path) ? lines.filter((line) => line !== path) : [...lines, path]).join('\n'));
  };
  const root = useQuery(queries.share('/'));
  const isMixed = form.paths.some((path) => path.startsWith('/')) && !form.paths.every((path) => path.startsWith('/'));
  return (
    <Stack gap="sm">
      <Textarea
        label={t('newTask.paths')}
        description={t('newTask.pathsHint')}
        error={isMixed ? t('newTask.pathsMixed') : undefined}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        value={text}
        onChange={change}
      />
      {(root.data?.length ?? 0) > 0 && <ShareList chosen={form.paths} onToggle={toggle} />}
      {form.paths.length > 1 && (
        <Checkbox
          label={t('newTask.separate', { count: form.paths.length })}
          checked={form.isSeparate}
          onChange={(isOn) => onChange({ isSeparate: isOn })}
        />
      )}
    </Stack>
  );
}

interface ShareListProps {
  readonly chosen: readonly string[];
  readonly onToggle: (path: string) => void;
}

/** Contents of the shared folder. Paths are relative to it. */
function ShareList({ chosen, onToggle }: ShareListProps) {
  const t = useText();
  const [folder, setFolder] = useState('');
  const entries = useQuery(queries.share(folder === '' ? '/' : folder));
  const steps = folder === '' ? [] : folder.split('/');
  return (
    <section aria-label={t('newTask.share')}>
      <Group gap={4} mb={4}>
        <Anchor component="button" type="button" fz="sm" fw={500} onClick={() => setFolder('')}>
          {t('newTask.share')}
        </Anchor>
        {steps.map((step, index) => (
          <Anchor
            key={`${index} ${step}`}
            component="button"
            type="button"
            fz="sm"
            onClick={() => setFolder(steps.slice(0, index + 1).join('/'))}
          >
            / {step}
          </Anchor>
        ))}
      </Group>
      <ScrollArea.Autosize mah={260}>
        <Loaded query={entries}>
          {(found) =>
            found.length === 0 ? (
              <Dimmed>{t('newTask.shareEmpty')}</Dimmed>
            ) : (
              <List>
                {found.map(({ name, type }) => {
                  const path = folder === '' ? name : `${folder}/${name}`;
                  const isFolder = type === 'DIR';
                  return (
                    <Row
                      key={name}
                      before={
                        <Checkbox
                          aria-label={t('newTask.take', { name })}
                          checked={chosen.includes(path)}
                          onChange={() => onToggle(path)}
                        />
                      }
                      lead={isFolder ? <IconFolder size={16} /> : <IconFile size={16} />}
                      name={name}
                      title={path}
                    >
                      {isFolder && (
                        <Button size="xs" variant="subtle" onClick={() => setFolder(path)}>
                          {t('newTask.openFolder')}
                        </Button>
                      )}
                    </Row>
                  );
                })}
              </List>
            )
          }
        </Loaded>
      </ScrollArea.Autosize>
    </section>
  );
}
