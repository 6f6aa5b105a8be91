import { IconFolder, IconPhoto } from '@tabler/icons-react';
import { useRef, type ComponentProps } from 'react';
import type { NamedFile } from '../../api/uploads.ts';
import { useText } from '../../i18n/index.ts';
import { FileButton, SmallButton } from '../../ui/kit.ts';
import { filesOfInput } from './dropped-files.ts';

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

interface FolderButtonProps {
  readonly label: string;
  readonly onFiles: (files: NamedFile[]) => void;
}

export function FolderButton({ label, onFiles }: FolderButtonProps) {
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
      <SmallButton flex="none" leftSection={<IconFolder size={16} />} onClick={() => folderInput.current?.click()}>
        {label}
      </SmallButton>
    </>
  );
}

export function FileButtons({ onFiles }: { readonly onFiles: (files: NamedFile[]) => void }) {
  const t = useText();
  return (
    <>
      <FileButton multiple onChange={(list) => onFiles(filesOfInput(list))}>
        {(props) => (
          <SmallButton {...props} leftSection={<IconPhoto size={16} />}>
            {t('newTask.chooseFiles')}
          </SmallButton>
        )}
      </FileButton>
      <FolderButton label={t('newTask.chooseFolder')} onFiles={onFiles} />
    </>
  );
}
