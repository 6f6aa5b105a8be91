import { useText } from '../../i18n/index.ts';
import { Group, Hint, Progress, SmallButton } from '../../ui/kit.ts';
import { formatBytes } from '../format-text.ts';

interface SendingBarProps {
  readonly sentBytes: number;
  readonly totalBytes: number;
  readonly sending: (words: { readonly sent: string; readonly total: string }) => string;
  /** Said when all is sent and the service has work with it. */
  readonly reading: string;
  readonly onCancel: () => void;
}

/** How far a file is on its way to the service. */
export function SendingBar({ sentBytes, totalBytes, sending, reading, onCancel }: SendingBarProps) {
  const t = useText();
  const isSent = sentBytes >= totalBytes;
  const label = isSent ? reading : sending({ sent: formatBytes(sentBytes), total: formatBytes(totalBytes) });
  return (
    <Group gap="sm" wrap="nowrap">
      <div style={{ flex: 1 }}>
        <Hint role="status">{label}</Hint>
        <Progress mt={4} value={(100 * sentBytes) / Math.max(1, totalBytes)} animated={isSent} aria-label={label} />
      </div>
      <SmallButton onClick={onCancel}>{t('common.cancel')}</SmallButton>
    </Group>
  );
}
