import { afterAll, expect } from 'vitest';
import type { Page } from '../../../preload/contract/schema/common.ts';
import type { Label, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { Job, Project, Request, Task } from '../../../preload/contract/schema/resources.ts';
import { startWorkbench } from '../../integration/http/support.ts';
import type { CallOptions, TestClient } from '../../support/client.ts';
import { makeImage } from '../../support/images.ts';
import { entriesOf } from '../../support/zip-entries.ts';

export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array | string;
}

export type Work = Awaited<ReturnType<typeof startWork>>;

/** The complete app on real files and a real socket. Every answer is checked against the OpenAPI document. */
export async function startWork() {
  const workbench = await startWorkbench();
  return {
    workbench,
    owner: workbench.owner,
    ...workCalls(workbench.owner),
    stop: () => workbench.stop(),
  };
}

/** The app for all tests of a file. */
export async function useWork(): Promise<Work> {
  const work = await startWork();
  afterAll(() => work.stop());
  return work;
}

export function workCalls(client: TestClient) {
  const all = async <Item>(path: string, query: CallOptions['query']): Promise<Item[]> =>
    (await client.good<Page<Item>>('GET', path, { query: { page_size: 'all', sort: 'id', ...query } })).results;
  return {
    tasksOf: (projectId: number) => all<Task>('/api/tasks', { project_id: projectId }),
    jobsOf: (taskId: number) => all<Job>('/api/jobs', { task_id: taskId }),
    labelsOf: (owner: { project_id?: number; task_id?: number }) => all<Label>('/api/labels', owner),
    project: (id: number) => client.good<Project>('GET', `/api/projects/${id}`),
    projects: () => all<Project>('/api/projects', {}),
    tasks: () => all<Task>('/api/tasks', {}),
    sendFile(path: string, field: string, file: NamedFile, query: CallOptions['query'] = {}) {
      const form = new FormData();
      const bytes = typeof file.bytes === 'string' ? Buffer.from(file.bytes) : file.bytes;
      form.set(field, new Blob([new Uint8Array(bytes)]), file.name);
      return client.call('POST', path, { query, body: form });
    },
    /** Imports a dataset into a project with one form and waits until the import ends. */
    async importDataset(
      projectId: number,
      format: string,
      file: NamedFile,
      more: Readonly<Record<string, string>> = {},
    ): Promise<Request> {
      const { status, body } = await this.sendFile(`/api/projects/${projectId}/dataset/`, 'dataset_file', file, {
        format,
        ...more,
      });
      expect({ status, body }).toMatchObject({ status: 202 });
      return client.ended((body as { rq_id: string }).rq_id);
    },
  };
}

export async function zipNames(bytes: Buffer): Promise<string[]> {
  return Object.keys(await entriesOf(bytes));
}

export const picture = (text: string, width = 64, height = 48): Promise<Buffer> =>
  makeImage({ width, height, text, format: 'png' });

export const pictures = (count: number, width = 64, height = 48): Promise<{ name: string; bytes: Buffer }[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      name: `${index}.png`,
      bytes: await picture(`${index}`, width, height),
    })),
  );

/** A select attribute; the first value is the default. */
export const choiceOf = (name: string, values: readonly [string, ...string[]]) => ({
  name,
  input_type: 'select' as const,
  mutable: false,
  default_value: values[0],
  values: [...values],
});

export const colouredCar: LabelWrite = {
  name: 'car',
  attributes: [
    { ...choiceOf('colour', ['red', 'blue']), default_value: 'blue' },
    { name: 'moving', mutable: true, input_type: 'checkbox', values: ['false'], default_value: 'false' },
  ],
};
