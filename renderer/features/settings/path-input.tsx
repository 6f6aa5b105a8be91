import type { ReactNode } from 'react';
import { useText } from '../../i18n/index.ts';
import { desktop } from '../../parts/desktop.ts';
import { Group, QuietButton, TextInput } from '../../ui/kit.ts';

interface PathInputProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (path: string) => void;
  readonly error?: ReactNode;
  readonly kind: 'file' | 'folder';
}

/** A path of this computer: typed, or chosen where the desktop shell can ask for it. */
export function PathInput({ label, hint, value, onChange, error, kind }: PathInputProps) {
  const t = useText();
  const bridge = desktop();
  const choose = async (): Promise<void> => {
    const filters = [{ name: t('backup.filter'), extensions: ['limner'] }];
    const [path] = (await (kind === 'file' ? bridge?.openFiles({ filters }) : bridge?.openFolders())) ?? [];
    if (path !== undefined) onChange(path);
  };
  return (
    <Group gap={8} align="flex-end" wrap="nowrap">
      <TextInput
        flex={1}
        data-autofocus
        label={label}
        description={hint}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {bridge !== undefined && <QuietButton onClick={() => void choose()}>{t('backup.browse')}</QuietButton>}
    </Group>
  );
}
