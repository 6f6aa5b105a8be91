import type { EngineStatus } from '../../../../preload/contract/schema/functions.ts';
import { useText } from '../../../i18n/index.ts';
import { Dimmed, Hint, Progress, Stack } from '../../../ui/kit.ts';
import { Panel } from '../../../ui/panel.tsx';
import { memoryText } from '../function/model-text.ts';
import classes from './engine-strip.module.css';

export function EngineStrip({ engine }: { readonly engine: EngineStatus }) {
  const t = useText();
  const { version, cpu_cores: cores, memory_bytes: memory, gpus: cards } = engine;
  const facts = [
    t('modelEngine.connected', { version: version ?? '' }),
    cores === null ? null : t('modelEngine.cores', { count: cores }),
    memory === null ? null : t('modelEngine.memory', { size: memoryText(memory) }),
    cards.length === 0 ? t('modelEngine.noCards') : t('modelEngine.cards', { count: cards.length }),
  ].filter((fact) => fact !== null);
  return (
    <Stack gap={12} mb="md">
      <Dimmed>{facts.join(' · ')}</Dimmed>
      {cards.length > 0 && (
        <ul className={classes.cards}>
          {cards.map((card) => {
            const use = t('modelEngine.cardUse', { used: card.used_mib, usable: card.usable_mib });
            return (
              <li key={card.uuid} title={card.uuid}>
                <Panel dense>
                  <span>{t('modelEngine.cardLine', { index: card.index, name: card.name })}</span>
                  <Progress
                    my={6}
                    value={card.usable_mib === 0 ? 0 : (100 * card.used_mib) / card.usable_mib}
                    color={card.used_mib > card.usable_mib ? 'red' : 'ink'}
                    aria-label={use}
                  />
                  <Hint>{[use, ...card.functions].join(' · ')}</Hint>
                </Panel>
              </li>
            );
          })}
        </ul>
      )}
    </Stack>
  );
}
