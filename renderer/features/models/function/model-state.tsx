import type { FunctionState } from '../../../../preload/contract/schema/functions.ts';
import { useText } from '../../../i18n/index.ts';
import { StateDot, type Tone } from '../../../ui/state-dot.tsx';

const tones: Readonly<Record<FunctionState, Tone>> = {
  building: 'busy',
  ready: 'ok',
  error: 'bad',
  unhealthy: 'bad',
  scaledToZero: 'rest',
  stopped: 'rest',
  imported: 'rest',
};

export function ModelState({ state }: { readonly state: FunctionState }) {
  const t = useText();
  return (
    <StateDot tone={tones[state]} testId="model-state" title={t(`models.stateHint.${state}`)}>
      {t(`models.state.${state}`)}
    </StateDot>
  );
}
