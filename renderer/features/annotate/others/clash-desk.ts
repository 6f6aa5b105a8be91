import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import type { ObjectRecord, RecordChange } from '../../../canvas/types.ts';
import type { RecordStore } from '../record-store.ts';
import type { OthersNews } from './follow-others.ts';
import { possibleChoice } from '../saving/clash.ts';
import { recordFromEdit } from '../saving/record-codec.ts';
import type { SaveQueue } from '../saving/save-queue.ts';
import type { ClashChoice, Edit } from '../saving/save-types.ts';

interface ClashParts {
  readonly queue: Pick<SaveQueue, 'choose'>;
  readonly records: Pick<RecordStore, 'settle'>;
  readonly engine: Pick<CanvasEngine, 'showChanges'>;
  readonly newId?: () => string;
  /** Brings what is on screen to what the service has: theirs may have changed again while it waited for its choice. */
  readonly recheck: (news: OthersNews) => void;
}

/** What somebody else made of an object that was changed here too; null: they deleted it. */
export function theirRecord({ theirs, ...edit }: Edit): ObjectRecord | null {
  // What the service has of an object is of its kind.
  return theirs === undefined || theirs === null
    ? null
    : recordFromEdit({ ...edit, deleted: false, body: theirs } as Edit);
}

/** Both of which hold is a new object: it goes to the service under its own name. */
function copyOf(mine: ObjectRecord | null, clientId: string): RecordChange[] {
  if (mine === null) return [];
  const { serverId: _serverId, ...record } = mine;
  const elements =
    'elements' in record
      ? { elements: record.elements?.map((element, index) => ({ ...element, clientId: `${clientId}/${index}` })) }
      : {};
  // The same kind of record under another name.
  return [{ clientId, before: null, after: { ...record, ...elements, clientId } as ObjectRecord }];
}

/** The choice for objects that were changed in this window and elsewhere: until then both are kept and mine is shown. */
export function createClashDesk({ queue, records, engine, newId = () => crypto.randomUUID(), recheck }: ClashParts) {
  return {
    choose(clash: Edit, wanted: ClashChoice): void {
      const { localId } = clash;
      const choice = possibleChoice(clash, wanted);
      const copyId = newId();
      if (!queue.choose(localId, choice, copyId) || choice === 'mine') return;
      const mine = recordFromEdit(clash);
      const changes = [
        { clientId: localId, before: mine, after: theirRecord(clash) },
        ...(choice === 'both' ? copyOf(mine, copyId) : []),
      ];
      records.settle(changes);
      engine.showChanges(changes);
      const isTrack = clash.collection === 'tracks';
      recheck({ frames: isTrack ? [] : [clash.body.frame], tracks: isTrack });
    },
  };
}
