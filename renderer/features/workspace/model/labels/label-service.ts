import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import type { Label, LabelWrite } from '../../../../../preload/contract/schema/labels.ts';
import { call } from '../../../../api/client.ts';

export type AttributeWrite = NonNullable<LabelWrite['attributes']>[number];

/** Labels of the job's project, or of its task without a project. */
export function createLabelService(job: Pick<Job, 'id' | 'task_id' | 'project_id'>) {
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
    /** Adds a label for any shape type. */
    async create(
      name: string,
      attributes: readonly AttributeWrite[] = [],
    ): Promise<{ readonly label: Label; readonly labels: Label[] }> {
      const labels = await change([{ name, type: 'any', attributes: [...attributes] }]);
      const label = labels.findLast((item) => item.name === name);
      if (label === undefined) throw new Error(`Cannot find the label “${name}” after saving it. Reload the job.`);
      return { label, labels };
    },
    addAttribute: (id: number, attribute: AttributeWrite) => change([{ id, attributes: [attribute] }]),
    recolor: (id: number, color: string) => change([{ id, color }]),
  };
}

export type LabelService = ReturnType<typeof createLabelService>;
