import type { ActivityEvent } from '../../preload/contract/schema/activity.ts';

export const hourMs = 3_600_000;

export const objectScopes = ['create:shapes', 'create:tracks', 'create:tags'] as const;
export const workingTimeScope = 'send:working_time';

/** Dimension of a sum in addition to hour, user and project. Only one each, to limit the number of rows. */
export type Facet = '' | 'name' | 'detail' | 'label';

const objectScopeSet: ReadonlySet<string> = new Set(objectScopes);
/** Scopes whose names are shown on the page. Except for objects, the result is shown next to the name. */
const namedScopes: ReadonlySet<string> = new Set([
  'draw:object',
  'complete:request',
  'call:function',
  'send:exception',
  ...objectScopes,
]);

/**
 * Rows that an event adds to the sums: keys (scope, facet, hour, user, project, name, detail, label, organization),
 * amount, ms.
 */
export function hourlyRows(event: ActivityEvent): (readonly (string | number)[])[] {
  const { scope } = event;
  const { label, detail } = told(event);
  const isObject = objectScopeSet.has(scope);
  const ms = scope === workingTimeScope ? Number(event.obj_val ?? 0) : event.duration;
  const hour = Math.floor(Date.parse(event.timestamp) / hourMs);
  const row = (facet: Facet, name: string, of: string, labelId: number) => [
    scope,
    facet,
    hour,
    event.user_id ?? 0,
    event.project_id ?? 0,
    name,
    of,
    labelId,
    event.org_id ?? 0,
    event.count ?? 1,
    ms,
  ];
  return [
    row('', '', '', 0),
    ...(namedScopes.has(scope) ? [row('name', event.obj_name ?? '', isObject ? '' : detail, 0)] : []),
    ...(isObject || (scope === 'update:job' && detail !== '') ? [row('detail', '', detail, 0)] : []),
    ...(isObject ? [row('label', '', '', label)] : []),
  ];
}

const nothing = { label: 0, detail: '' };

function told({ scope, obj_name: name, obj_val: value, payload }: ActivityEvent): typeof nothing {
  if (objectScopeSet.has(scope)) {
    const { label_id: label, source } = fieldsOf(payload);
    return { label: typeof label === 'number' ? label : 0, detail: typeof source === 'string' ? source : '' };
  }
  if (scope === 'update:job' && name === 'state') {
    if (value === 'completed') return { label: 0, detail: 'completed' };
    return fieldsOf(payload)['old_value'] === 'completed' ? { label: 0, detail: 'reopened' } : nothing;
  }
  if (scope === 'complete:request' || scope === 'call:function') return { label: 0, detail: value ?? '' };
  return nothing;
}

function fieldsOf(payload: string | null | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(payload ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
