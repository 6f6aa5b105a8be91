import { useText } from '../../i18n/index.ts';
import { CopyIconButton } from '../../parts/code/copy-icon-button.tsx';
import { Button, Checkbox, Group, PasswordInput, Stack } from '../../ui/kit.ts';
import { webhookLimits } from '../../../preload/contract/schema/webhooks.ts';
import { randomSecret, type WebhookValues } from './webhook-values.ts';

interface SecretFieldProps {
  readonly values: WebhookValues;
  readonly onChange: (change: Partial<WebhookValues>) => void;
  /** Whether one is set; null for a webhook that is being made. */
  readonly isSet: boolean | null;
  readonly error: string | undefined;
}

/** The secret goes in and never comes out: what is set can only be replaced or taken away. */
export function SecretField({ values, onChange, isSet, error }: SecretFieldProps) {
  const t = useText();
  const hint = isSet === null ? 'webhookForm.secretHint' : isSet ? 'webhookForm.secretKept' : 'webhookForm.secretNone';
  return (
    <Stack gap={8}>
      <Group gap={8} align="flex-start" wrap="nowrap">
        <PasswordInput
          style={{ flex: 1 }}
          label={t('webhookForm.secret')}
          description={t(hint)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={isSet === true ? t('webhookForm.secretKeptPlaceholder') : ''}
          autoComplete="off"
          maxLength={webhookLimits.secret}
          disabled={values.removeSecret}
          value={values.secret}
          onChange={(event) => onChange({ secret: event.currentTarget.value })}
          error={error}
        />
        <Group gap={4} mt={21} wrap="nowrap">
          <Button variant="default" disabled={values.removeSecret} onClick={() => onChange({ secret: randomSecret() })}>
            {t('webhookForm.secretGenerate')}
          </Button>
          {values.secret !== '' && <CopyIconButton value={values.secret} label={t('webhookForm.secretCopy')} />}
        </Group>
      </Group>
      {isSet === true && (
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
