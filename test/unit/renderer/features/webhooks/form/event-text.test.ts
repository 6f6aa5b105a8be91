import { describe, expect, test } from 'vitest';
import { eventKinds } from '../../../../../../preload/contract/schema/webhooks.ts';
import { allEvents, eventGroups, isEverything } from '../../../../../../renderer/features/webhooks/form/event-text.ts';
import en from '../../../../../../renderer/i18n/en.json' with { type: 'json' };

describe('events of webhooks', () => {
  test('have a sentence and a named group each', () => {
    const sentences: Record<string, string> = en.webhookEvents;
    const groups: Record<string, string> = en.webhookGroups;
    expect(eventKinds.filter(({ key }) => sentences[key] === undefined)).toEqual([]);
    expect(eventKinds.filter(({ group }) => groups[group] === undefined)).toEqual([]);
    expect(Object.keys(sentences).toSorted()).toEqual([...eventKinds.map(({ key }) => key), 'ping'].toSorted());
  });

  test('are offered in groups, each once, those of organizations to organizations only', () => {
    for (const type of ['project', 'organization'] as const) {
      const keys = eventGroups(type).flatMap((group) => group.keys);
      expect(keys.toSorted()).toEqual(allEvents(type).toSorted());
    }
    expect(eventGroups('project').map(({ name }) => name)).not.toContain('Membership');
    expect(eventGroups('organization').find(({ name }) => name === 'Task')?.keys).toEqual([
      'create:task',
      'update:task',
      'delete:task',
    ]);
  });

  test('are "everything" only if no kind is missing', () => {
    expect(isEverything('project', allEvents('project'))).toBe(true);
    expect(isEverything('organization', allEvents('project'))).toBe(false);
    expect(isEverything('project', [])).toBe(false);
  });
});
