import { IconFolder } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import type { OpenDialogOptions } from '../../../preload/contract/desktop-bridge.ts';
import { Group, QuietButton, TextInput } from '../../ui/kit.ts';
import { desktop } from '../desktop.ts';

interface PathFieldProps extends Omit<ComponentProps<typeof TextInput>, 'onChange'> {
  readonly kind: 'file' | 'folder';
  /** Only for files. */
  readonly filters?: OpenDialogOptions['filters'];
  readonly browse: string;
  readonly onChange: (path: string) => void;
}

export function PathField({ kind, filters, browse, onChange, ...input }: PathFieldProps) {
  const bridge = desktop();
  const choose = async (): Promise<void> => {
    const [path] = (await (kind === 'folder' ? bridge?.openFolders() : bridge?.openFiles({ filters }))) ?? [];
    if (path !== undefined) onChange(path);
  };
  return (
    <Group gap={8} align="flex-start" wrap="nowrap">
      <TextInput flex={1} spellCheck={false} onChange={onChange} {...input} />
      {bridge !== undefined && (
        <QuietButton mt={21} leftSection={<IconFolder size={16} stroke={1.5} />} onClick={() => void choose()}>
          {browse}
        </QuietButton>
      )}
    </Group>
  );
}
