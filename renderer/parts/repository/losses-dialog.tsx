import type { GitLoss } from '../../../preload/contract/schema/git.ts';
import { useText } from '../../i18n/index.ts';
import { FormDialog } from '../../ui/form.tsx';
import { Text } from '../../ui/kit.ts';
import { reasonText, typeText } from '../dataset/reason-text.ts';
import { ReportSection } from '../dataset/report-view.tsx';

interface LossesDialogProps {
  readonly format: string;
  readonly losses: readonly GitLoss[];
  readonly onAccept: () => void;
  readonly onClose: () => void;
}

/** Says what the copy will not have, before it is sent for the first time. */
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
      title={t('report.losses')}
      heads={[t('report.type'), t('report.label'), t('report.rule'), t('report.count')]}
      rows={losses.map(({ type, label, rule, count }) => [typeText(t, type), label, reasonText(t, rule), count])}
    />
  );
}
