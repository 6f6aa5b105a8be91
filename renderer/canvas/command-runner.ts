import { changed, removed } from './changes.ts';
import type { TextKey } from '../i18n/text-key.ts';
import { createFrameGuard, type FrameSizes } from './frame-guard.ts';
import type { EditableHistory } from './history.ts';
import { createHistorySteps } from './history-steps.ts';
import { sameRecord } from './same-record.ts';
import type { EditableScene } from './scene.ts';
import type { Selection } from './selection.ts';
import { occludedTogether } from './shapes/point-states.ts';
import { editTrack, startTrack, type IsMutable } from './tracks/keyframe-edit.ts';
import type { EditableTracks } from './tracks/track-set.ts';
import type {
  CanvasLabel,
  ClientId,
  Command,
  CommandInput,
  CommandKind,
  CommandOrigin,
  CommandSummary,
  HistoryStep,
  ObjectRecord,
  RecordChange,
  RecordPatch,
  SceneRecord,
  ShapeType,
  TextValues,
  TrackRecord,
} from './types.ts';

interface CommandRunnerParts {
  readonly scene: EditableScene;
  readonly tracks: EditableTracks;
  readonly selection: Selection;
  readonly history: EditableHistory;
  readonly labels: () => ReadonlyMap<number, CanvasLabel>;
  readonly newId: () => ClientId;
  readonly describe: (summary: CommandSummary) => string;
  readonly onCommand: (command: Command, origin: CommandOrigin) => void;
  readonly refuse: (why: TextKey, values?: TextValues) => void;
  readonly frames: FrameSizes;
}

export function createCommandRunner(parts: CommandRunnerParts) {
  const { scene, tracks, selection, history, onCommand, refuse } = parts;
  const isMutable: IsMutable = (labelId, specId) => parts.labels().get(labelId)?.mutable?.includes(specId) === true;

  const ofTrack = (change: RecordChange): RecordChange => {
    const { clientId, before, after } = change;
    const shape = after ?? before;
    if (shape?.kind !== 'shape' || shape.trackId === undefined) return change;
    const track = tracks.get(clientId) ?? null;
    if (after?.kind !== 'shape') return { clientId, before: track, after: null };
    const edited = track !== null && before?.kind === 'shape' ? editTrack(track, before, after, isMutable) : null;
    return { clientId, before: track, after: edited ?? startTrack(after, isMutable) };
  };
  const fitToFrames = createFrameGuard({ frames: parts.frames, shown: tracks.at, isMutable });
  /** Passes only changes of this frame to the scene. */
  const show = (changes: readonly RecordChange[]): void => {
    const upsert: SceneRecord[] = [];
    const remove: ClientId[] = [];
    const changed = new Map<ClientId, TrackRecord | null>();
    for (const { clientId, before, after } of changes) {
      if (isTrack(before) || isTrack(after)) changed.set(clientId, isTrack(after) ? after : null);
      else if (isOfScene(after)) upsert.push(after);
      else if (before?.frame === scene.frame) remove.push(clientId);
    }
    tracks.apply(changed);
    for (const [id, track] of changed) {
      const shown = track === null ? null : tracks.shown(track, scene.frame);
      if (shown === null) remove.push(id);
      else upsert.push(shown);
    }
    scene.apply(upsert, remove);
  };
  const run = (command: Command, origin: CommandOrigin): void => {
    show(command.changes);
    onCommand(command, origin);
  };
  let readOnly = false;
  /** Hiding and locking are allowed in read-only mode, because they are no annotations. */
  const isRefused = (kind: CommandKind | 'step'): boolean => {
    if (!readOnly || kind === 'display') return false;
    refuse('canvas.refused.readOnly');
    return true;
  };
  const execute = (input: CommandInput): Command | null => {
    if (isRefused(input.kind)) return null;
    const frame = input.frame ?? frameOf(input.changes[0]) ?? scene.frame;
    const wanted = input.changes
      .filter(({ before, after }) => !sameRecord(before, after))
      .map(ofTrack)
      .filter(({ before, after }) => !sameRecord(before, after));
    const { changes, fitted, left, frames } = fitToFrames(input.kind, wanted);
    if (fitted > 0 && left > 0) refuse('canvas.fit.objects', { fitted, left });
    else if (fitted > 0) refuse('canvas.fit.fitted', { count: fitted });
    else if (left > 0) refuse('canvas.fit.left', { count: left });
    else if (frames > 0) refuse('canvas.fit.frames', { count: frames });
    const { deletion } = input;
    if (changes.length === 0 && deletion === undefined) return null;
    const label = labelOf(input, changes) ?? parts.describe(summariseChanges(input.kind, changes, parts.labels()));
    const more = deletion === undefined ? {} : { deletion };
    const command: Command = { id: parts.newId(), kind: input.kind, frame, label, changes, ...more };
    history.push(command, input.series);
    run(command, 'do');
    if (input.kind === 'create' || input.kind === 'paste') select(changes);
    return command;
  };
  const select = (changes: readonly RecordChange[]): void => {
    const ids = selectable(changes);
    if (ids.length > 0) selection.set(ids);
  };
  const steps = createHistorySteps({ scene, tracks, history, show, run, select, refuse });
  const records = (ids: readonly ClientId[]): SceneRecord[] => ids.flatMap((id) => scene.get(id) ?? []);
  /** Includes selected tracks that are outside on this frame, because they can return. */
  const recordOf = (id: ClientId): SceneRecord[] => {
    const track = tracks.get(id);
    const record = scene.get(id) ?? (track === undefined ? null : tracks.at(track, scene.frame));
    return record === null ? [] : [record];
  };
  /** Tells the user why no object was changed. */
  const refuseAll = (ids: readonly ClientId[], locked: TextKey): void => {
    if (ids.length > 0) refuse(records(ids).length > 0 ? locked : 'canvas.refused.notHere');
  };

  return {
    takeIn: steps.takeIn,
    execute,
    isMutable,
    update(
      ids: readonly ClientId[],
      patch: RecordPatch | ((record: SceneRecord) => RecordPatch),
      kind: CommandKind = 'other',
    ): Command | null {
      const changes = ids.flatMap(recordOf).flatMap((before): RecordChange[] => {
        const given = typeof patch === 'function' ? patch(before) : patch;
        const isDisplay = 'locked' in given || 'hidden' in given;
        if (before.locked && !isDisplay) return [];
        return [changed(before, patched(before, given))];
      });
      if (changes.length === 0) refuseAll(ids, 'canvas.refused.lockedChange');
      return execute({ kind, changes });
    },
    remove(ids: readonly ClientId[], options: { readonly force?: boolean } = {}): Command | null {
      const changes = records(ids).flatMap((before): RecordChange[] =>
        before.locked && options.force !== true ? [] : [removed(before)],
      );
      if (changes.length === 0) refuseAll(ids, 'canvas.refused.lockedDelete');
      return execute({ kind: 'delete', changes });
    },
    /** If true, refuses every change, undo and redo with the reason. */
    setReadOnly(next: boolean) {
      readOnly = next;
    },
    undo: (): HistoryStep | null => (isRefused('step') ? null : steps.undo()),
    redo: (): HistoryStep | null => (isRefused('step') ? null : steps.redo()),
  };
}

export type CommandRunner = ReturnType<typeof createCommandRunner>;

const labelOf = ({ label }: CommandInput, { length }: readonly RecordChange[]): string | undefined =>
  typeof label === 'function' ? label(length) : label;

const isTrack = (record: ObjectRecord | null): record is TrackRecord => record?.kind === 'track';
const isOfScene = (record: ObjectRecord | null): record is SceneRecord => record !== null && !isTrack(record);

/** Null for tracks, which belong to no frame. */
const frameOf = (change: RecordChange | undefined): number | null => {
  const record = change?.after ?? change?.before ?? null;
  return isTrack(record) || isTrack(change?.before ?? null) ? null : (record?.frame ?? null);
};

const selectable = (changes: readonly RecordChange[]): ClientId[] =>
  changes.flatMap(({ after }) => (after === null || after.kind === 'tag' ? [] : [after.clientId]));

/** A tag accepts only the fields of tags. */
function patched(record: SceneRecord, patch: RecordPatch): SceneRecord {
  if (record.kind === 'shape') return { ...record, ...patch, ...occludedTogether(record, patch) };
  const { labelId, group, source, attributes, locked, hidden } = { ...record, ...patch };
  return { ...record, labelId, group, source, attributes, locked, hidden };
}

const typeOf = (record: ObjectRecord): ShapeType | 'tag' | 'track' =>
  record.kind === 'shape' ? record.type : record.kind;

function summariseChanges(
  kind: CommandKind,
  changes: readonly RecordChange[],
  labels: ReadonlyMap<number, CanvasLabel>,
): CommandSummary {
  const types = new Set<ReturnType<typeof typeOf>>();
  const names = new Set<string | null>();
  for (const { before, after } of changes) {
    const record = after ?? before;
    if (record === null) continue;
    types.add(typeOf(record));
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
