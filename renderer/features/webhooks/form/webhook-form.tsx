import { IconInbox } from '@tabler/icons-react';
import type { ReactNode, SyntheticEvent } from 'react';
import { webhookLimits, type WebhookState, type WebhookType } from '../../../../preload/contract/schema/webhooks.ts';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { useChange } from '../../../shared/use-change.ts';
import { type TextFunction, useText } from '../../../i18n/index.ts';
import { CopyIconButton } from '../../../shared/code/code-view.tsx';
import { formatDate } from '../../../shared/format-text.ts';
import { FormError } from '../../../ui/form.tsx';
import {
  Button,
  Checkbox,
  Group,
  PasswordInput,
  QuietButton,
  Stack,
  Switch,
  TextInput,
  ChoiceField,
  Hint,
  Radio,
} from '../../../ui/kit.ts';
import classes from './webhook-form.module.css';
import { randomSecret, type WebhookValues } from './webhook-values.ts';
import { allEvents, eventGroups, eventSentence, groupText } from './event-text.ts';

interface EventsFieldProps {
  readonly type: WebhookType;
  readonly everything: boolean;
  readonly events: readonly string[];
  readonly onChange: (change: { readonly everything?: boolean; readonly events?: readonly string[] }) => void;
  readonly error: string | undefined;
}

function EventsField({ type, everything, events, onChange, error }: EventsFieldProps) {
  const t = useText();
  const all = allEvents(type);
  const chosen = new Set(events);
  const toggle = (keys: readonly string[], on: boolean): void =>
    onChange({ events: all.filter((key) => (keys.includes(key) ? on : chosen.has(key))) });
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('webhookForm.events')}
        value={everything ? 'everything' : 'individual'}
        onChange={(value) => onChange({ everything: value === 'everything' })}
        error={error}
      >
        <Stack gap={8} mt={4}>
          <Radio
            value="everything"
            label={t('webhookForm.everything')}
            description={t('webhookForm.everythingHint', { count: all.length })}
          />
          <Radio
            value="individual"
            label={t('webhookForm.individual')}
            description={
              everything
                ? t('webhookForm.individualHint')
                : t('webhookForm.chosen', { count: chosen.size, all: all.length })
            }
          />
        </Stack>
      </Radio.Group>
      {!everything && (
        <div className={classes.groups}>
          {eventGroups(type).map(({ name, keys }) => {
            const count = keys.filter((key) => chosen.has(key)).length;
            return (
              <fieldset key={name} className={classes.group}>
                <legend>
                  <Checkbox
                    size="xs"
                    label={groupText(t, name)}
                    checked={count === keys.length}
                    indeterminate={count > 0 && count < keys.length}
                    onChange={(isOn) => toggle(keys, isOn)}
                    classNames={{ label: classes.groupName ?? '' }}
                  />
                </legend>
                {keys.map((key) => (
                  <Checkbox
                    key={key}
                    size="xs"
                    label={<code className={classes.eventKey}>{key}</code>}
                    description={eventSentence(t, key)}
                    checked={chosen.has(key)}
                    onChange={(isOn) => toggle([key], isOn)}
                  />
                ))}
              </fieldset>
            );
          })}
        </div>
      )}
      {!everything && chosen.size === 0 && <Hint>{t('webhookForm.noneChosen')}</Hint>}
    </Stack>
  );
}

interface SecretFieldProps {
  readonly values: WebhookValues;
  readonly onChange: (change: Partial<WebhookValues>) => void;
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

/** The secret is write-only: it can be replaced or removed, but not read. */
function SecretField({ values, onChange, known, error }: SecretFieldProps) {
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
          onChange={(value) => onChange({ secret: value })}
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
          onChange={(isOn) => onChange({ removeSecret: isOn, secret: '' })}
        />
      )}
    </Stack>
  );
}

const fields = [
  'target_url',
  'description',
  'project_id',
  'project',
  'organization',
  'secret',
  'events',
  'content_type',
] as const;
export const placeError = (error: unknown): string | undefined => {
  const { of } = fieldErrors(error, fields);
  return of.project_id ?? of.project ?? of.organization;
};

interface WebhookFormProps {
  readonly values: WebhookValues;
  readonly onChange: (change: Partial<WebhookValues>) => void;
  /** Project or organization: a select for a new webhook, text for an existing one. */
  readonly place: ReactNode;
  readonly secret: SecretFieldProps['known'];
  readonly error: unknown;
  readonly submit: string;
  readonly isBusy: boolean;
  readonly isReady: boolean;
  readonly onSubmit: () => void;
  readonly onCancel?: (() => void) | undefined;
}

export function WebhookForm(props: WebhookFormProps) {
  const { values, onChange, place, secret, error, submit, isBusy, isReady, onSubmit, onCancel } = props;
  const t = useText();
  const { of, rest } = fieldErrors(error, fields);
  const startReceiver = useChange(() => call('startWebhookReceiver', { body: {} }), {
    done: ({ url }) => url !== null && onChange({ target_url: url }),
    failed: t('webhookForm.receiverFailed'),
  });
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (isReady) onSubmit();
  };
  return (
    <form onSubmit={send} className={classes.form}>
      <Group gap={8} align="flex-start" wrap="nowrap">
        <TextInput
          style={{ flex: 1 }}
          label={t('webhookForm.target')}
          description={t('webhookForm.targetHint')}
          placeholder={t('webhookForm.targetPlaceholder')}
          required
          autoFocus={values.target_url === ''}
          spellCheck={false}
          maxLength={webhookLimits.targetUrl}
          value={values.target_url}
          onChange={(value) => onChange({ target_url: value })}
          error={of.target_url}
        />
        <QuietButton
          mt={21}
          leftSection={<IconInbox size={16} stroke={1.5} />}
          loading={startReceiver.isPending}
          onClick={() => startReceiver.mutate()}
        >
          {t('webhookForm.useReceiver')}
        </QuietButton>
      </Group>
      <TextInput
        label={t('webhookForm.description')}
        placeholder={t('webhookForm.descriptionPlaceholder')}
        maxLength={webhookLimits.description}
        value={values.description}
        onChange={(value) => onChange({ description: value })}
        error={of.description}
      />
      {place}
      <ChoiceField
        label={t('webhookForm.contentType')}
        data={['application/json']}
        value="application/json"
        error={of.content_type}
      />
      <SecretField values={values} onChange={onChange} known={secret} error={of.secret} />
      <Stack gap="sm">
        <Switch
          label={t('webhookForm.enableSsl')}
          description={t('webhookForm.enableSslHint')}
          checked={values.enable_ssl}
          onChange={(isOn) => onChange({ enable_ssl: isOn })}
        />
        <Switch
          label={t('webhookForm.active')}
          description={t('webhookForm.activeHint')}
          checked={values.is_active}
          onChange={(isOn) => onChange({ is_active: isOn })}
        />
      </Stack>
      <EventsField
        type={values.type}
        everything={values.everything}
        events={values.events}
        onChange={onChange}
        error={of.events}
      />
      <FormError text={rest} />
      <Group gap="sm" className={classes.formActions ?? ''}>
        <Button type="submit" loading={isBusy} disabled={!isReady}>
          {submit}
        </Button>
        {onCancel !== undefined && <QuietButton onClick={onCancel}>{t('common.cancel')}</QuietButton>}
      </Group>
    </form>
  );
}
