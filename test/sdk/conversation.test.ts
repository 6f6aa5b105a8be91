import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signIn } from '../support/client.ts';
import { makeImages, writeImages } from '../support/images.ts';
import { startRecordingProxy, type Exchange, type RecordingProxy } from '../support/recording-proxy.ts';
import type { RunningServer } from '../support/server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { useServer } from '../support/use-server.ts';
import { exchangeEverything } from './exchange-everything.ts';
import { checkNames, type CheckResults } from './python-checks.ts';
import { preparePython } from './python.ts';

/**
 * Recorded HTTP requests of the unmodified cvat-sdk are the contract of Limner as a server and as a client of servers.
 * `npx vitest run --update --project sdk test/sdk/conversation.test.ts` records them again.
 */
const folder = sharedFolder();
await writeImages(join(folder, 'images'), await makeImages(5, { width: 64, height: 48 }));
const [hereServer, thereServer] = await Promise.all([useServer(), useServer()]);

interface Judgement {
  readonly conversation: readonly object[];
  readonly problems: readonly string[];
  /** Queries, bodies and answers of the used endpoints, as the release defines them. */
  readonly surface: readonly string[];
}

const releases = [
  { release: '2.73', requirements: 'requirements.txt' },
  { release: '2.80', requirements: 'requirements-2.80.txt' },
] as const;

const fixture = (name: string): string => join(import.meta.dirname, 'conversations', name);
const recording = (release: string): string => fixture(`cvat-sdk-${release}.jsonl`);
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const jsonLines = (values: readonly object[]): string => text(values.map((value) => JSON.stringify(value)));
const surfaces = new Map<string, ReadonlySet<string>>();

async function recorded(server: RunningServer, userAgent?: string): Promise<RecordingProxy> {
  const proxy = await startRecordingProxy(server.url, userAgent);
  onTestFinished(proxy.stop);
  return proxy;
}

describe.each(releases)('cvat-sdk $release', ({ release, requirements }) => {
  const work = join(folder, release);
  mkdirSync(work);

  async function judge(exchanges: readonly Exchange[], ...allowed: string[]): Promise<Judgement> {
    const file = join(work, 'exchanges.json');
    writeFileSync(file, JSON.stringify(exchanges));
    const python = await preparePython(requirements);
    return python<Judgement>('judge_conversation.py', [file, ...allowed]);
  }

  it('sends the recorded conversation, and takes the answers as its types', async () => {
    const proxy = await recorded(thereServer);
    const python = await preparePython(requirements);
    const { user, password } = thereServer;
    const given = [proxy.url, user, password, join(folder, 'images'), work];
    const results = await python<CheckResults>('use_conversation.py', given);
    expect(results).toEqual(Object.fromEntries(checkNames('use_conversation.py').map((name) => [name, null])));
    const { conversation, problems, surface } = await judge(proxy.exchanges);
    surfaces.set(release, new Set(surface));
    expect(problems).toEqual([]);
    await expect(jsonLines(conversation)).toMatchFileSnapshot(recording(release));
  });

  it('reads the same job from both ends after an exchange that keeps to the recorded conversation or the schema', async () => {
    // The server answers in the form of the release that the client names.
    const proxy = await recorded(thereServer, `cvat_sdk/${release}.0`);
    const followed = await exchangeEverything(await signIn(hereServer), await signIn(thereServer), proxy.url);
    const { conversation, problems } = await judge(proxy.exchanges, recording(release));
    expect(problems).toEqual([]);
    await expect(jsonLines(conversation)).toMatchFileSnapshot(fixture('limner.jsonl'));
    const python = await preparePython(requirements);
    const read = ({ url, user, password }: RunningServer, job: number): Promise<object> =>
      python<object>('read_job.py', [url, user, password, join(folder, 'images'), work, String(job)]);
    expect(followed).toHaveLength(4);
    for (const { remote, local } of followed)
      expect(await read(hereServer, local)).toEqual(await read(thereServer, remote));
  });
});

it('lists the differences between both releases', async () => {
  const [older, newer] = releases.map(({ release }) => ({
    sent: new Set(readFileSync(recording(release), 'utf8').trim().split('\n')),
    surface: surfaces.get(release) ?? new Set<string>(),
  }));
  const differences = (from: ReadonlySet<string>, to: ReadonlySet<string>): string[] => [
    ...[...from.difference(to)].map((line) => `- ${line}`),
    ...[...to.difference(from)].map((line) => `+ ${line}`),
  ];
  const sent = ['# Requests of cvat-sdk', ...differences(older!.sent, newer!.sent)];
  const defined = ['# Queries, bodies and answers', ...differences(older!.surface, newer!.surface)];
  await expect(text([...sent, '', ...defined])).toMatchFileSnapshot(fixture('differences.txt'));
});
