import { useEffect, useState } from 'react';
import { call } from '../../../api/client.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { Box, Dimmed, Group, Loader, SmallButton, Text } from '../../../ui/kit.ts';
import { Panel } from '../../../ui/panel.tsx';

export function DeployRunning({ name }: { readonly name: string }) {
  const t = useText();
  const [started] = useState(() => Date.now());
  const [now, setNow] = useState(started);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const cancel = useChange(() => call('cancelDeployment', { params: { name } }), {
    reloads: ['models'],
    failed: t('modelDeploy.cancelFailed'),
  });
  return (
    <Panel dense>
      <Group gap={12}>
        <Loader size={18} />
        <Text fw={600} role="status">
          {t('modelDeploy.running', { name })}
        </Text>
        <Dimmed>{t('modelDeploy.runningFor', { seconds: Math.round((now - started) / 1_000) })}</Dimmed>
        <Box flex={1} />
        <SmallButton loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('modelDeploy.cancel')}
        </SmallButton>
      </Group>
    </Panel>
  );
}
