import { Switch } from '../../../ui/kit.ts';
import { useSession } from '../session-context.ts';
import classes from './modes.module.css';
import { useModeChoice } from './use-modes.ts';

interface ChoiceSwitchProps {
  readonly name: 'nextValue' | 'nextFrame' | 'nextAfterTag' | 'nextAfterShapes';
  readonly label: string;
}

/** One of the choices that are kept, as a switch of the options bar. */
export function ChoiceSwitch({ name, label }: ChoiceSwitchProps) {
  const { choices } = useSession().modes;
  return (
    <Switch
      size="xs"
      className={classes.switch ?? ''}
      label={label}
      checked={useModeChoice(name)}
      onChange={(event) => choices.set({ [name]: event.currentTarget.checked })}
    />
  );
}
