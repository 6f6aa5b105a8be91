/** What a background request works on; its id is made of this, in CVAT's text form. */
export interface RequestKey {
  readonly action: 'create' | 'import' | 'export' | 'autoannotate';
  readonly target: 'project' | 'task' | 'job' | 'events';
  /** Absent for a backup that becomes a new object: then `uuid` names the request. */
  readonly targetId?: number;
  readonly uuid?: string;
  readonly userId?: number;
  readonly subresource?: 'annotations' | 'dataset' | 'backup' | 'frames' | 'evaluation';
  readonly format?: string;
  readonly lightweight?: boolean;
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
