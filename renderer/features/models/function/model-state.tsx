import type { FunctionState, ModelFunction } from '../../../../preload/contract/schema/functions.ts';
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

export function ModelState({ model: { state, agents } }: { readonly model: Pick<ModelFunction, 'state' | 'agents'> }) {
  const t = useText();
  // The function was not stopped; it runs with its agents.
  if (agents?.is_connected === false) {
    return (
      <StateDot tone="rest" testId="model-state" title={t('models.noAgentHint')}>
        {t('models.noAgent')}
      </StateDot>
    );
  }
  return (
    <StateDot tone={tones[state]} testId="model-state" title={t(`models.stateHint.${state}`)}>
      {t(`models.state.${state}`)}
    </StateDot>
  );
}
