import type { LabeledDataInput } from '../../preload/contract/schema/annotations.ts';
import type { LabelWrite } from '../../preload/contract/schema/labels.ts';
import type { RemoteJob, RemotePullWrite, RemoteResult } from '../../preload/contract/schema/remotes.ts';
import type { TestClient } from './client.ts';
import { makeImages } from './images.ts';

const gigabyte = 1e9;

const tokens = new Map<string, Promise<string>>();

/** An access token of a server. One for each server, because a user may have few of them. */
export function newToken(there: TestClient): Promise<string> {
  const body = { name: 'a workbench', read_only: false };
  const token = tokens.get(there.baseUrl) ?? there.perform('createAccessToken', { body }).then(({ value }) => value);
  tokens.set(there.baseUrl, token);
  return token;
}

let connections = 0;

/** Connects a workbench to a server and returns the id of the connection. */
export async function connectServer(here: TestClient, there: TestClient, address = there.baseUrl): Promise<number> {
  const body = { name: `server ${(connections += 1)}`, address, token: await newToken(there) };
  return (await here.perform('createRemoteServer', { body })).id;
}

export async function checkOut(
  here: TestClient,
  server: number,
  kind: 'job' | 'task' | 'project',
  id: number,
): Promise<RemoteJob[]> {
  const body = { kind, id, budget_bytes: gigabyte };
  const { rq_id: request } = await here.perform('checkOutRemote', { params: { id: server }, body });
  await here.finished(request);
  const { results } = await here.perform('listRemoteJobs', { query: { server_id: String(server) } });
  return results;
}

type Decisions = RemotePullWrite['decisions'];

/** Waits for a pull or push and returns its result. Throws the message of a failure. */
export async function resultOf(here: TestClient, { rq_id: id }: { readonly rq_id: string }): Promise<RemoteResult> {
  await here.finished(id);
  return here.perform('getRemoteResult', { params: { id } });
}
export const pullJob = async (here: TestClient, link: number, decisions: Decisions = []): Promise<RemoteResult> =>
  resultOf(here, await here.perform('pullRemoteJob', { params: { id: link }, body: { decisions } }));
export const pushJob = async (here: TestClient, link: number, dry_run = false): Promise<RemoteResult> =>
  resultOf(here, await here.perform('pushRemoteJob', { params: { id: link }, body: { dry_run } }));

const crossingLabels: readonly LabelWrite[] = [
  {
    name: 'car',
    attributes: [{ name: 'parked', input_type: 'checkbox', default_value: 'false', mutable: false, values: [] }],
  },
  { name: 'person' },
];

export async function taskThere(
  there: TestClient,
  count = 4,
  more: object = {},
): Promise<{ task: number; jobs: number[] }> {
  const images = await makeImages(count, { width: 64, height: 48 });
  const { id } = await there.taskWithImages({ name: 'North gate', labels: crossingLabels, ...more }, images);
  return { task: id, jobs: (await there.jobs(id)).map((job) => job.id) };
}

export const box = (label_id: number, frame: number, x: number, more: object = {}) => ({
  type: 'rectangle' as const,
  frame,
  label_id,
  points: [x, 2, x + 10.25, 20],
  ...more,
});

/** Annotations with label names instead of ids, sorted, to compare two servers. */
export async function comparable(client: TestClient, job: number, firstFrame = 0): Promise<string[]> {
  const { task_id: task } = await client.perform('getJob', { params: { id: job } });
  const labels = await client.labels(task);
  const names = new Map(
    labels.flatMap((label) => [
      [label.id, label.name] as const,
      ...label.attributes.map(({ id, name }) => [-id, name] as const),
    ]),
  );
  const data: LabeledDataInput = await client.annotations('jobs', job);
  const text = (value: unknown): string =>
    JSON.stringify(value, (key, one: unknown) => {
      if (key === 'id') return undefined;
      if (key === 'label_id') return names.get(Number(one));
      if (key === 'spec_id') return names.get(-Number(one));
      return key === 'frame' ? Number(one) - firstFrame : one;
    });
  return [...(data.tags ?? []), ...(data.shapes ?? []), ...(data.tracks ?? [])].map(text).toSorted();
}
