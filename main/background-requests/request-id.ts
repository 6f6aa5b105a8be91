/** Target of a background request; its id is derived from this in CVAT's format. */
export interface RequestKey {
  readonly action: 'create' | 'import' | 'export' | 'autoannotate' | 'calculate' | 'merge';
  readonly target: 'project' | 'task' | 'job' | 'events' | 'cloudstorage';
  /** Absent for a backup that becomes a new object; `uuid` identifies the request then. */
  readonly targetId?: number;
  readonly uuid?: string;
  readonly userId?: number;
  readonly subresource?:
    | 'annotations'
    | 'dataset'
    | 'backup'
    | 'frames'
    | 'images'
    | 'evaluation'
    | 'quality'
    | 'remote'
    | 'manifest';
  readonly format?: string;
  readonly lightweight?: boolean;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const earlierForms: readonly (readonly [RegExp, (parts: readonly string[]) => RequestKey])[] = [
  [/^create:task-(\d+)$/, ([id]) => ({ action: 'create', target: 'task', targetId: Number(id) })],
  [/^autoannotate:task-(\d+)$/, ([id]) => ({ action: 'autoannotate', target: 'task', targetId: Number(id) })],
  [
    /^import:(project|task|job)-(\d+)-(annotations|dataset)$/,
    ([target, id, subresource]) => ({
      action: 'import',
      target: target as 'task',
      targetId: Number(id),
      subresource: subresource as 'dataset',
    }),
  ],
  [
    /^quality-check-task-(\d+)-user-(\d+)$/,
    ([id, user]) => ({
      action: 'calculate',
      target: 'task',
      targetId: Number(id),
      userId: Number(user),
      subresource: 'quality',
    }),
  ],
  [
    new RegExp(`^import:(project|task)-(${uuid})-backup$`),
    ([target, id]) => ({ action: 'import', target: target as 'task', uuid: id ?? '', subresource: 'backup' }),
  ],
  [
    /^export:(project|task|job)-(\d+)-(annotations|dataset|backup)(?:-in-([\w@-]+?)(?:-format)?)?-by-(\d+)$/,
    ([target, id, subresource, format, user]) => ({
      action: 'export',
      target: target as 'task',
      targetId: Number(id),
      userId: Number(user),
      subresource: subresource as 'dataset',
      format: format?.replaceAll('@', '.'),
      lightweight: subresource === 'backup' ? false : undefined,
    }),
  ],
];

/** Converts CVAT's earlier id format, which old clients still use. */
export function currentRequestId(text: string): string {
  for (const [form, keyOf] of earlierForms) {
    const match = form.exec(text);
    if (match) return requestId(keyOf(match.slice(1)));
  }
  return text;
}

const escapeValue = (text: string): string => text.replaceAll('.', '~').replaceAll(' ', '_');

const pythonBoolean = (value: boolean): string => (value ? 'True' : 'False');

/** For example `action=export&target=task&target_id=1&user_id=1&subresource=dataset&format=COCO_1~0`. */
export function requestId(key: RequestKey): string {
  const parts: [string, string | number | undefined][] = [
    ['action', key.action],
    ['target', key.target],
    ['target_id', key.targetId],
    ['id', key.uuid],
    ['user_id', key.userId],
    ['subresource', key.subresource],
    ['format', key.format],
    ['lightweight', key.lightweight === undefined ? undefined : pythonBoolean(key.lightweight)],
  ];
  return parts
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeValue(String(value))}`)
    .join('&');
}
