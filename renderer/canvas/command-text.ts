import type { CanvasLabel, CommandKind, CommandSummary, RecordChange, ShapeType } from './types.ts';

/** What all changed records have in common. */
export function summariseChanges(
  kind: CommandKind,
  changes: readonly RecordChange[],
  labels: ReadonlyMap<number, CanvasLabel>,
): CommandSummary {
  const types = new Set<ShapeType | 'tag'>();
  const names = new Set<string | null>();
  for (const { before, after } of changes) {
    const record = after ?? before;
    if (record === null) continue;
    types.add(record.kind === 'shape' ? record.type : 'tag');
    names.add(labels.get(record.labelId)?.name ?? null);
  }
  const [type = null] = types;
  const [labelName = null] = names;
  return {
    kind,
    count: changes.length,
    type: types.size === 1 ? type : null,
    labelName: names.size === 1 ? labelName : null,
  };
}

const verbs: Readonly<Record<CommandKind, string>> = {
  create: 'Added',
  delete: 'Deleted',
  move: 'Moved',
  resize: 'Resized',
  rotate: 'Rotated',
  vertex: 'Changed points of',
  mask: 'Repainted',
  label: 'Changed the label of',
  attributes: 'Changed attributes of',
  order: 'Changed the order of',
  group: 'Grouped',
  state: 'Changed the state of',
  display: 'Changed how to show',
  paste: 'Pasted',
  other: 'Changed',
};

/** `Moved rectangle "car"`, `Deleted 3 polygons`. */
export function describeInEnglish({ kind, count, type, labelName }: CommandSummary): string {
  const noun = type ?? 'object';
  const name = labelName === null ? '' : ` "${labelName}"`;
  if (count === 1) return `${verbs[kind]} ${noun}${name}`;
  const plural = noun === 'points' ? 'point sets' : `${noun}s`;
  return `${verbs[kind]} ${count} ${plural}${name}`;
}
