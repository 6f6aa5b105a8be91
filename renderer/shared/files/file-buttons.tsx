import { IconFolder, IconPhoto } from '@tabler/icons-react';
import { useRef, type ComponentProps } from 'react';
import type { NamedFile } from '../../api/uploads.ts';
import { useText } from '../../i18n/index.ts';
import { FileButton, SmallButton, Group, QuietButton, TextInput } from '../../ui/kit.ts';
import { filesOfInput } from './found-files.ts';
import type { OpenDialogOptions } from '../../../preload/contract/desktop-bridge.ts';
import { desktop } from '../desktop.ts';

type ChooseFileProps = ComponentProps<typeof SmallButton> & {
  readonly accept?: string;
  readonly onFile: (file: File) => void;
};

/** File chooser that accepts the same file again after the user has fixed it. */
export function ChooseFile({ accept = '', onFile, ...look }: ChooseFileProps) {
  const reset = useRef<() => void>(null);
  const take = (file: File | null): void => {
    if (file === null) return;
    onFile(file);
    reset.current?.();
  };
  return (
    <FileButton accept={accept} resetRef={reset} onChange={take}>
      {(button) => <SmallButton {...button} {...look} />}
    </FileButton>
  );
}

type FolderButtonProps = ComponentProps<typeof SmallButton> & {
  readonly label: string;
  readonly onFiles: (files: NamedFile[]) => void;
};

export function FolderButton({ label, onFiles, ...look }: FolderButtonProps) {
  const folderInput = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={(input) => {
          // React has no property for it.
          input?.setAttribute('webkitdirectory', '');
          folderInput.current = input;
        }}
        type="file"
        hidden
        onChange={(event) => {
          onFiles(filesOfInput([...(event.currentTarget.files ?? [])]));
          event.currentTarget.value = '';
        }}
      />
      <SmallButton
        flex="none"
        leftSection={<IconFolder size={16} />}
        {...look}
        onClick={() => folderInput.current?.click()}
      >
        {label}
      </SmallButton>
    </>
  );
}

const largeLook = { size: 'sm', leftSection: null } as const;
const mainLook = { ...largeLook, variant: 'filled' } as const;

interface FileButtonsProps {
  /** The first button is the main action of the page. */
  readonly isMain?: boolean;
  readonly onFiles: (files: NamedFile[]) => void;
}

export function FileButtons({ isMain = false, onFiles }: FileButtonsProps) {
  const t = useText();
  return (
    <>
      <FileButton multiple onChange={(list) => onFiles(filesOfInput(list))}>
        {(props) => (
          <SmallButton {...props} leftSection={<IconPhoto size={16} />} {...(isMain ? mainLook : {})}>
            {t('newTask.chooseFiles')}
          </SmallButton>
        )}
      </FileButton>
      <FolderButton label={t('newTask.chooseFolder')} onFiles={onFiles} {...(isMain ? largeLook : {})} />
    </>
  );
}

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
