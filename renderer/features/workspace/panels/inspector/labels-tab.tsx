import { IconEye, IconEyeOff, IconKeyboard } from '@tabler/icons-react';
import { memo, useState, type SyntheticEvent } from 'react';
import { labelPalette } from '../../../../../preload/contract/colors.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { useText } from '../../../../i18n/index.ts';
import { CaptureDialog } from '../../../../shared/keys/capture-dialog.tsx';
import { labelActionId } from '../../../../shared/keys/keymap.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { ColorPicker, Popover, Text, TextInput, UnstyledButton } from '../../../../ui/kit.ts';
import { keepFocus } from '../../commands/focus.ts';
import { isSuggestion } from '../../model/models/suggestion-store.ts';
import { useLabelKeys, useAnnotate, useSession, useWorkspace } from '../session-context.ts';
import { ScrollRows } from '../virtual-rows.tsx';
import classes from './inspector.module.css';
import { formatNumber } from '../../../../i18n/language.ts';
import { useLabelColor, useLabelTotal } from '../scene-hooks.ts';

const ColorButton = ({ label }: { readonly label: Label }) => {
  const t = useText();
  const session = useSession();
  const colorOf = useLabelColor();
  return (
    <Popover position="left-start" withinPortal>
      <Popover.Target>
        <UnstyledButton
          className={classes.swatch ?? ''}
          style={{ background: colorOf(label) }}
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

const LabelKeyButton = ({ name, position }: { readonly name: string; readonly position: number }) => {
  const t = useText();
  const { actions } = useWorkspace();
  const keyOf = useLabelKeys();
  const [open, setOpen] = useState(false);
  return (
    <>
      <UnstyledButton
        className={classes.labelKey ?? ''}
        aria-label={t('keys.labelKeyOf', { name })}
        onClick={() => setOpen(true)}
      >
        {keyOf(name, position) ?? <IconKeyboard size={14} stroke={1.5} />}
      </UnstyledButton>
      {open && (
        <CaptureDialog
          actions={actions.actions}
          id={labelActionId(name)}
          instead={null}
          only
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
};

interface LabelLineProps {
  readonly label: Label;
  readonly position: number;
  readonly of: number;
}

const LabelLine = memo(({ label, position, of }: LabelLineProps) => {
  const t = useText();
  const { drawing, engine } = useSession();
  const active = useAnnotate((state) => state.activeLabelId === label.id);
  const { count, shown } = useLabelTotal(label.id);
  const anyShown = shown > 0;
  const hideOrShow = (): void => {
    const own = engine.scene.all().filter((record) => record.labelId === label.id && !isSuggestion(record));
    engine.update(
      own.map((record) => record.clientId),
      { hidden: anyShown },
      'display',
    );
  };
  return (
    <div
      className={classes.labelRow}
      role="listitem"
      aria-posinset={position + 1}
      aria-setsize={of}
      data-testid="label-row"
      data-active={active || undefined}
      onMouseDown={keepFocus}
    >
      <LabelKeyButton name={label.name} position={position} />
      <ColorButton label={label} />
      <UnstyledButton
        className={classes.labelName ?? ''}
        aria-label={t('annotate.labelUse', { name: label.name })}
        title={label.name}
        onClick={() => drawing.chooseLabel(label.id)}
      >
        {label.name}
      </UnstyledButton>
      {count > 0 && (
        <>
          <span className={classes.count} title={t('annotate.labelCount')}>
            {formatNumber(count)}
          </span>
          <IconButton
            size="sm"
            label={t(anyShown ? 'annotate.labelHide' : 'annotate.labelShow', { name: label.name })}
            icon={anyShown ? <IconEye size={15} stroke={1.5} /> : <IconEyeOff size={15} stroke={1.5} />}
            onClick={hideOrShow}
          />
        </>
      )}
    </div>
  );
});
LabelLine.displayName = 'LabelLine';

export function LabelsTab() {
  const t = useText();
  const { drawing } = useSession();
  const labels = useAnnotate((state) => state.labels);
  const active = useAnnotate((state) => state.activeLabelId);
  const [name, setName] = useState('');
  const add = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    void drawing.chooseNamed(name);
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
          onChange={setName}
        />
      </form>
      {labels.length === 0 && (
        <Text fz="sm" c="dimmed" p={16}>
          {t('annotate.noLabels')}
        </Text>
      )}
      <ScrollRows
        {...(labels.length > 0 ? { role: 'list', 'aria-label': t('annotate.tabs.labels') } : {})}
        count={labels.length}
        keyOf={(index) => labels[index]?.id ?? index}
        revealed={active}
        renderRow={(index) => {
          const label = labels[index];
          return label === undefined ? null : <LabelLine label={label} position={index} of={labels.length} />;
        }}
      />
    </>
  );
}
