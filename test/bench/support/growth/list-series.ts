import { series } from './series.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

interface Labels {
  readonly projectId: number;
}

let renamed = 0;
export const labelSeries = series<Labels>({
  name: 'Labels of a project, with three attributes each',
  unit: 'labels',
  short: [100, 300, 1000, 3000],
  long: [],
  async prepare({ client }, count) {
    const attributes = ['parked', 'wet', 'far'].map((name) => ({
      name,
      mutable: true,
      input_type: 'checkbox' as const,
      default_value: 'false',
      values: [],
    }));
    const labels = Array.from({ length: count }, (_, index) => ({ name: `label ${index}`, attributes }));
    return { projectId: (await client.createProject('labels', labels)).id };
  },
  operations: [
    {
      name: 'list of all labels',
      run: ({ projectId }, { client }) => client.bytes(`/api/labels?project_id=${projectId}&page_size=all`),
      times: 3,
    },
    {
      name: 'rename the project',
      run: ({ projectId }, { client }) =>
        client.good('PATCH', `/api/projects/${projectId}`, { json: { name: `labels ${(renamed += 1)}` } }),
      times: 10,
    },
    {
      name: 'add one label',
      run: ({ projectId }, { client }) =>
        client.good('PATCH', `/api/projects/${projectId}`, {
          json: { labels: [{ name: `new ${(renamed += 1)}`, attributes: [] }] },
        }),
      times: 3,
    },
  ],
});

const get =
  (path: string) =>
  (_: unknown, { client }: ServiceUnderTest) =>
    client.bytes(path);

export const taskSeries = series<null>({
  name: 'Tasks of a service',
  unit: 'tasks',
  short: [100, 1000, 5000],
  long: [10_000],
  async prepare({ client }, count) {
    for (let index = 0; index < count; index += 1)
      await client.createTask({ name: `task ${index}`, labels: [{ name: 'thing' }] });
    return null;
  },
  operations: [
    { name: 'first page of tasks', run: get('/api/tasks?page_size=50&sort=-updated_date'), times: 10 },
    { name: 'search of tasks', run: get('/api/tasks?page_size=50&search=99'), times: 10 },
    {
      name: 'create one task',
      run: (_, { client }) => client.createTask({ name: 'one more', labels: [{ name: 'thing' }] }),
      times: 20,
    },
  ],
});
