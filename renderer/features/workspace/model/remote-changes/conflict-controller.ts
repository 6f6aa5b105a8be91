import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { ObjectRecord, RecordChange } from '../../../../canvas/types.ts';
import type { RecordStore } from '../record-store.ts';
import type { RemoteChanges } from './follow-remote-changes.ts';
import { possibleChoice } from '../saving/conflict.ts';
import { recordFromEdit } from '../saving/record-codec.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import type { ConflictChoice, Edit } from '../saving/save-types.ts';

interface ConflictControllerParts {
  readonly queue: Pick<SaveQueue, 'choose'>;
  readonly records: Pick<RecordStore, 'settle'>;
  readonly engine: Pick<CanvasEngine, 'showChanges'>;
  readonly newId?: () => string;
  /**
   * Reloads the objects from the service, because their remote version may have changed while the conflict was open.
   */
  readonly recheck: (news: RemoteChanges) => void;
}

/** Remote version of an object that was also edited here; null if it was deleted. */
export function theirRecord({ theirs, ...edit }: Edit): ObjectRecord | null {
  // The service returns an object of the same kind.
  return theirs === undefined || theirs === null
    ? null
    : recordFromEdit({ ...edit, deleted: false, body: theirs } as Edit);
}

/** A copy that keeps the local version as a new object with its own id. */
function copyOf(mine: ObjectRecord | null, clientId: string): RecordChange[] {
  if (mine === null) return [];
  const { serverId: _serverId, ...record } = mine;
  const elements =
    'elements' in record
      ? { elements: record.elements?.map((element, index) => ({ ...element, clientId: `${clientId}/${index}` })) }
      : {};
  // The same kind of record with another id.
  return [{ clientId, before: null, after: { ...record, ...elements, clientId } as ObjectRecord }];
}

/**
 * Conflicts: objects edited in this window and elsewhere. Both versions are kept and the local one is shown until the
 * user chooses.
 */
export function createConflictController({
  queue,
  records,
  engine,
  newId = () => crypto.randomUUID(),
  recheck,
}: ConflictControllerParts) {
  return {
    choose(conflict: Edit, wanted: ConflictChoice): void {
      const { localId } = conflict;
      const choice = possibleChoice(conflict, wanted);
      const copyId = newId();
      if (!queue.choose(localId, choice, copyId) || choice === 'mine') return;
      const mine = recordFromEdit(conflict);
      const changes = [
        { clientId: localId, before: mine, after: theirRecord(conflict) },
        ...(choice === 'both' ? copyOf(mine, copyId) : []),
      ];
      records.settle(changes);
      engine.showChanges(changes);
      const isTrack = conflict.collection === 'tracks';
      recheck({ frames: isTrack ? [] : [conflict.body.frame], tracks: isTrack });
    },
  };
}
