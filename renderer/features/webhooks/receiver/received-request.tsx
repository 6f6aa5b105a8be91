import type { ReceivedRequest } from '../../../../preload/contract/schema/webhooks.ts';
import { useText } from '../../../i18n/index.ts';
import { formatMoment, formatWhen } from '../../../parts/format-text.ts';
import { Group, Hint, Text } from '../../../ui/kit.ts';
import { RowText } from '../../../ui/list.tsx';
import { Facts } from '../../../ui/panel.tsx';
import { HttpMessage } from '../log/http-message.tsx';
import { SignatureBadge } from './signature-badge.tsx';
import { StatusBadge } from '../log/status-badge.tsx';

export const ReceivedRow = ({ request }: { readonly request: ReceivedRequest }) => {
  const t = useText();
  return (
    <>
      <StatusBadge code={request.status_code} />
      <RowText
        name={request.event ?? t('webhookReceiver.unknownEvent')}
        mono
        meta={[
          `#${request.number}`,
          formatWhen(request.received_date),
          request.is_repeat ? t('webhookReceiver.repeat') : null,
        ]}
      />
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
      <Group gap={10} mb={8} wrap="nowrap">
        <StatusBadge code={request.status_code} />
        <RowText
          name={request.event ?? t('webhookReceiver.unknownEvent')}
          mono
          meta={[
            `#${request.number}`,
            formatMoment(request.received_date),
            t('webhookReceiver.answered', { code: request.status_code }),
          ]}
        />
      </Group>
      <Facts
        width={136}
        facts={signatures.map(([header, verdict]) => [
          header,
          <Group key={header} gap={12}>
            <SignatureBadge verdict={verdict} />
            {t(`webhookReceiver.signatureText.${verdict}`)}
          </Group>,
        ])}
      />
      {request.is_repeat && (
        <Text fz="sm" mb={8}>
          {t('webhookReceiver.repeatHint')}
        </Text>
      )}
      <HttpMessage line={`${request.method} ${request.path}`} headers={request.headers} body={request.body} />
      {request.is_cut && <Hint mt={4}>{t('webhookReceiver.cut')}</Hint>}
    </article>
  );
};
