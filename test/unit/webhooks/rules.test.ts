import { describe, expect, test } from 'vitest';
import { optionalNumber, text, toldAs, toldOf } from '../../../main/db/columns.ts';
import { columnChanges } from '../../../main/db/changes.ts';
import { curlCommand } from '../../../main/webhooks/manager/webhook-presenter.ts';
import { checkEvents } from '../../../main/webhooks/manager/webhook-rules.ts';
import { eventKinds } from '../../../preload/contract/schema/webhooks.ts';

describe('kinds of events', () => {
  const actionsOf = (resource: string, type: 'project' | 'organization') =>
    eventKinds
      .filter(({ key, types }) => key.endsWith(`:${resource}`) && types.includes(type))
      .map(({ key }) => key.split(':')[0]);

  test.each([
    ['project', ['create', 'delete', 'update'], ['delete', 'update']],
    ['task', ['create', 'delete', 'update'], ['create', 'delete', 'update']],
    ['job', ['create', 'delete', 'update'], ['create', 'delete', 'update']],
    ['issue', ['create', 'delete', 'update'], ['create', 'delete', 'update']],
    ['comment', ['create', 'delete', 'update'], ['create', 'delete', 'update']],
    ['organization', ['update'], []],
    ['invitation', ['create', 'delete'], []],
    ['membership', ['create', 'delete', 'update'], []],
  ])('of %s', (resource, ofOrganizations, ofProjects) => {
    expect(actionsOf(resource, 'organization')).toEqual(ofOrganizations);
    expect(actionsOf(resource, 'project')).toEqual(ofProjects);
  });

  test('of background requests', () => {
    const completed = eventKinds.filter(({ key }) => key.startsWith('completed:'));
    expect(completed.map(({ key }) => key)).toEqual([
      'completed:request[calculate:quality]',
      'completed:request[create:task]',
      'completed:request[export:annotations]',
      'completed:request[export:backup]',
      'completed:request[export:dataset]',
      'completed:request[merge:job]',
      'completed:request[merge:task]',
    ]);
    expect(completed.every(({ types }) => types.length === 2)).toBe(true);
  });

  test('of the server', () => {
    const keys = eventKinds.filter(({ types }) => types.includes('server')).map(({ key }) => key);
    expect(keys).toEqual(['create:organization', 'create:user', 'delete:organization', 'delete:user', 'update:user']);
  });

  test('all together fit into one webhook', () => {
    const everything = eventKinds.filter(({ types }) => types.includes('organization')).map(({ key }) => key);
    expect(checkEvents(everything, 'organization').length).toBeLessThanOrEqual(4096);
  });
});

test('changes of columns name the changed fields by their public names', () => {
  const columns = { media_id: toldAs('data_id', optionalNumber('event')), name: text('event'), note: text('event') };
  const before = { media_id: null, name: 'old', note: 'same' };
  const after = { media_id: 7, name: 'new', note: 'same' };
  expect(columnChanges(toldOf(columns, before), toldOf(columns, after))).toEqual({
    data_id: { from: null, to: 7 },
    name: { from: 'old', to: 'new' },
  });
});

test('a request as a curl command quotes everything for a shell', () => {
  const command = curlCommand({
    url: "http://127.0.0.1:9000/it's?a={b}",
    headers: { 'Content-Type': 'application/json', 'X-Odd': '$(echo) `ls` "x"' },
    body: '{"name": "it\'s $HOME"}',
  });
  expect(command).toBe(
    `curl --globoff -X POST -H 'Content-Type: application/json' -H 'X-Odd: $(echo) \`ls\` "x"' ` +
      `--data-raw '{"name": "it'\\''s $HOME"}' 'http://127.0.0.1:9000/it'\\''s?a={b}'`,
  );
});
