import type { FunctionState } from '../../../preload/contract/schema/functions.ts';
import { useText } from '../../i18n/index.ts';
import classes from './models.module.css';

const tones: Readonly<Record<FunctionState, 'ok' | 'busy' | 'bad' | 'rest'>> = {
  building: 'busy',
  ready: 'ok',
  error: 'bad',
  unhealthy: 'bad',
  scaledToZero: 'rest',
  stopped: 'rest',
  imported: 'rest',
};

/** A state as a word with a dot in front. */
export function ModelState({ state }: { readonly state: FunctionState }) {
  const t = useText();
  return (
    <span
      className={classes.state}
      data-testid="model-state"
      data-tone={tones[state]}
      title={t(`models.stateHint.${state}`)}
    >
      {t(`models.state.${state}`)}
    </span>
  );
}
