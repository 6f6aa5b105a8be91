import type { HistoryEntry } from '../../../preload/contract/schema/history.ts';
import type { TextFunction } from '../../i18n/index.ts';

const fields = [
  'name',
  'owner',
  'assignee',
  'state',
  'stage',
  'status',
  'subset',
  'bug_tracker',
  'project_id',
  'organization_id',
  'resolved',
  'message',
  'position',
  'role',
  'is_active',
  'data_id',
  'mode',
  'overlap',
  'segment_size',
  'target_storage_id',
  'source_storage_id',
] as const;
type Field = (typeof fields)[number];
const isKnown = (field: string): field is Field => (fields as readonly string[]).includes(field);
const longest = 80;

/** For example `Task pier changed`. */
export function entryText(t: TextFunction, { action, kind, name, object_id: id }: HistoryEntry): string {
  // An invitation's id is its key: whoever knows it may join.
  const own = name === '' ? (kind === 'invitation' ? '' : ` #${id}`) : ` ${name}`;
  return t(`history.${action}`, { what: t(`history.kinds.${kind}`) + own });
}

/** For example `name: quay → pier`. */
export const changeTexts = (t: TextFunction, { changes }: HistoryEntry): string[] =>
  changes.map(({ field, from, to }) =>
    t('history.change', {
      field: isKnown(field) ? t(`history.fields.${field}`) : field.replaceAll('_', ' '),
      from: valueText(t, from, field),
      to: valueText(t, to, field),
    }),
  );

/** Steps of the work, which have names on every screen. */
const steps = ['annotation', 'validation', 'acceptance', 'completed', 'new', 'in progress', 'rejected'] as const;
const stepFields: ReadonlySet<string> = new Set(['state', 'stage', 'status']);

function valueText(t: TextFunction, value: unknown, field: string): string {
  const step = stepFields.has(field) ? steps.find((one) => one === value) : undefined;
  if (step !== undefined) return t(`tasks.status.${step}`);
  if (value === null || value === undefined || value === '') return t('history.nothing');
  if (typeof value === 'boolean') return t(value ? 'history.yes' : 'history.no');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
