import type { Job } from '../../../preload/contract/schema/resources.ts';
import type { Label, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { call } from '../../api/client.ts';

/** Labels of the open job: they belong to its project, or else to its task. */
export interface LabelService {
  list(): Promise<Label[]>;
  /** Adds a label for any shape and answers it. */
  create(name: string): Promise<{ readonly label: Label; readonly labels: Label[] }>;
  recolor(id: number, color: string): Promise<Label[]>;
}

export function createLabelService(job: Pick<Job, 'id' | 'task_id' | 'project_id'>): LabelService {
  const list = async (): Promise<Label[]> => {
    const page = await call('listLabels', { query: { job_id: String(job.id), page_size: 'all' } });
    return page.results.filter((label) => !label.has_parent);
  };
  const change = async (labels: LabelWrite[]): Promise<Label[]> => {
    if (job.project_id === null) await call('updateTask', { params: { id: job.task_id }, body: { labels } });
    else await call('updateProject', { params: { id: job.project_id }, body: { labels } });
    return list();
  };
  return {
    list,
    async create(name) {
      const labels = await change([{ name, type: 'any' }]);
      const label = labels.findLast((item) => item.name === name);
      if (label === undefined) throw new Error(`The service did not keep the label “${name}”.`);
      return { label, labels };
    },
    recolor: (id, color) => change([{ id, color }]),
  };
}
