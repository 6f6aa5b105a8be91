import type { FilterField } from '../../../../preload/contract/object-filter/filter-fields.ts';
import { jobStages, jobStates } from '../../../../preload/contract/schema/resources.ts';
import type en from '../../../i18n/en.json';

export type ListFieldName = keyof typeof en.lists.fields;

export interface ListField extends FilterField {
  readonly name: ListFieldName;
  readonly isPerson?: boolean;
}

const statuses = ['annotation', 'validation', 'completed'] as const;
const person = (name: 'assignee' | 'owner'): ListField => ({ name, kind: 'choice', isPerson: true });
const changed: ListField = { name: 'updated_date', kind: 'date' };
const created: ListField = { name: 'created_date', kind: 'date' };
const mode: ListField = { name: 'mode', kind: 'choice', values: ['annotation', 'interpolation'] };

export const projectFields: readonly ListField[] = [
  { name: 'name', kind: 'text' },
  { name: 'status', kind: 'choice', values: statuses },
  person('assignee'),
  person('owner'),
  changed,
  created,
  { name: 'id', kind: 'number' },
];

export const taskFields: readonly ListField[] = [
  { name: 'status', kind: 'choice', values: statuses },
  { name: 'name', kind: 'text' },
  { name: 'project_name', kind: 'text' },
  { name: 'subset', kind: 'text' },
  person('assignee'),
  person('owner'),
  mode,
  changed,
  created,
  { name: 'tracker_link', kind: 'text' },
  { name: 'project_id', kind: 'number' },
  { name: 'id', kind: 'number' },
];

export const jobFields: readonly ListField[] = [
  { name: 'state', kind: 'choice', values: jobStates },
  { name: 'stage', kind: 'choice', values: jobStages },
  person('assignee'),
  { name: 'task_name', kind: 'text' },
  { name: 'project_name', kind: 'text' },
  { name: 'type', kind: 'choice', values: ['annotation', 'ground_truth', 'consensus_replica'] },
  mode,
  changed,
  { name: 'task_id', kind: 'number' },
  { name: 'project_id', kind: 'number' },
  { name: 'id', kind: 'number' },
];

export const requestFields: readonly ListField[] = [
  { name: 'status', kind: 'choice', values: ['queued', 'started', 'failed', 'finished'] },
  { name: 'action', kind: 'choice', values: ['create', 'import', 'export', 'autoannotate', 'merge'] },
  { name: 'target', kind: 'choice', values: ['project', 'task', 'job'] },
  { name: 'format', kind: 'text' },
  created,
  { name: 'project_id', kind: 'number' },
  { name: 'task_id', kind: 'number' },
  { name: 'job_id', kind: 'number' },
];

export const webhookFields: readonly ListField[] = [
  { name: 'target_url', kind: 'text' },
  { name: 'description', kind: 'text' },
  { name: 'type', kind: 'choice', values: ['project', 'organization'] },
  person('owner'),
  changed,
  { name: 'project_id', kind: 'number' },
];
