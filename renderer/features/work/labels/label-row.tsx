import { IconChevronDown, IconChevronRight, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ClipboardEvent, type SyntheticEvent, useState } from 'react';
import { labelPalette } from '../../../../preload/contract/colors.ts';
import { type LabelType, labelTypes } from '../../../../preload/contract/schema/labels.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Button, ColorInput, Dimmed, Group, SmallButton, Stack, TextInput, ChoiceField } from '../../../ui/kit.ts';
import { LongList } from '../../../ui/long-list.tsx';
import { notify } from '../../../ui/notify.ts';
import { AttributeRow } from './attribute-row.tsx';
import { type AttributeDraft, type LabelDraft, namesInLines, newAttributeDraft, newLabelDraft } from './label-draft.ts';
import classes from './label-editor.module.css';
import { TemplateDialog } from './skeleton/template-dialog.tsx';

interface LabelConstructorProps {
  readonly drafts: readonly LabelDraft[];
  readonly onChange: (drafts: LabelDraft[]) => void;
}

export function LabelConstructor({ drafts, onChange }: LabelConstructorProps) {
  const t = useText();
  const [name, setName] = useState('');
  const wanted = name.trim();
  const exists = drafts.some((draft) => draft.name.trim() === wanted);
  const add = (event: SyntheticEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    if (wanted === '' || exists) return;
    onChange([...drafts, newLabelDraft(wanted, drafts)]);
    setName('');
  };
  /** A pasted list of names, one per line, creates a label each and skips existing ones. */
  const paste = (event: ClipboardEvent): void => {
    const names = namesInLines(event.clipboardData.getData('text'));
    if (names.length < 2) return;
    event.preventDefault();
    const next = names.reduce<readonly LabelDraft[]>(
      (made, one) => (made.some((draft) => draft.name.trim() === one) ? made : [...made, newLabelDraft(one, made)]),
      drafts,
    );
    const left = names.length - (next.length - drafts.length);
    onChange([...next]);
    setName('');
    if (left > 0) notify.hint('labels', t('labels.pastedLeft', { count: left }));
  };
  return (
    <div className={classes.list}>
      {drafts.length === 0 && (
        <Dimmed p={12} pb={4}>
          {t('labels.emptyText')}
        </Dimmed>
      )}
      <LongList as="div" role="list" rowHeight={47} maxHeight="60vh">
        {drafts.map((draft) => (
          <LabelRow
            key={draft.key}
            label={draft}
            onChange={(next) => onChange(drafts.map((item) => (item.key === draft.key ? next : item)))}
            onRemove={() => onChange(drafts.filter((item) => item.key !== draft.key))}
          />
        ))}
      </LongList>
      <form className={classes.add} onSubmit={add}>
        <Group gap={8} wrap="nowrap">
          <TextInput
            size="xs"
            flex={1}
            aria-label={t('labels.addPlaceholder')}
            placeholder={t('labels.addPlaceholder')}
            maxLength={64}
            value={name}
            error={exists && wanted !== '' ? t('labels.problems.duplicate', { name: wanted }) : undefined}
            onChange={setName}
            onPaste={paste}
          />
          <SmallButton type="submit" leftSection={<IconPlus size={14} />} disabled={wanted === '' || exists}>
            {t('labels.add')}
          </SmallButton>
        </Group>
      </form>
    </div>
  );
}

interface LabelRowProps {
  readonly label: LabelDraft;
  readonly onChange: (label: LabelDraft) => void;
  readonly onRemove: () => void;
}

const offeredTypes = labelTypes.filter((type) => type !== 'interval');
/** A saved label cannot become a skeleton. */
const typesOfSaved = offeredTypes.filter((type) => type !== 'skeleton');

const Attributes = ({ label, onChange }: Omit<LabelRowProps, 'onRemove'>) => {
  const t = useText();
  const replace = (key: string, next: AttributeDraft | null): void =>
    onChange({
      ...label,
      attributes: label.attributes.flatMap((item) => (item.key === key ? (next === null ? [] : [next]) : [item])),
    });
  return (
    <Stack gap={8} className={classes.attributes ?? ''}>
      {label.attributes.map((attribute) => (
        <AttributeRow
          key={attribute.key}
          attribute={attribute}
          onChange={(next) => replace(attribute.key, next)}
          onRemove={() => replace(attribute.key, null)}
        />
      ))}
      <Button
        variant="subtle"
        size="compact-xs"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange({ ...label, attributes: [...label.attributes, newAttributeDraft()] })}
      >
        {t('labels.addAttribute')}
      </Button>
    </Stack>
  );
};

function LabelRow({ label, onChange, onRemove }: LabelRowProps) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const [editsPoints, setEditsPoints] = useState(false);
  const isSaved = label.id !== undefined;
  const points = t('skeleton.points', { count: label.skeleton.sublabels?.length ?? 0 });
  const typeIsFixed = isSaved && (label.type === 'skeleton' || label.type === 'interval');
  const setType = (type: LabelType): void => {
    onChange({ ...label, type });
    if (type === 'skeleton') setEditsPoints(true);
  };
  return (
    <div className={classes.label} role="listitem">
      <Group gap={8}>
        <IconButton
          label={t('labels.expand', { name: label.name })}
          pressed={open}
          icon={open ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          onClick={() => setOpen(!open)}
        />
        <ColorInput
          size="xs"
          w={112}
          aria-label={t('labels.color')}
          eyeDropperButtonProps={{ 'aria-label': t('labels.pickColor') }}
          format="hex"
          swatches={[...labelPalette]}
          swatchesPerRow={10}
          value={label.color}
          onChange={(color) => onChange({ ...label, color })}
        />
        <TextInput
          size="xs"
          flex={1}
          miw={80}
          aria-label={t('labels.name')}
          maxLength={64}
          value={label.name}
          onChange={(value) => onChange({ ...label, name: value })}
        />
        <ChoiceField
          size="xs"
          w={120}
          aria-label={t('labels.type')}
          disabled={typeIsFixed}
          data={(typeIsFixed ? labelTypes : isSaved ? typesOfSaved : offeredTypes).map((value) => ({
            value,
            label: t(`labels.types.${value}`),
          }))}
          value={label.type}
          onChange={setType}
        />
        {label.type === 'skeleton' && (
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={t('skeleton.open', { points, name: label.name })}
            onClick={() => setEditsPoints(true)}
          >
            {points}
          </Button>
        )}
        <Button variant="subtle" color="gray" size="compact-xs" w={104} onClick={() => setOpen(!open)}>
          {t('labels.attributes', { count: label.attributes.length })}
        </Button>
        <IconButton
          label={t('labels.removeLabel', { name: label.name })}
          icon={<IconTrash size={16} stroke={1.5} />}
          onClick={onRemove}
        />
      </Group>
      {open && <Attributes label={label} onChange={onChange} />}
      {editsPoints && (
        <TemplateDialog
          label={label}
          onApply={(skeleton) => {
            onChange({ ...label, skeleton });
            setEditsPoints(false);
          }}
          onClose={() => setEditsPoints(false)}
        />
      )}
    </div>
  );
}
