import { describe, expect, test } from 'vitest';
import { webhookLimits } from '../../../../../../preload/contract/schema/webhooks.ts';
import { allEvents } from '../../../../../../renderer/features/webhooks/form/event-text.ts';
import {
  emptyWebhook,
  randomSecret,
  writableOfValues,
} from '../../../../../../renderer/features/webhooks/form/webhook-values.ts';

const values = { ...emptyWebhook(3, null), target_url: ' https://example.org/hook ' };

describe('the form of a webhook', () => {
  test('sends a secret only if one was typed or removed', () => {
    expect(writableOfValues(values)).not.toHaveProperty('secret');
    expect(writableOfValues({ ...values, secret: 'abc' })).toMatchObject({ secret: 'abc' });
    expect(writableOfValues({ ...values, removeSecret: true })).toMatchObject({ secret: '' });
  });

  test('sends every kind for “Send everything”, and only kinds that the type allows otherwise', () => {
    expect(writableOfValues(values)).toMatchObject({ target_url: 'https://example.org/hook' });
    expect(writableOfValues(values).events).toEqual(allEvents('project'));
    const chosen = { ...values, everything: false, events: ['update:job', 'delete:membership'] };
    expect(writableOfValues(chosen).events).toEqual(['update:job']);
    expect(writableOfValues({ ...chosen, type: 'organization' }).events).toEqual(['delete:membership', 'update:job']);
  });

  test('generates valid secrets, and never the same twice', () => {
    const secrets = Array.from({ length: 50 }, randomSecret);
    expect(secrets.filter((secret) => !/^[\w-]{43}$/.test(secret) || secret.length > webhookLimits.secret)).toEqual([]);
    expect(new Set(secrets).size).toBe(50);
  });
});
