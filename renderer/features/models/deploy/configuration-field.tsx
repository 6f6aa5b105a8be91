import { IconFileText } from '@tabler/icons-react';
import type { Ref } from 'react';
import { useText } from '../../../i18n/index.ts';
import { ChooseFile } from '../../../shared/files/file-buttons.tsx';
import { Dimmed, Group, SegmentedControl, Stack } from '../../../ui/kit.ts';
import { ConfigurationEditor, type ConfigurationEditorHandle } from './configuration-editor.tsx';
import { type DraftProps, offersConfiguration } from './deploy-draft.ts';

interface ConfigurationFieldProps extends DraftProps {
  readonly badLines: readonly number[];
  readonly editor: Ref<ConfigurationEditorHandle>;
}

const sourceKeys = { folder: 'fromSource', sample: 'fromSample', files: 'fromFiles' } as const;

export function ConfigurationField({ draft, onChange, badLines, editor }: ConfigurationFieldProps) {
  const t = useText();
  const isOffered = offersConfiguration(draft);
  const isText = draft.configuration !== null;
  const open = async (file: File | null): Promise<void> => {
    if (file === null) return;
    onChange({ configuration: await file.text(), configurationName: file.name });
  };
  return (
    <Stack gap="sm">
      {isOffered && (
        <SegmentedControl
          aria-label={t('modelDeploy.configurationFrom')}
          value={isText ? 'text' : 'source'}
          onChange={(value) => onChange({ configuration: value === 'text' ? '' : null })}
          data={[
            { value: 'source', label: t(`modelDeploy.${sourceKeys[draft.source]}`) },
            { value: 'text', label: t('modelDeploy.fromText') },
          ]}
        />
      )}
      {!isText && <Dimmed>{t('modelDeploy.fromSourceHint')}</Dimmed>}
      {isText && (
        <div>
          <ConfigurationEditor
            ref={editor}
            label={draft.configurationName}
            placeholder={t('modelDeploy.configurationPlaceholder')}
            value={draft.configuration ?? ''}
            onChange={(configuration) => onChange({ configuration })}
            onFile={(file) => void open(file)}
            badLines={badLines}
          />
          <Group mt={8}>
            <ChooseFile
              accept=".yaml,.yml,.json"
              leftSection={<IconFileText size={14} />}
              onFile={(file) => void open(file)}
            >
              {t('modelDeploy.openFile')}
            </ChooseFile>
          </Group>
        </div>
      )}
    </Stack>
  );
}
