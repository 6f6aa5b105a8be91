import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { createClient } from '../../support/client.ts';
import { makeImages, type NamedImage } from '../../support/images.ts';
import type { RunningServer } from '../../support/server.ts';

export type Service = ReturnType<typeof createService>;

/** Direct access to the service for setup, signed in as the owner by password. */
export function createService({ url, authorization }: Pick<RunningServer, 'url' | 'authorization'>) {
  const client = createClient(url, authorization);
  const ask = <Answer>(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) =>
    client.good<Answer>(method, path, { ...(body instanceof FormData ? { body } : { json: body }), headers });

  return {
    ...client,
    ask,
    async makeProject(name: string): Promise<number> {
      return (await client.createProject(name, [{ name: 'thing' }])).id;
    },
    /** Creates a task with `images` generated images, or with the given ones. Without a project it gets a label. */
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
      const files = typeof images === 'number' ? await makeImages(images, { text: name }) : images;
      await client.finished(await client.uploadImages(id, files));
      return id;
    },
    async makePredictions(task: number, name: string, objects: object): Promise<number> {
      const { id } = await ask<{ id: number }>('POST', `/api/limner/tasks/${task}/predictions`, { name });
      await ask('POST', `/api/limner/predictions/${id}/objects`, objects);
      await ask('PATCH', `/api/limner/predictions/${id}`, { state: 'ready' });
      return id;
    },
    jobsOf: async (task: number): Promise<number[]> => (await client.jobs(task)).map(({ id }) => id),
  };
}
