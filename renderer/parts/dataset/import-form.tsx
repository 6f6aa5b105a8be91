import { IconFile } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { DatasetFormats } from '../../../preload/contract/schema/server.ts';
import { useText } from '../../i18n/index.ts';
import { Button, FileButton, Group, Radio, Select, Stack, Switch, Text } from '../../ui/kit.ts';
import { DropZone } from '../files/drop-zone.tsx';
import { formatBytes } from '../format-text.ts';
import { detectFormat, type Candidate } from './detect-format.ts';

export interface ImportChoice {
  readonly file: File | null;
  readonly format: string | null;
  readonly mode: 'append' | 'replace';
  readonly masksToPolygons: boolean;
}

interface ImportFormProps {
  readonly importers: DatasetFormats['importers'];
  readonly project: boolean;
  readonly choice: ImportChoice;
  readonly onChange: (change: (choice: ImportChoice) => ImportChoice) => void;
  readonly onStart: () => void;
  readonly onCancel: () => void;
}

/** What the service says about the chosen file. */
function useDetection(file: File | null, onFound: (name: string) => void): Candidate | 'none' | 'running' | null {
  const [found, setFound] = useState<Candidate | 'none' | 'running' | null>(null);
  useEffect(() => {
    if (file === null) return;
    const abort = new AbortController();
    setFound('running');
    const detect = async (): Promise<void> => {
      const [best] = await detectFormat(file, abort.signal);
      if (abort.signal.aborted) return;
      setFound(best ?? 'none');
      if (best !== undefined) onFound(best.name);
    };
    void detect();
    return () => abort.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- only another file asks again
  }, [file]);
  return found;
}

export function ImportForm({ importers, project, choice, onChange, onStart, onCancel }: ImportFormProps) {
  const t = useText();
  const { file, format, mode, masksToPolygons } = choice;
  const take = (next: File | null | undefined): void => {
    if (next) onChange((now) => ({ ...now, file: next, format: null }));
  };
  const detection = useDetection(file, (name) => onChange((now) => ({ ...now, format: now.format ?? name })));
  const hint = (): string | undefined => {
    if (detection === 'running') return t('importing.detecting');
    if (detection === 'none') return t('importing.notDetected');
    return detection !== null && detection.name === format
      ? t('importing.detected', { reason: detection.reason })
      : undefined;
  };
  return (
    <Stack gap="md">
      <DropZone label={t('importing.file')} compact onFiles={(files) => take(files[0]?.file)}>
        {file !== null && (
          <Group gap={8}>
            <IconFile size={18} stroke={1.5} />
            <Text fz="sm" fw={600}>
              {file.name}
            </Text>
            <Text fz="sm" c="dimmed">
              {formatBytes(file.size)}
            </Text>
          </Group>
        )}
        <Group gap={8}>
          <FileButton onChange={take}>
            {(props) => (
              <Button {...props} variant="default" size="xs">
                {file === null ? t('importing.choose') : t('importing.chooseOther')}
              </Button>
            )}
          </FileButton>
          <Text fz="xs" c="dimmed">
            {t('importing.drop')}
          </Text>
        </Group>
      </DropZone>
      <Select
        label={t('importing.format')}
        description={hint()}
        data={importers.map((item) => item.name)}
        value={format}
        searchable
        allowDeselect={false}
        onChange={(value) => onChange((now) => ({ ...now, format: value }))}
      />
      {!project && (
        <Radio.Group
          label={t('importing.mode')}
          value={mode}
          onChange={(value) => onChange((now) => ({ ...now, mode: value === 'replace' ? 'replace' : 'append' }))}
        >
          <Stack gap={8} mt={8}>
            <Radio value="append" label={t('importing.append')} />
            <Radio
              value="replace"
              label={t('importing.replace')}
              description={mode === 'replace' ? t('importing.replaceWarning') : undefined}
            />
          </Stack>
        </Radio.Group>
      )}
      <Switch
        label={t('importing.masks')}
        checked={masksToPolygons}
        onChange={(event) => {
          const { checked } = event.currentTarget;
          onChange((now) => ({ ...now, masksToPolygons: checked }));
        }}
      />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button disabled={file === null || format === null} onClick={onStart}>
          {t('importing.start')}
        </Button>
      </Group>
    </Stack>
  );
}
