import { IconFile } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { DatasetFormats } from '../../../preload/contract/schema/server.ts';
import { useText } from '../../i18n/index.ts';
import { Button, FileButton, Group, Radio, Select, Stack, Switch, Text } from '../../ui/kit.ts';
import { DropZone } from '../files/drop-zone.tsx';
import { formatBytes } from '../format-text.ts';
import { detectFormat, type Candidate } from './detect-format.ts';
import { FormatCandidates } from './format-candidates.tsx';

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
  /** Only reads the file and shows what an import would do. */
  readonly onCheck: () => void;
  readonly onCancel: () => void;
}

/** The formats that the chosen file may be in, as the service says; empty where none was recognised. */
function useDetection(file: File | null, onFound: (name: string) => void): readonly Candidate[] | 'running' | null {
  const [found, setFound] = useState<readonly Candidate[] | 'running' | null>(null);
  useEffect(() => {
    if (file === null) return;
    const abort = new AbortController();
    setFound('running');
    const detect = async (): Promise<void> => {
      const candidates = await detectFormat(file, abort.signal);
      if (abort.signal.aborted) return;
      setFound(candidates);
      const [best] = candidates;
      if (best !== undefined) onFound(best.name);
    };
    void detect();
    return () => abort.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- only another file asks again
  }, [file]);
  return found;
}

export function ImportForm({ importers, project, choice, onChange, onStart, onCheck, onCancel }: ImportFormProps) {
  const t = useText();
  const { file, format, mode, masksToPolygons } = choice;
  const take = (next: File | null | undefined): void => {
    if (next) onChange((now) => ({ ...now, file: next, format: null }));
  };
  const detection = useDetection(file, (name) => onChange((now) => ({ ...now, format: now.format ?? name })));
  const hint = (): string | undefined => {
    if (detection === 'running') return t('importing.detecting');
    if (detection?.length === 0) return t('importing.notDetected');
    const chosen = detection?.find(({ name }) => name === format);
    return chosen && t('importing.detected', { reason: chosen.reason });
  };
  const chooseFormat = (name: string | null): void => onChange((now) => ({ ...now, format: name }));
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
        onChange={chooseFormat}
      />
      {detection !== null && detection !== 'running' && (
        <FormatCandidates candidates={detection} format={format} onChoose={chooseFormat} />
      )}
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
        {!project && (
          <Button variant="default" disabled={file === null || format === null} onClick={onCheck}>
            {t('importing.check')}
          </Button>
        )}
        <Button disabled={file === null || format === null} onClick={onStart}>
          {t('importing.start')}
        </Button>
      </Group>
    </Stack>
  );
}
