import { IconFolder } from '@tabler/icons-react';
import { useText } from '../../i18n/index.ts';
import { desktop } from '../../parts/desktop.ts';
import { Group, QuietButton, TextInput } from '../../ui/kit.ts';

interface PathFieldProps {
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (path: string) => void;
  readonly error: string | undefined;
  readonly kind: 'folder' | 'file';
}

/** A path of this computer: typed, or chosen where the desktop shell can ask for one. */
export function PathField({ label, description, placeholder, value, onChange, error, kind }: PathFieldProps) {
  const t = useText();
  const bridge = desktop();
  const browse = async (): Promise<void> => {
    const [path] = kind === 'folder' ? await bridge!.openFolders() : await bridge!.openFiles();
    if (path !== undefined) onChange(path);
  };
  return (
    <Group gap={8} align="flex-start" wrap="nowrap">
      <TextInput
        style={{ flex: 1 }}
        label={label}
        description={description}
        placeholder={placeholder}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
      />
      {bridge !== undefined && (
        <QuietButton mt={21} leftSection={<IconFolder size={16} stroke={1.5} />} onClick={() => void browse()}>
          {t('modelDeploy.browse')}
        </QuietButton>
      )}
    </Group>
  );
}
