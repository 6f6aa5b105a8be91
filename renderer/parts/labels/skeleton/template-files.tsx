import { IconDownload, IconPhoto, IconPhotoOff, IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { readSkeletonSvg } from '../../../../preload/contract/skeleton-svg-reader.ts';
import { useText } from '../../../i18n/index.ts';
import { FileButton, SmallButton } from '../../../ui/kit.ts';
import { saveFile } from '../../files/save-file.ts';
import { fileOf, templateOfFile, type Template } from './template.ts';

interface TemplateFilesProps {
  readonly name: string;
  readonly template: Template;
  readonly isFixed: boolean;
  readonly picture: StagePicture;
  readonly onTemplate: (template: Template) => void;
  readonly onRefused: (title: string, reason: string) => void;
}

export type StagePicture = ReturnType<typeof usePicture>;

/** A picture for the stage as an address, kept as long as it is shown. */
export function usePicture(onRefused: (name: string) => void) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(
    () => () => {
      if (address !== null) URL.revokeObjectURL(address);
    },
    [address],
  );
  const show = async (file: File | null): Promise<void> => {
    if (file === null) {
      setAddress(null);
      return;
    }
    const next = URL.createObjectURL(file);
    const picture = new Image();
    picture.src = next;
    try {
      await picture.decode();
      setAddress(next);
    } catch {
      URL.revokeObjectURL(next);
      onRefused(file.name);
    }
  };
  return { address, show };
}

interface FilePickProps {
  readonly accept: string;
  readonly icon: ReactNode;
  readonly text: string;
  readonly onFile: (file: File) => void;
}

/** Asks for a file; the same one may be chosen again, once it was mended. */
const FilePick = ({ accept, icon, text, onFile }: FilePickProps) => {
  const reset = useRef<() => void>(null);
  const take = (file: File | null): void => {
    if (file === null) return;
    onFile(file);
    reset.current?.();
  };
  return (
    <FileButton accept={accept} resetRef={reset} onChange={take}>
      {(button) => (
        <SmallButton {...button} leftSection={icon}>
          {text}
        </SmallButton>
      )}
    </FileButton>
  );
};

/** Picture below, template from a file, template as a file. */
export function TemplateFiles(props: TemplateFilesProps) {
  const { name, template, isFixed, picture, onTemplate, onRefused } = props;
  const t = useText();
  const read = async (file: File): Promise<void> => {
    const title = t('skeleton.refused.title');
    try {
      const reading = readSkeletonSvg(await file.text());
      if (reading.ok) onTemplate(templateOfFile(reading.skeleton));
      else onRefused(title, t(`skeleton.refused.${reading.problem.kind}`, { what: reading.problem.what }));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      onRefused(title, t('skeleton.refused.unreadable', { reason }));
    }
  };
  const save = (): void => {
    const fileName = name.replaceAll(/[\\/:*?"<>|]+/g, ' ').trim();
    saveFile(`${fileName === '' ? 'skeleton' : fileName}.svg`, new Blob([fileOf(template)], { type: 'image/svg+xml' }));
  };
  return (
    <>
      {picture.address === null ? (
        <FilePick
          accept="image/png,image/jpeg,image/webp"
          icon={<IconPhoto size={16} stroke={1.5} />}
          text={t('skeleton.picture')}
          onFile={(file) => void picture.show(file)}
        />
      ) : (
        <SmallButton leftSection={<IconPhotoOff size={16} stroke={1.5} />} onClick={() => void picture.show(null)}>
          {t('skeleton.noPicture')}
        </SmallButton>
      )}
      {!isFixed && (
        <FilePick
          accept="image/svg+xml,.svg"
          icon={<IconUpload size={16} stroke={1.5} />}
          text={t('skeleton.openFile')}
          onFile={(file) => void read(file)}
        />
      )}
      <SmallButton
        disabled={template.points.length === 0}
        leftSection={<IconDownload size={16} stroke={1.5} />}
        onClick={save}
      >
        {t('skeleton.saveFile')}
      </SmallButton>
    </>
  );
}
