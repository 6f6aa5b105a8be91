import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { WebhookReceiver } from '../../../../preload/contract/schema/webhooks.ts';
import { useText } from '../../../i18n/index.ts';
import texts from '../../../i18n/en.json' with { type: 'json' };
import { Button, Code, Dimmed, Group, PartName, ChoiceField } from '../../../ui/kit.ts';
import { Panel } from '../../../ui/panel.tsx';
import { CopyIconButton } from '../../../shared/code/code-view.tsx';

type Status = keyof typeof texts.webhookReceiver.answer;
type Delay = keyof typeof texts.webhookReceiver.delays;
const statuses = Object.keys(texts.webhookReceiver.answer) as Status[];
const delays = Object.keys(texts.webhookReceiver.delays) as Delay[];

interface ReceiverControlsProps {
  readonly receiver: WebhookReceiver;
  readonly onAnswer: (answer: { readonly answer_status?: number; readonly answer_delay_ms?: number }) => void;
}

export function ReceiverControls({ receiver, onAnswer }: ReceiverControlsProps) {
  const t = useText();
  const navigate = useNavigate();
  const url = receiver.url ?? '';
  return (
    <Panel dense>
      <Group justify="space-between">
        <Group gap={8} wrap="nowrap">
          <PartName>{t('webhookReceiver.address')}</PartName>
          <Code fz={13}>{url}</Code>
          <CopyIconButton value={url} label={t('webhookReceiver.copyAddress')} />
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => void navigate({ to: '/webhooks/new', search: { target: url } })}
          >
            {t('webhookReceiver.newWebhook')}
          </Button>
        </Group>
        <Group gap="sm" wrap="nowrap">
          <Dimmed>{t('webhookReceiver.answers')}</Dimmed>
          <ChoiceField
            w={184}
            aria-label={t('webhookReceiver.answers')}
            data={statuses.map((value) => ({ value, label: t(`webhookReceiver.answer.${value}`) }))}
            value={String(receiver.answer_status)}
            onChange={(status) => onAnswer({ answer_status: Number(status) })}
          />
          <Dimmed>{t('webhookReceiver.delay')}</Dimmed>
          <ChoiceField
            w={128}
            aria-label={t('webhookReceiver.delay')}
            comboboxProps={{ width: 220, position: 'bottom-end', shadow: 'md' }}
            data={delays.map((value) => ({ value, label: t(`webhookReceiver.delays.${value}`) }))}
            value={String(receiver.answer_delay_ms)}
            onChange={(delay) => onAnswer({ answer_delay_ms: Number(delay) })}
          />
        </Group>
      </Group>
    </Panel>
  );
}
