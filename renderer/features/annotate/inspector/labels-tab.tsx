import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState, type SyntheticEvent } from 'react';
import { labelPalette } from '../../../../preload/contract/colors.ts';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ColorPicker, Popover, TextInput, UnstyledButton } from '../../../ui/kit.ts';
import { keepFocus } from '../action-list.ts';
import { useAnnotate, useRecords, useSession } from '../session-context.ts';
import classes from './inspector.module.css';

const ColorButton = ({ label }: { readonly label: Label }) => {
  const t = useText();
  const session = useSession();
  return (
    <Popover position="left-start" withinPortal>
      <Popover.Target>
        <UnstyledButton
          className={classes.swatch ?? ''}
          style={{ background: label.color }}
          aria-label={t('annotate.color', { name: label.name })}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <ColorPicker
          format="hex"
          swatches={[...labelPalette]}
          swatchesPerRow={10}
          defaultValue={label.color}
          onChangeEnd={(color) => void session.recolorLabel(label.id, color)}
        />
      </Popover.Dropdown>
    </Popover>
  );
};

interface LabelLineProps {
  readonly label: Label;
  readonly position: number;
}

const LabelLine = ({ label, position }: LabelLineProps) => {
  const t = useText();
  const { drawing, engine } = useSession();
  const active = useAnnotate((state) => state.activeLabelId === label.id);
  const records = useRecords().filter((record) => record.labelId === label.id);
  const shown = records.some((record) => !record.hidden);
  const hideOrShow = (): void =>
    void engine.update(
      records.map((record) => record.clientId),
      { hidden: shown },
      'display',
    );
  return (
    <div className={classes.labelRow} role="listitem" data-active={active || undefined} onMouseDown={keepFocus}>
      <span className={classes.key}>{position < 9 ? position + 1 : ''}</span>
      <ColorButton label={label} />
      <UnstyledButton
        className={classes.labelName ?? ''}
        aria-label={t('annotate.labelUse', { name: label.name })}
        onClick={() => drawing.chooseLabel(label.id)}
      >
        {label.name}
      </UnstyledButton>
      {records.length > 0 && (
        <>
          <span className={classes.count} title={t('annotate.labelCount')}>
            {records.length}
          </span>
          <IconButton
            size="sm"
            label={t(shown ? 'annotate.labelHide' : 'annotate.labelShow', { name: label.name })}
            icon={shown ? <IconEye size={15} stroke={1.5} /> : <IconEyeOff size={15} stroke={1.5} />}
            onClick={hideOrShow}
          />
        </>
      )}
    </div>
  );
};

/** The job's labels: choose, recolour, hide; a new one by typing its name. */
export function LabelsTab() {
  const t = useText();
  const { drawing } = useSession();
  const labels = useAnnotate((state) => state.labels);
  const [name, setName] = useState('');
  const add = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    void drawing.labelNamed(name).then((label) => label !== null && drawing.chooseLabel(label.id));
    setName('');
  };
  return (
    <>
      <form className={classes.head} onSubmit={add}>
        <TextInput
          size="xs"
          flex={1}
          pr={4}
          aria-label={t('labels.addPlaceholder')}
          placeholder={t('labels.addPlaceholder')}
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </form>
      <div className={classes.scroll} role="list">
        {labels.length === 0 && <div className={classes.note}>{t('annotate.noLabels')}</div>}
        {labels.map((label, index) => (
          <LabelLine key={label.id} label={label} position={index} />
        ))}
      </div>
    </>
  );
}
