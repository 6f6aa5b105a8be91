import type { ClientId, SceneRecord } from '../../../../canvas/types.ts';

export const objectGroupings = ['none', 'label', 'layer', 'track', 'group'] as const;
export type ObjectGrouping = (typeof objectGroupings)[number];

export type GroupKey =
  | { readonly by: 'label'; readonly labelId: number }
  | { readonly by: 'layer'; readonly zOrder: number | null }
  | { readonly by: 'track'; readonly kind: 'track' | 'shape' | 'tag' }
  | { readonly by: 'group'; readonly group: number };

export interface ObjectGroup {
  readonly key: GroupKey;
  readonly count: number;
}

export interface GroupedObjects {
  readonly records: readonly SceneRecord[];
  readonly heads: ReadonlyMap<ClientId, ObjectGroup>;
}

const kinds = ['track', 'shape', 'tag'] as const;

function keyOf(record: SceneRecord, by: Exclude<ObjectGrouping, 'none'>): GroupKey {
  switch (by) {
    case 'label':
      return { by, labelId: record.labelId };
    case 'layer':
      return { by, zOrder: record.kind === 'shape' ? record.zOrder : null };
    case 'track':
      return { by, kind: record.kind === 'shape' && record.trackId !== undefined ? 'track' : record.kind };
    case 'group':
      return { by, group: record.group };
  }
}

/** Labels by name, topmost layer first, tracks before shapes before tags, ungrouped objects last. */
function compare(a: GroupKey, b: GroupKey, nameOf: (labelId: number) => string): number {
  if (a.by === 'label' && b.by === 'label')
    return nameOf(a.labelId).localeCompare(nameOf(b.labelId)) || a.labelId - b.labelId;
  if (a.by === 'layer' && b.by === 'layer') return (b.zOrder ?? -Infinity) - (a.zOrder ?? -Infinity);
  if (a.by === 'track' && b.by === 'track') return kinds.indexOf(a.kind) - kinds.indexOf(b.kind);
  if (a.by === 'group' && b.by === 'group') return (a.group || Infinity) - (b.group || Infinity);
  return 0;
}

export function groupObjects(
  records: readonly SceneRecord[],
  by: ObjectGrouping,
  nameOf: (labelId: number) => string,
): GroupedObjects {
  if (by === 'none') return { records, heads: new Map() };
  const groups = new Map<string, { readonly key: GroupKey; readonly members: SceneRecord[] }>();
  for (const record of records) {
    const key = keyOf(record, by);
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { key, members: [] };
    group.members.push(record);
    groups.set(name, group);
  }
  const sorted = [...groups.values()].toSorted((a, b) => compare(a.key, b.key, nameOf));
  const heads = sorted.flatMap(({ key, members }): [ClientId, ObjectGroup][] =>
    members[0] === undefined ? [] : [[members[0].clientId, { key, count: members.length }]],
  );
  return { records: sorted.flatMap(({ members }) => members), heads: new Map(heads) };
}
