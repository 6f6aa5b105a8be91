import type { ReceivedRequest } from '../../../preload/contract/schema/webhooks.ts';
import { useText } from '../../i18n/index.ts';
import { formatMoment, formatWhen } from '../../parts/format-text.ts';
import { Text } from '../../ui/kit.ts';
import { HttpMessage } from './http-message.tsx';
import { SignatureBadge } from './signature-badge.tsx';
import { StatusBadge } from './status-badge.tsx';
import classes from './webhooks.module.css';

export const ReceivedRow = ({ request }: { readonly request: ReceivedRequest }) => {
  const t = useText();
  const meta = [
    `#${request.number}`,
    formatWhen(request.received_date),
    request.is_repeat ? t('webhookReceiver.repeat') : null,
  ].filter((part) => part !== null);
  return (
    <>
      <StatusBadge code={request.status_code} />
      <span className={classes.rowText}>
        <span className={classes.rowName}>{request.event ?? t('webhookReceiver.unknownEvent')}</span>
        <span className={classes.rowMeta}>{meta.join(' · ')}</span>
      </span>
      <SignatureBadge verdict={request.signature} />
    </>
  );
};

/** A request as it came, and whether its signatures fit. */
export const ReceivedDetail = ({ request }: { readonly request: ReceivedRequest }) => {
  const t = useText();
  const signatures = [
    ['X-Signature-256', request.signature],
    ['webhook-signature', request.standard_signature],
  ] as const;
  return (
    <article aria-label={request.event ?? ''} data-testid="received-detail">
      <div className={classes.detailHead}>
        <StatusBadge code={request.status_code} />
        <span className={classes.detailName}>{request.event ?? t('webhookReceiver.unknownEvent')}</span>
        <span className={classes.rowMeta}>
          {`#${request.number} · ${formatMoment(request.received_date)} · ${t('webhookReceiver.answered', { code: request.status_code })}`}
        </span>
      </div>
      <dl className={classes.signatures}>
        {signatures.map(([header, verdict]) => (
          <div key={header}>
            <dt>{header}</dt>
            <dd>
              <SignatureBadge verdict={verdict} />
              <span>{t(`webhookReceiver.signatureText.${verdict}`)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {request.is_repeat && (
        <Text fz="sm" mb={8}>
          {t('webhookReceiver.repeatHint')}
        </Text>
      )}
      <HttpMessage line={`${request.method} ${request.path}`} headers={request.headers} body={request.body} />
      {request.is_cut && (
        <Text fz="xs" c="dimmed" mt={4}>
          {t('webhookReceiver.cut')}
        </Text>
      )}
    </article>
  );
};
