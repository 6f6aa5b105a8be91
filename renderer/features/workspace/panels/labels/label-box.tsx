import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { useText } from '../../../../i18n/index.ts';
import { Combobox, TextInput, useCombobox } from '../../../../ui/kit.ts';
import classes from './label-box.module.css';

interface LabelBoxProps {
  readonly labels: readonly Label[];
  readonly value: Label | undefined;
  readonly name: string;
  readonly width: number | string;
  readonly onPick: (label: Label) => void;
  /** Undefined if only existing labels can be picked. */
  readonly onCreate?: (name: string) => void;
}

export const LabelDot = ({ color }: { readonly color: string | undefined }) => (
  <span className={classes.dot} style={{ background: color ?? 'transparent' }} />
);

/** Finds a label by typing. Enter picks the first match or creates the typed name. */
export function LabelBox({ labels, value, name, width, onPick, onCreate }: LabelBoxProps) {
  const t = useText();
  const [typed, setTyped] = useState<string | null>(null);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTyped(null);
    },
    onDropdownOpen: () => combobox.selectFirstOption(),
  });
  const wanted = (typed ?? '').trim();
  const matching = labels.filter((label) => label.name.toLowerCase().includes(wanted.toLowerCase()));
  const exact = labels.some((label) => label.name === wanted);
  const leave = (): void => {
    combobox.closeDropdown();
    // Returns the keys to the canvas.
    combobox.targetRef.current?.blur();
  };
  const submit = (picked: string): void => {
    const label = labels.find((item) => String(item.id) === picked);
    if (label !== undefined) onPick(label);
    else if (picked === 'create' && wanted !== '') onCreate?.(wanted);
    leave();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={submit} width={240} position="bottom-start">
      <Combobox.Target>
        <TextInput
          size="xs"
          w={width}
          aria-label={name}
          placeholder={t('annotate.labelPlaceholder')}
          leftSection={<LabelDot color={typed === null ? value?.color : undefined} />}
          leftSectionWidth={28}
          maxLength={64}
          value={typed ?? value?.name ?? ''}
          onFocus={() => {
            setTyped('');
            combobox.openDropdown();
          }}
          onBlur={() => combobox.closeDropdown()}
          onClick={() => combobox.openDropdown()}
          onChange={(value) => {
            setTyped(value);
            combobox.openDropdown();
            combobox.updateSelectedOptionIndex();
            queueMicrotask(() => combobox.selectFirstOption());
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') leave();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={matching.length === 0 && (onCreate === undefined || wanted === '')}>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }}>
          {matching.map((label) => (
            <Combobox.Option key={label.id} value={String(label.id)} active={label.id === value?.id}>
              <span className={classes.option}>
                <LabelDot color={label.color} />
                {label.name}
              </span>
            </Combobox.Option>
          ))}
          {onCreate !== undefined && wanted !== '' && !exact && (
            <Combobox.Option value="create">
              <span className={classes.option}>
                <IconPlus size={12} />
                {t('annotate.createLabel', { name: wanted })}
              </span>
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
