import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { modelQueries } from '../../../api/model-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { Alert, Button, Group, QuietButton, Stack, Text } from '../../../ui/kit.ts';
import { DeployRunning } from '../function/deploy-running.tsx';
import { ModelLog } from '../function/model-log.tsx';
import { MessageText } from '../function/message-text.tsx';
import { deployRefreshMs } from '../function/model-timing.ts';

interface DeployProgressProps {
  readonly name: string;
  readonly onChange: () => void;
  readonly onAnother: () => void;
}

export function DeployProgress({ name, onChange, onAnother }: DeployProgressProps) {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const model = useQuery({
    ...modelQueries.one(name),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.state === 'building' ? deployRefreshMs : false,
  }).data;
  const isRunning = model === undefined || model.state === 'building';
  useEffect(() => {
    if (!isRunning) void client.invalidateQueries({ queryKey: ['models'] });
  }, [client, isRunning]);
  const open = (tab?: 'log') =>
    void navigate({ to: '/models/$name', params: { name }, search: tab === undefined ? {} : { tab } });
  const isGood = model !== undefined && model.state === 'ready' && model.message === '';
  return (
    <Stack gap="md">
      {isRunning && <DeployRunning name={name} />}
      {model !== undefined && isGood && (
        <Alert
          variant="default"
          role="status"
          icon={<IconCircleCheck size={18} color="var(--limner-success)" />}
          title={t('modelDeploy.done', { name })}
        >
          <Stack gap="sm" align="flex-start">
            {model.node_port !== null && (
              <Text fz="sm">{t('modelDeploy.doneText', { port: String(model.node_port) })}</Text>
            )}
            <Group gap="sm">
              <Button autoFocus onClick={() => open()}>
                {t('models.tryIt')}
              </Button>
              <QuietButton onClick={onAnother}>{t('modelDeploy.another')}</QuietButton>
            </Group>
          </Stack>
        </Alert>
      )}
      {model !== undefined && !isRunning && !isGood && (
        <Alert
          variant="default"
          color="red"
          role="alert"
          icon={<IconAlertTriangle size={18} color="var(--limner-failure)" />}
          title={t(model.state === 'error' ? 'modelDeploy.failed' : 'modelDeploy.keptOld', { name })}
        >
          <Stack gap="sm" align="flex-start">
            <MessageText message={model.message} />
            <Group gap="sm">
              <Button autoFocus onClick={onChange}>
                {t('modelDeploy.change')}
              </Button>
              <QuietButton onClick={() => open('log')}>{t('modelDeploy.open')}</QuietButton>
            </Group>
          </Stack>
        </Alert>
      )}
      <ModelLog name={name} isAlive={isRunning} isCompact />
    </Stack>
  );
}
