import { IconTrash } from '@tabler/icons-react';
import { inputTypes } from '../../../../preload/contract/schema/labels.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Checkbox, Group, Select, TagsInput, TextInput, ChoiceField } from '../../../ui/kit.ts';
import { withInputType, type AttributeDraft } from './label-draft.ts';

interface AttributeRowProps {
  readonly attribute: AttributeDraft;
  /** In a panel, fields wrap if one line is too short. */
  readonly isNarrow?: boolean;
  readonly onChange: (attribute: AttributeDraft) => void;
  readonly onRemove: () => void;
}

const NumberValues = ({ attribute, onChange }: Omit<AttributeRowProps, 'onRemove'>) => {
  const t = useText();
  const names = [t('labels.minimum'), t('labels.maximum'), t('labels.step')];
  const set = (index: number, value: string): void =>
    onChange({ ...attribute, values: names.map((_, at) => (at === index ? value : (attribute.values[at] ?? ''))) });
  return (
    <Group gap={8} wrap="nowrap">
      {names.map((name, index) => (
        <TextInput
          key={name}
          size="xs"
          w={88}
          label={name}
          inputMode="decimal"
          value={attribute.values[index] ?? ''}
          onChange={(value) => set(index, value)}
        />
      ))}
      <TextInput
        size="xs"
        w={88}
        label={t('labels.defaultValue')}
        inputMode="decimal"
        value={attribute.defaultValue}
        onChange={(value) => onChange({ ...attribute, defaultValue: value })}
      />
    </Group>
  );
};

const ListValues = ({ attribute, onChange }: Omit<AttributeRowProps, 'onRemove'>) => {
  const t = useText();
  return (
    <Group gap={8} wrap="nowrap" flex={1} align="flex-start">
      <TagsInput
        size="xs"
        flex={1}
        label={t('labels.values')}
        placeholder={attribute.values.length === 0 ? t('labels.valuesHint') : ''}
        value={[...attribute.values]}
        onChange={(values) => {
          const keeps = values.includes(attribute.defaultValue);
          onChange({ ...attribute, values, defaultValue: keeps ? attribute.defaultValue : (values[0] ?? '') });
        }}
      />
      <Select
        size="xs"
        w={136}
        label={t('labels.defaultValue')}
        data={[...new Set(attribute.values)]}
        value={attribute.defaultValue === '' ? null : attribute.defaultValue}
        onChange={(value) => onChange({ ...attribute, defaultValue: value ?? '' })}
      />
    </Group>
  );
};

const Values = (props: Omit<AttributeRowProps, 'onRemove'>) => {
  const t = useText();
  const { attribute, onChange } = props;
  switch (attribute.inputType) {
    case 'number':
      return <NumberValues {...props} />;
    case 'select':
    case 'radio':
      return <ListValues {...props} />;
    case 'checkbox':
      return (
        <Checkbox
          size="xs"
          pb={8}
          label={t('labels.checked')}
          checked={attribute.defaultValue.toLowerCase() === 'true'}
          onChange={(isOn) => onChange({ ...attribute, defaultValue: String(isOn) })}
        />
      );
    case 'text':
      return (
        <TextInput
          size="xs"
          w={184}
          label={t('labels.defaultValue')}
          maxLength={128}
          value={attribute.defaultValue}
          onChange={(value) => onChange({ ...attribute, defaultValue: value })}
        />
      );
  }
};

/** An attribute of a label: name, input type, values, default, mutability. */
export function AttributeRow({ attribute, isNarrow = false, onChange, onRemove }: AttributeRowProps) {
  const t = useText();
  const stands = attribute.id !== undefined;
  return (
    <Group gap={8} align="flex-end" wrap={isNarrow ? 'wrap' : 'nowrap'} role="group" aria-label={attribute.name}>
      <TextInput
        size="xs"
        w={152}
        label={t('labels.attributeName')}
        maxLength={64}
        value={attribute.name}
        onChange={(value) => onChange({ ...attribute, name: value })}
      />
      <ChoiceField
        size="xs"
        w={104}
        label={t('labels.inputType')}
        disabled={stands}
        data={inputTypes.map((value) => ({ value, label: t(`labels.inputs.${value}`) }))}
        value={attribute.inputType}
        onChange={(value) => onChange(withInputType(attribute, value))}
      />
      <Values attribute={attribute} onChange={onChange} />
      <Group gap={8} ml="auto" wrap="nowrap" pb={4}>
        <Checkbox
          size="xs"
          label={t('labels.mutable')}
          checked={attribute.mutable}
          onChange={(isOn) => onChange({ ...attribute, mutable: isOn })}
        />
        <IconButton
          label={stands ? t('labels.attributeStays') : t('labels.removeAttribute', { name: attribute.name })}
          disabled={stands}
          icon={<IconTrash size={16} stroke={1.5} />}
          onClick={onRemove}
        />
      </Group>
    </Group>
  );
}
