import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import type { FileUpload } from '../../api/model-calls.ts';
import { wasCancelled } from '../../api/client.ts';
import { useText } from '../../i18n/index.ts';
import { Group, Hint, Progress, SmallButton } from '../../ui/kit.ts';
import { formatBytes } from '../format-text.ts';

interface Sending {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export function useSending(send: (file: File, tools: FileUpload) => Promise<void>) {
  const [sending, setSending] = useState<Sending | null>(null);
  const [failure, setFailure] = useState('');
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const take = async (files: readonly File[]): Promise<void> => {
    setFailure('');
    try {
      for (const file of files) {
        const { signal } = (controller.current = new AbortController());
        const onSent = (sentBytes: number): void => setSending({ sentBytes, totalBytes: file.size });
        onSent(0);
        await send(file, { signal, onSent });
      }
    } catch (error) {
      if (!wasCancelled(error)) setFailure(messageOf(error));
    } finally {
      setSending(null);
    }
  };
  return { sending, failure, take, cancel: () => controller.current?.abort() };
}

interface SendingBarProps extends Sending {
  readonly sending: (words: { readonly sent: string; readonly total: string }) => string;
  /** Text after the upload while the service processes it. */
  readonly reading: string;
  readonly onCancel: () => void;
}

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
