import type { Page } from 'playwright-core';
import type { ModelVersions, VersionChanges } from '../../../preload/contract/schema/function-versions.ts';
import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';

export const containerFunction = 'night-finder';

const at = (name: string): string => `**/api/models/functions/${containerFunction}${name}`;
const date = '2026-11-20T08:00:00.000000Z';

const version = (number: number, directory: string): ModelVersions['versions'][number] => ({
  version: number,
  is_current: number === 3,
  way: 'handler',
  image: 'python:3.12-slim',
  directory,
  runtime: 'python:3.12',
  created_date: date,
});
const versions: ModelVersions = {
  versions: [
    version(3, '/home/somebody/functions/night-finder'),
    version(2, '/home/somebody/functions/night-finder'),
    version(1, '/home/somebody/functions/with-a-name-that-no-column-has-room-for/night-finder'),
  ],
  max_count: 5,
};
const changes: VersionChanges = {
  since: 2,
  version: 3,
  variables: ['THRESHOLD'],
  knows_files: true,
  files: [
    {
      path: 'main.py',
      change: 'changed',
      lines: [
        { kind: 'skipped', text: '12' },
        { kind: 'same', text: 'def handler(context, event):' },
        { kind: 'removed', text: '    return []' },
        { kind: 'added', text: '    return find(event.body["image"], context.user_data.model, threshold=0.4)' },
      ],
    },
    { path: 'weights.bin', change: 'added', lines: null },
  ],
};
const log = `Listening on 8080\n2026-11-20 08:00:01 loaded\n${'A line that is longer than the window is wide. '.repeat(8)}\nTraceback (most recent call last):\n  File "main.py", line 3\nValueError: too dark\n`;

/**
 * A container function in the form that the service returns it, without an Engine. Its page has parts that no other
 * function has.
 */
export async function standInForContainer(page: Page, like: ModelFunction): Promise<void> {
  const model: ModelFunction = {
    ...like,
    name: containerFunction,
    title: 'Finder at night',
    provider: 'docker',
    state: 'stopped',
    address: null,
    way: 'handler',
    image: 'python:3.12-slim',
    directory: '/home/somebody/functions/night-finder',
    runtime: 'python:3.12',
    version: 3,
  };
  await page.route(at(''), (route) => route.fulfill({ json: model }));
  await page.route(at('/numbers*'), (route) =>
    route.continue({ url: route.request().url().replace(containerFunction, like.name) }),
  );
  await page.route(at('/versions'), (route) => route.fulfill({ json: versions }));
  await page.route(at('/versions/**'), (route) => route.fulfill({ json: changes }));
  await page.route(at('/logs*'), (route) => route.fulfill({ contentType: 'text/plain', body: log }));
}
