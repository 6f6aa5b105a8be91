import { IconDownload, IconPhoto, IconPhotoOff, IconUpload } from '@tabler/icons-react';
import { readSkeletonSvg } from '../../../../../preload/geometry/skeleton-svg-reader.ts';
import { useText } from '../../../../i18n/index.ts';
import { SmallButton } from '../../../../ui/kit.ts';
import { ChooseFile } from '../../../../shared/files/file-buttons.tsx';
import { saveFile } from '../../../../shared/files/save-file.ts';
import type { useImage } from '../../../../shared/files/use-image.ts';
import { fileOf, type Template, templateOfFile } from './template.ts';

interface TemplateFilesProps {
  readonly name: string;
  readonly template: Template;
  readonly isFixed: boolean;
  readonly picture: ReturnType<typeof useImage>;
  readonly onTemplate: (template: Template) => void;
  readonly onRefused: (title: string, reason: string) => void;
}

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
      {picture.picture === null ? (
        <ChooseFile
          accept="image/png,image/jpeg,image/webp"
          leftSection={<IconPhoto size={16} stroke={1.5} />}
          onFile={(file) => void picture.take(file)}
        >
          {t('skeleton.picture')}
        </ChooseFile>
      ) : (
        <SmallButton leftSection={<IconPhotoOff size={16} stroke={1.5} />} onClick={picture.remove}>
          {t('skeleton.noPicture')}
        </SmallButton>
      )}
      {!isFixed && (
        <ChooseFile
          accept="image/svg+xml,.svg"
          leftSection={<IconUpload size={16} stroke={1.5} />}
          onFile={(file) => void read(file)}
        >
          {t('skeleton.openFile')}
        </ChooseFile>
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
