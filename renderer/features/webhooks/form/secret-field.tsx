import { useText, type TextFunction } from '../../../i18n/index.ts';
import { formatDate } from '../../../parts/format-text.ts';
import { CopyIconButton } from '../../../parts/code/copy-icon-button.tsx';
import { Checkbox, Group, PasswordInput, QuietButton, Stack } from '../../../ui/kit.ts';
import { webhookLimits, type WebhookState } from '../../../../preload/contract/schema/webhooks.ts';
import { randomSecret, type WebhookValues } from './webhook-values.ts';

export interface SecretFieldProps {
  readonly values: WebhookValues;
  readonly onChange: (change: Partial<WebhookValues>) => void;
  /** What is known of the one that is set; null for a webhook that is being made. */
  readonly known: Pick<WebhookState, 'has_secret' | 'previous_secret_until'> | null;
  readonly error: string | undefined;
}

function hint(t: TextFunction, known: SecretFieldProps['known'], isReplaced: boolean): string {
  if (known === null) return t('webhookForm.secretHint');
  if (!known.has_secret) return t('webhookForm.secretNone');
  if (isReplaced) return t('webhookForm.secretReplaced');
  const until = known.previous_secret_until;
  return until === null ? t('webhookForm.secretKept') : t('webhookForm.secretExchanged', { date: formatDate(until) });
}

/** The secret goes in and never comes out: what is set can only be replaced or taken away. */
export function SecretField({ values, onChange, known, error }: SecretFieldProps) {
  const t = useText();
  const isSet = known?.has_secret === true;
  return (
    <Stack gap={8}>
      <Group gap={8} align="flex-start" wrap="nowrap">
        <PasswordInput
          style={{ flex: 1 }}
          label={t('webhookForm.secret')}
          description={hint(t, known, values.secret !== '')}
          placeholder={isSet ? t('webhookForm.secretKeptPlaceholder') : ''}
          autoComplete="off"
          maxLength={webhookLimits.secret}
          disabled={values.removeSecret}
          value={values.secret}
          onChange={(event) => onChange({ secret: event.currentTarget.value })}
          error={error}
        />
        <Group gap={4} mt={21} wrap="nowrap">
          <QuietButton disabled={values.removeSecret} onClick={() => onChange({ secret: randomSecret() })}>
            {t('webhookForm.secretGenerate')}
          </QuietButton>
          {values.secret !== '' && <CopyIconButton value={values.secret} label={t('webhookForm.secretCopy')} />}
        </Group>
      </Group>
      {isSet && (
        <Checkbox
          size="xs"
          label={t('webhookForm.secretRemove')}
          checked={values.removeSecret}
          onChange={(event) => onChange({ removeSecret: event.currentTarget.checked, secret: '' })}
        />
      )}
    </Stack>
  );
}
