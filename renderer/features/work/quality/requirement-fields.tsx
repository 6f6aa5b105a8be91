import { IconArrowBackUp } from '@tabler/icons-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useText } from '../../../i18n/index.ts';
import { formatFixed } from '../../../i18n/language.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ChoiceField, NumberInput, TextInput } from '../../../ui/kit.ts';
import classes from './requirements.module.css';

interface LineProps {
  readonly label: string;
  readonly note?: string | undefined;
  readonly children: ReactNode;
}

/** The field repeats the label as its name. */
const Line = ({ label, note, children }: LineProps) => (
  <div className={classes.line}>
    <span aria-hidden>
      {label} {note !== undefined && <small>{note}</small>}
    </span>
    {children}
  </div>
);

const leave = (event: KeyboardEvent<HTMLInputElement>): void => {
  if (event.key === 'Enter') event.currentTarget.blur();
};

interface NameLineProps {
  readonly value: string;
  readonly disabled: boolean;
  readonly onChange: (name: string) => void;
}

export function NameLine({ value, disabled, onChange }: NameLineProps) {
  const t = useText();
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Line label={t('requirements.name')}>
      <TextInput
        size="xs"
        aria-label={t('requirements.name')}
        maxLength={250}
        disabled={disabled}
        value={typed ?? value}
        onChange={setTyped}
        onKeyDown={leave}
        onBlur={() => {
          const name = (typed ?? value).trim();
          setTyped(null);
          if (name !== '' && name !== value) onChange(name);
        }}
      />
    </Line>
  );
}

interface NumberLineProps {
  readonly label: string;
  /** Null while the value is inherited. */
  readonly own: number | null;
  readonly inherited: number;
  /** The base requirement inherits nothing. */
  readonly mayInherit: boolean;
  readonly disabled: boolean;
  readonly onChange: (value: number | null) => void;
}

/** A share from 0 to 1. An empty field inherits. It is saved when it loses the focus. */
export function NumberLine({ label, own, inherited, mayInherit, disabled, onChange }: NumberLineProps) {
  const t = useText();
  const [typed, setTyped] = useState<number | string | null>(null);
  const isOwn = mayInherit && own !== null && !disabled;
  return (
    <Line label={label}>
      <div className={classes.field}>
        <NumberInput
          size="xs"
          aria-label={label}
          min={0}
          max={1}
          step={0.05}
          hideControls={isOwn}
          disabled={disabled}
          placeholder={t('requirements.inheritedValue', { value: formatFixed(inherited, 2) })}
          value={typed ?? own ?? ''}
          onChange={setTyped}
          onKeyDown={leave}
          onBlur={() => {
            const next = typed === null ? own : typed === '' ? null : Number(typed);
            setTyped(null);
            if (next !== own && (next !== null || mayInherit)) onChange(next);
          }}
        />
        {isOwn && <Inherit label={label} onClick={() => onChange(null)} />}
      </div>
    </Line>
  );
}

const Inherit = ({ label, onClick }: { readonly label: string; readonly onClick: () => void }) => {
  const t = useText();
  return (
    <IconButton
      size="sm"
      className={classes.inherit}
      label={t('requirements.inherit', { label })}
      icon={<IconArrowBackUp size={14} />}
      onClick={onClick}
    />
  );
};

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface ChoiceLineProps<Value extends string> {
  readonly label: string;
  readonly note?: string;
  readonly name?: string;
  readonly choices: readonly Choice<Value>[];
  readonly own: Value | null;
  /** Text of the choice to inherit; undefined if nothing is inherited. */
  readonly inherited: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (value: Value | null) => void;
}

const inherits = 'inherit';

export function ChoiceLine<Value extends string>(props: ChoiceLineProps<Value>) {
  const { label, note, name = label, choices, own, inherited, disabled, onChange } = props;
  const all = [...(inherited === undefined ? [] : [{ value: inherits, label: inherited }]), ...choices];
  return (
    <Line label={label} note={note}>
      <ChoiceField
        size="xs"
        aria-label={name}
        disabled={disabled}
        data={all}
        data-inherited={own === null || undefined}
        value={own ?? inherits}
        comboboxProps={{ width: 'max-content', position: 'bottom-end' }}
        // Other values are those of the choices.
        onChange={(value) => onChange(value === inherits ? null : (value as Value))}
      />
    </Line>
  );
}

type SwitchLineProps = Omit<NumberLineProps, 'own' | 'inherited' | 'onChange'> & {
  readonly own: boolean | null;
  readonly inherited: boolean;
  readonly onChange: (value: boolean | null) => void;
};

export function SwitchLine({ own, inherited, mayInherit, onChange, ...rest }: SwitchLineProps) {
  const t = useText();
  const say = (value: boolean): string => t(value ? 'find.filter.yes' : 'find.filter.no');
  return (
    <ChoiceLine
      {...rest}
      choices={[
        { value: 'true', label: say(true) },
        { value: 'false', label: say(false) },
      ]}
      own={own === null ? null : own ? 'true' : 'false'}
      inherited={mayInherit ? t('requirements.inheritedValue', { value: say(inherited) }) : undefined}
      onChange={(value) => onChange(value === null ? null : value === 'true')}
    />
  );
}
