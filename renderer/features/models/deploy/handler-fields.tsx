import { IconFileText, IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import { modelQueries } from '../../../api/model-queries.ts';
import type { NamedFile } from '../../../api/uploads.ts';
import { useText } from '../../../i18n/index.ts';
import { DropZone } from '../../../shared/files/drop-zone.tsx';
import { filesOfInput } from '../../../shared/files/found-files.ts';
import { PathField } from '../../../shared/files/file-buttons.tsx';
import { formatBytes } from '../../../shared/format-text.ts';
import {
  Autocomplete,
  FileButton,
  Group,
  SegmentedControl,
  Select,
  SmallButton,
  Stack,
  Text,
} from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import {
  type DraftProps,
  type HandlerFile,
  type HandlerSource,
  handlerSources,
  offersConfiguration,
  withoutCommonFolder,
} from './deploy-draft.ts';
import { imageChoices } from './image-fields.tsx';

/** Sum of all files: the service's request limit minus a third for the encoding. */
const maxFilesBytes = 64 * 1024 * 1024;

class FilesTooBig extends Error {}

const ignored = /(^|\/)(\.git|__pycache__|node_modules|\.DS_Store)(\/|$)/;

async function base64Of(file: File): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(',') + 1);
}

/** Reads the files of a handler without tool artefacts. @throws FilesTooBig */
async function readHandlerFiles(chosen: readonly NamedFile[]): Promise<HandlerFile[]> {
  const files = withoutCommonFolder(chosen).filter(({ path }) => !ignored.test(path));
  const sizeBytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (sizeBytes > maxFilesBytes) throw new FilesTooBig();
  return Promise.all(
    files.map(async ({ path, file }) => ({ path, sizeBytes: file.size, base64: await base64Of(file) })),
  );
}

export function HandlerFields({ draft, onChange, errors }: DraftProps) {
  const t = useText();
  const images = useQuery({ ...modelQueries.images(), retry: false });
  const chooseSource = (source: HandlerSource): void => {
    const next = { ...draft, source };
    onChange({ source, ...(offersConfiguration(next) ? { configuration: null } : { configuration: '' }) });
  };
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={t('modelDeploy.sourceLabel')}
        value={draft.source}
        onChange={(value) => chooseSource(handlerSources.find((one) => one === value) ?? 'folder')}
        data={handlerSources.map((source) => ({ value: source, label: t(`modelDeploy.source.${source}`) }))}
      />
      {draft.source === 'folder' && (
        <PathField
          label={t('modelDeploy.directory')}
          description={t('modelDeploy.directoryHint')}
          placeholder="/home/me/functions/my-detector"
          kind="folder"
          browse={t('modelDeploy.browse')}
          value={draft.directory}
          onChange={(directory) => onChange({ directory })}
          error={errors['directory']}
        />
      )}
      {draft.source === 'files' && <FilesField draft={draft} onChange={onChange} errors={errors} />}
      {draft.source === 'sample' && <SampleField draft={draft} onChange={onChange} errors={errors} />}
      <Autocomplete
        label={t('modelDeploy.baseImage')}
        description={t('modelDeploy.baseImageHint')}
        data={imageChoices(images.data ?? [], ['limner/base-python:latest', 'limner/base-node:latest'])}
        value={draft.baseImage}
        onChange={(baseImage) => onChange({ baseImage })}
        error={errors['base_image']}
      />
    </Stack>
  );
}

function SampleField({ draft, onChange, errors }: DraftProps) {
  const t = useText();
  const samples = useQuery(modelQueries.samples());
  if (samples.data?.length === 0) return <Text fz="sm">{t('modelDeploy.noSamples')}</Text>;
  const chosen = samples.data?.find(({ id }) => id === draft.sample);
  return (
    <Select
      label={t('modelDeploy.sample')}
      description={chosen?.description}
      data={(samples.data ?? []).map(({ id, title, kind }) => ({
        value: id,
        label: `${title} · ${t(`models.kind.${kind}`)}`,
      }))}
      value={draft.sample}
      onChange={(sample) => onChange({ sample })}
      error={errors['sample']}
    />
  );
}

function FilesField({ draft, onChange, errors }: DraftProps) {
  const t = useText();
  const folderInput = useRef<HTMLInputElement>(null);
  const take = async (chosen: readonly NamedFile[]): Promise<void> => {
    try {
      const files = await readHandlerFiles(chosen);
      onChange({ files, configuration: offersConfiguration({ ...draft, files }) ? null : (draft.configuration ?? '') });
    } catch (error) {
      const limit = formatBytes(maxFilesBytes);
      const message = error instanceof FilesTooBig ? t('modelDeploy.filesTooBig', { limit }) : messageOf(error);
      notify.failure(t('modelDeploy.filesUnread'), message);
    }
  };
  const size = formatBytes(draft.files.reduce((sum, file) => sum + file.sizeBytes, 0));
  return (
    <DropZone label={t('modelDeploy.chooseFiles')} compact onFiles={(files) => void take(files)}>
      <div>
        <Text fz="sm" fw={600}>
          {draft.files.length === 0
            ? t('modelDeploy.chooseFiles')
            : t('modelDeploy.filesChosen', { count: draft.files.length, size })}
        </Text>
        <Text fz="xs" c={errors['files'] === undefined ? 'dimmed' : 'red'}>
          {errors['files'] ?? t('modelDeploy.filesHint')}
        </Text>
      </div>
      <Group gap={8}>
        <FileButton multiple onChange={(list) => void take(filesOfInput(list))}>
          {(props) => (
            <SmallButton {...props} leftSection={<IconFileText size={16} />}>
              {t('modelDeploy.chooseFiles')}
            </SmallButton>
          )}
        </FileButton>
        <input
          ref={(input) => {
            // React has no property for it.
            input?.setAttribute('webkitdirectory', '');
            folderInput.current = input;
          }}
          type="file"
          hidden
          onChange={(event) => {
            void take(filesOfInput([...(event.currentTarget.files ?? [])]));
            event.currentTarget.value = '';
          }}
        />
        <SmallButton leftSection={<IconFolder size={16} />} onClick={() => folderInput.current?.click()}>
          {t('modelDeploy.chooseFolder')}
        </SmallButton>
      </Group>
    </DropZone>
  );
}
