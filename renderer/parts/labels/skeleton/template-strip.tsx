import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Dimmed, SmallButton } from '../../../ui/kit.ts';
import { pointCount, templateOfPreset, templatePresets } from './presets.ts';
import { TemplateFiles, type StagePicture } from './template-files.tsx';
import type { TemplateEditor } from './use-template-editor.ts';
import classes from './template-editor.module.css';

interface TemplateStripProps {
  readonly editor: TemplateEditor;
  /** Of the label. */
  readonly name: string;
  readonly picture: StagePicture;
}

/** What a template starts from, back and forth, and files. */
export function TemplateStrip({ editor, name, picture }: TemplateStripProps) {
  const t = useText();
  const { history, isFixed } = editor;
  return (
    <div className={classes.strip}>
      {!isFixed && (
        <>
          <Dimmed>{t('skeleton.startFrom')}</Dimmed>
          {templatePresets.map((preset) => (
            <SmallButton key={preset} onClick={() => editor.start(templateOfPreset(preset))}>
              {t(`skeleton.presets.${preset}`, { count: pointCount(preset) })}
            </SmallButton>
          ))}
        </>
      )}
      <span className={classes.space} />
      <IconButton
        label={t('skeleton.undo')}
        shortcut="Ctrl+Z"
        disabled={!history.canUndo}
        icon={<IconArrowBackUp size={18} stroke={1.5} />}
        onClick={history.undo}
      />
      <IconButton
        label={t('skeleton.redo')}
        shortcut="Ctrl+Y"
        disabled={!history.canRedo}
        icon={<IconArrowForwardUp size={18} stroke={1.5} />}
        onClick={history.redo}
      />
      <TemplateFiles
        name={name}
        template={history.template}
        isFixed={isFixed}
        picture={picture}
        onTemplate={editor.start}
        onRefused={editor.say}
      />
    </div>
  );
}
