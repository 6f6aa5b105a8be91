import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { makeImages, type NamedImage } from '../../support/images.ts';
import type { Workbench } from './workbench.ts';

type Body = object | FormData;
const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));

export type Service = ReturnType<typeof createService>;

/** The service beside the page, for what a test needs and does not look at: signed in as the owner by password. */
export function createService({ server }: Pick<Workbench, 'server'>) {
  async function send(method: string, path: string, body?: Body, headers: Record<string, string> = {}) {
    const isForm = body instanceof FormData;
    const response = await fetch(server.url + path, {
      method,
      headers: {
        Authorization: server.authorization,
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  /** The caller says what the answer is; the contract tests hold the service to it. */
  const ask = async <Answer>(method: string, path: string, body?: Body, headers?: Record<string, string>) =>
    (await send(method, path, body, headers)) as Answer;

  async function waitForRequest(id: string): Promise<void> {
    for (;;) {
      const { status, message } = await ask<{ status: string; message: string }>(
        'GET',
        `/api/requests/${encodeURIComponent(id)}`,
      );
      if (status === 'finished') return;
      if (status === 'failed') throw new Error(message);
      await pause(50);
    }
  }

  return {
    ask,
    waitForRequest,
    async makeProject(name: string): Promise<number> {
      const { id } = await ask<{ id: number }>('POST', '/api/projects', { name, labels: [{ name: 'thing' }] });
      return id;
    },
    /** A task with images, ready: so many made ones, or these; without a project it has a label of its own. */
    async makeTask(
      name: string,
      {
        images = 2,
        ...fields
      }: {
        images?: number | readonly NamedImage[];
        project_id?: number;
        segment_size?: number;
        labels?: readonly LabelWrite[];
      },
      headers: Record<string, string> = {},
    ): Promise<number> {
      const labels = fields.project_id === undefined ? { labels: [{ name: 'thing' }] } : {};
      const { id } = await ask<{ id: number }>('POST', '/api/tasks', { name, ...labels, ...fields }, headers);
      const form = new FormData();
      form.set('image_quality', '70');
      const files = typeof images === 'number' ? await makeImages(images, { text: name }) : images;
      for (const [index, image] of files.entries()) {
        form.set(`client_files[${index}]`, new Blob([new Uint8Array(image.bytes)]), image.name);
      }
      const { rq_id: request } = await ask<{ rq_id: string }>('POST', `/api/tasks/${id}/data/`, form);
      await waitForRequest(request);
      return id;
    },
    /** Ids of a task's jobs, by their frames. */
    async jobsOf(task: number): Promise<number[]> {
      const { results } = await ask<{ results: { id: number }[] }>('GET', `/api/jobs?task_id=${task}&sort=id`);
      return results.map((job) => job.id);
    },
  };
}
