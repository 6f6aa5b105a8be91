import { useMutation } from '@tanstack/react-query';
import type { GitHost } from '../../../preload/contract/schema/git.ts';
import { useText } from '../../i18n/index.ts';
import { FormDialog } from '../../ui/form.tsx';
import { Code, Hint, Stack, Text } from '../../ui/kit.ts';

interface HostDialogProps {
  readonly host: GitHost;
  readonly onConfirm: (fingerprint: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Shows by which keys a server is known, before anything is sent to it. */
export function HostDialog({ host, onConfirm, onClose }: HostDialogProps) {
  const t = useText();
  const confirm = useMutation({ mutationFn: () => onConfirm(host.shown[0]?.fingerprint ?? '') });
  const isOther = host.state === 'other';
  const name = host.port === 22 ? host.host : `${host.host}:${host.port}`;
  return (
    <FormDialog
      title={isOther ? t('git.hostOtherTitle', { host: name }) : t('git.hostTitle')}
      submit={t('git.hostConfirm')}
      onSubmit={() => confirm.mutate()}
      onClose={onClose}
      isBusy={confirm.isPending}
      error={confirm.error?.message}
    >
      <Text fz="sm">{isOther ? t('git.hostOtherText') : t('git.hostText', { host: name })}</Text>
      <Stack gap={4}>
        {host.shown.map(({ type, fingerprint }) => (
          <div key={fingerprint}>
            <Hint>{type}</Hint>
            <Code>{fingerprint}</Code>
          </div>
        ))}
      </Stack>
    </FormDialog>
  );
}
