import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { useText } from '../../i18n/index.ts';
import { CodeBlock } from '../../shared/code/code-view.tsx';
import { formatDate } from '../../shared/format-text.ts';
import { Hint, Stack, Text } from '../../ui/kit.ts';
import { Facts, Panel } from '../../ui/panel.tsx';

/** Connected agents of a native function, waiting calls, and the command that starts an agent. */
export function AgentsPanel({ agents }: { readonly agents: NonNullable<ModelFunction['agents']> }) {
  const t = useText();
  const { is_connected: isThere, seen_date: seen, waiting_count: waiting, running_count: taken, command } = agents;
  return (
    <Stack gap="md">
      <Panel title={t('modelAgents.title')}>
        <Facts
          width={160}
          facts={[
            [t('modelAgents.state'), t(isThere ? 'modelAgents.there' : 'modelAgents.away')],
            [t('modelAgents.seen'), seen === null ? t('modelAgents.never') : formatDate(seen)],
            [t('modelAgents.waiting'), String(waiting)],
            [t('modelAgents.taken'), String(taken)],
          ]}
        />
      </Panel>
      <Panel title={t('modelAgents.start')}>
        <Stack gap="sm">
          <Text fz="sm">{t('modelAgents.startText')}</Text>
          <CodeBlock text={command} label={t('modelAgents.start')} copyLabel={t('modelAgents.copy')} />
          <Hint>
            {t('modelAgents.burst')} {t('modelAgents.sees')}
          </Hint>
        </Stack>
      </Panel>
    </Stack>
  );
}
