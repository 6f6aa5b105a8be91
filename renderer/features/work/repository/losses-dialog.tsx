import { useMutation } from '@tanstack/react-query';
import type { GitHost, GitLoss } from '../../../../preload/contract/schema/git.ts';
import { useText } from '../../../i18n/index.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Code, Hint, Stack, Text } from '../../../ui/kit.ts';
import { reasonText, typeText } from '../../../shared/dataset/reason-text.ts';
import { ReportSection } from '../../../shared/dataset/report-view.tsx';

interface HostDialogProps {
  readonly host: GitHost;
  readonly onConfirm: (fingerprint: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Shows a server's host keys for confirmation before anything is sent. */
export function HostDialog({ host, onConfirm, onClose }: HostDialogProps) {
  const t = useText();
  const confirm = useMutation({ mutationFn: () => onConfirm(host.offered[0]?.fingerprint ?? '') });
  const isOther = host.state === 'changed';
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
        {host.offered.map(({ type, fingerprint }) => (
          <div key={fingerprint}>
            <Hint>{type}</Hint>
            <Code>{fingerprint}</Code>
          </div>
        ))}
      </Stack>
    </FormDialog>
  );
}

interface LossesDialogProps {
  readonly format: string;
  readonly losses: readonly GitLoss[];
  readonly onAccept: () => void;
  readonly onClose: () => void;
}

/** Lists data that the copy cannot contain, before the first push. */
export function LossesDialog({ format, losses, onAccept, onClose }: LossesDialogProps) {
  const t = useText();
  return (
    <FormDialog
      title={t('git.lossesTitle', { format })}
      size="lg"
      submit={t('git.pushAnyway')}
      onSubmit={onAccept}
      onClose={onClose}
      isBusy={false}
    >
      <Text fz="sm">{t('git.lossesText', { format })}</Text>
      <LossTable losses={losses} />
    </FormDialog>
  );
}

function LossTable({ losses }: { readonly losses: readonly GitLoss[] }) {
  const t = useText();
  return (
    <ReportSection
      title={t('report.dropped')}
      heads={[t('report.type'), t('report.label'), t('report.rule'), t('report.count')]}
      rows={losses.map(({ type, label, rule, count }) => [typeText(t, type), label, reasonText(t, rule), count])}
    />
  );
}
