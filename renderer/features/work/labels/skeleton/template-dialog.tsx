import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsMove,
  IconPencilPlus,
  IconTrash,
  IconDownload,
  IconPhoto,
  IconPhotoOff,
  IconUpload,
} from '@tabler/icons-react';
import { useText } from '../../../../i18n/index.ts';
import { ask } from '../../../../ui/confirm.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Alert, Button, Dimmed, Hint, Modal, SmallButton, Text } from '../../../../ui/kit.ts';
import { useImage } from '../../../../shared/files/use-image.ts';
import { type LabelDraft, skeletonProblems } from '../label-draft.ts';
import { pointCount, templateOfPreset, templatePresets } from './skeleton-presets.ts';
import { templateTools, TemplateStage } from './template-stage.tsx';
import classes from './template-editor.module.css';
import { PointRow } from './template-points.tsx';
import { skeletonOf, fileOf, type Template, templateOfFile } from './template.ts';
import { type TemplateEditor, useTemplateEditor } from './use-template-editor.ts';
import { readSkeletonSvg } from '../../../../../preload/geometry/skeleton-svg-reader.ts';
import { ChooseFile } from '../../../../shared/files/file-buttons.tsx';
import { saveFile } from '../../../../shared/files/save-file.ts';

interface TemplateStripProps {
  readonly editor: TemplateEditor;
  readonly name: string;
  readonly picture: ReturnType<typeof useImage>;
}

function TemplateStrip({ editor, name, picture }: TemplateStripProps) {
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

interface TemplateDialogProps {
  readonly label: LabelDraft;
  readonly onApply: (skeleton: LabelDraft['skeleton']) => void;
  readonly onClose: () => void;
}

interface PartProps {
  readonly editor: TemplateEditor;
}

const toolIcons = { draw: IconPencilPlus, move: IconArrowsMove, delete: IconTrash } as const;

const Chosen = ({ editor }: PartProps) => {
  const t = useText();
  const { template, chosen } = editor.state;
  const index = template.points.findIndex(({ key }) => key === chosen);
  const point = template.points[index];
  const names = template.edges
    .filter((edge) => chosen !== null && edge.includes(chosen))
    .map(([from, to]) => template.points.find(({ key }) => key === (from === chosen ? to : from))?.name);
  const joined = names.length === 0 ? t('skeleton.notJoined') : t('skeleton.joinedTo', { names: names.join(', ') });
  return (
    <span className={classes.chosen} role="status" data-testid="template-chosen">
      {point === undefined
        ? t('skeleton.nothingChosen')
        : t('skeleton.chosen', { number: index + 1, name: point.name, x: point.x, y: point.y, joined })}
    </span>
  );
};

const Ground = ({ editor, picture }: PartProps & { readonly picture: string | null }) => {
  const t = useText();
  const { state, tool, setTool } = editor;
  const joining = state.template.points.find(({ key }) => key === state.joining)?.name;
  return (
    <div className={classes.ground}>
      <div className={classes.tools} role="toolbar" aria-label={t('skeleton.tools')}>
        {templateTools.map((one) => {
          const ToolIcon = toolIcons[one];
          return (
            <IconButton
              key={one}
              side="right"
              size={32}
              label={t(`skeleton.tool.${one}`)}
              pressed={tool === one}
              icon={<ToolIcon size={18} stroke={1.5} />}
              onClick={() => setTool(one)}
            />
          );
        })}
      </div>
      <TemplateStage
        state={state}
        tool={tool}
        isFixed={editor.isFixed}
        picture={picture}
        onChange={editor.take}
        onRefused={editor.refuseFixed}
        onKey={editor.stageKey}
      />
      <div className={classes.hint}>
        {joining === undefined ? t(`skeleton.hint.${tool}`) : t('skeleton.hint.joining', { name: joining })}
      </div>
    </div>
  );
};

const Points = ({ editor }: PartProps) => {
  const t = useText();
  const { template, chosen } = editor.state;
  const { length } = template.points;
  return (
    <div className={classes.side}>
      <Text fz="sm" fw={600} pb={8}>
        {t('skeleton.points', { count: length })}
      </Text>
      {length === 0 ? (
        <Dimmed>{t('skeleton.none')}</Dimmed>
      ) : (
        <div className={classes.points} role="list" aria-label={t('skeleton.pointsTitle')}>
          {template.points.map((point, index) => (
            <PointRow
              key={point.key}
              point={point}
              number={index + 1}
              isChosen={point.key === chosen}
              isFirst={index === 0}
              isLast={index === length - 1}
              isFixed={editor.isFixed}
              edits={editor.edits}
            />
          ))}
        </div>
      )}
    </div>
  );
};

/** Editor of a skeleton's points and lines. The result goes into the label's draft; the editor saves nothing. */
export function TemplateDialog({ label, onApply, onClose }: TemplateDialogProps) {
  const t = useText();
  const editor = useTemplateEditor(label);
  const { isFixed, history, news, say } = editor;
  const picture = useImage((name) => say(t('skeleton.refused.pictureTitle'), t('skeleton.refused.picture', { name })));
  const close = async (): Promise<void> => {
    const words = { confirm: t('skeleton.discard'), cancel: t('common.back') };
    const question = { title: t('skeleton.discardTitle'), text: t('skeleton.discardText'), ...words };
    if (!history.canUndo || (await ask(question))) onClose();
  };
  const apply = (): void => {
    const skeleton = skeletonOf(history.template);
    const problems = skeletonProblems({ ...label, skeleton }, t);
    if (problems.length > 0) say(t('skeleton.invalid'), ...problems.slice(0, 8));
    else onApply(skeleton);
  };
  return (
    <Modal
      opened
      fullScreen
      title={label.name.trim() === '' ? t('skeleton.titleNew') : t('skeleton.title', { name: label.name })}
      classNames={{ content: classes.dialog ?? '', body: classes.dialogBody ?? '' }}
      onClose={() => void close()}
      onKeyDown={editor.anyKey}
    >
      <TemplateStrip editor={editor} name={label.name} picture={picture} />
      {isFixed && <Hint pt={8}>{t('skeleton.fixed')}</Hint>}
      <div className={classes.body}>
        <Ground editor={editor} picture={picture.picture?.url ?? null} />
        <Points editor={editor} />
      </div>
      {news !== null && (
        <Alert color="yellow" variant="default" title={news.title} role="alert" mb={8}>
          {news.lines.map((line) => (
            <Text key={line} fz="sm">
              {line}
            </Text>
          ))}
        </Alert>
      )}
      <div className={classes.foot}>
        <Chosen editor={editor} />
        <Hint>{t('skeleton.keys')}</Hint>
        <Button variant="default" size="sm" onClick={() => void close()}>
          {t('common.cancel')}
        </Button>
        <Button size="sm" onClick={apply}>
          {t('skeleton.apply')}
        </Button>
      </div>
    </Modal>
  );
}

interface TemplateFilesProps {
  readonly name: string;
  readonly template: Template;
  readonly isFixed: boolean;
  readonly picture: ReturnType<typeof useImage>;
  readonly onTemplate: (template: Template) => void;
  readonly onRefused: (title: string, reason: string) => void;
}

function TemplateFiles(props: TemplateFilesProps) {
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
