import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { WebhookDelivery } from '../../../preload/contract/schema/webhooks.ts';
import { useText } from '../../i18n/index.ts';
import { formatDuration } from '../../parts/format-text.ts';
import { Alert, Button, Dimmed, Group } from '../../ui/kit.ts';
import { isDelivered } from './log/status-badge.tsx';

interface PingResultProps {
  readonly delivery: WebhookDelivery;
  readonly onShow: () => void;
  readonly onClose: () => void;
}

/** What became of a ping that was just sent. */
export function PingResult({ delivery, onShow, onClose }: PingResultProps) {
  const t = useText();
  const { status_code: code, request_duration: durationMs, response } = delivery;
  const good = isDelivered(code);
  const values = { code, duration: formatDuration(durationMs ?? 0) };
  return (
    <Alert
      variant="default"
      mb="md"
      role="status"
      withCloseButton
      closeButtonLabel={t('common.close')}
      onClose={onClose}
      icon={
        good ? (
          <IconCircleCheck size={18} color="var(--limner-success)" />
        ) : (
          <IconAlertTriangle size={18} color="var(--limner-failure)" />
        )
      }
      title={t(good ? 'webhooks.pingOk' : 'webhooks.pingBad', values)}
    >
      <Group gap="sm" wrap="nowrap" align="center" justify="space-between">
        <Dimmed lineClamp={2}>{response}</Dimmed>
        <Button size="compact-xs" variant="default" style={{ flex: 'none' }} onClick={onShow}>
          {t('webhooks.pingShow')}
        </Button>
      </Group>
    </Alert>
  );
}
