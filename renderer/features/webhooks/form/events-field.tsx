import type { WebhookType } from '../../../../preload/contract/schema/webhooks.ts';
import { useText } from '../../../i18n/index.ts';
import { Checkbox, Hint, Radio, Stack } from '../../../ui/kit.ts';
import { allEvents, eventGroups, eventSentence, groupText } from './event-text.ts';
import classes from './webhook-form.module.css';

interface EventsFieldProps {
  readonly type: WebhookType;
  readonly everything: boolean;
  readonly events: readonly string[];
  readonly onChange: (change: { readonly everything?: boolean; readonly events?: readonly string[] }) => void;
  readonly error: string | undefined;
}

export function EventsField({ type, everything, events, onChange, error }: EventsFieldProps) {
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
