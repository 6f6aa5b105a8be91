import type { TextKey } from '../i18n/text-key.ts';
import { invertCommand, type EditableHistory } from './history.ts';
import { sameContent } from './same-record.ts';
import type { EditableScene } from './scene.ts';
import type { EditableTracks } from './tracks/track-set.ts';
import type { ClientId, Command, CommandOrigin, HistoryStep, RecordChange } from './types.ts';

interface StepParts {
  readonly scene: EditableScene;
  readonly tracks: EditableTracks;
  readonly history: EditableHistory;
  readonly show: (changes: readonly RecordChange[]) => void;
  readonly run: (command: Command, origin: CommandOrigin) => void;
  readonly select: (changes: readonly RecordChange[]) => void;
  readonly refuse: (why: TextKey) => void;
}

/** Undo and redo. Skips objects that were changed remotely since. */
export function createHistorySteps({ scene, tracks, history, show, run, select, refuse }: StepParts) {
  /** Objects that differ from the history's state. Objects of other frames cannot be checked here. */
  const changedElsewhere = (changes: readonly RecordChange[]): ReadonlySet<ClientId> => {
    // A command may change an object twice; the first change has the original state.
    const first = new Map(changes.toReversed().map((change) => [change.clientId, change]));
    const isElsewhere = ({ clientId, before }: RecordChange): boolean => {
      const isOfOther = before !== null && before.kind !== 'track' && before.frame !== scene.frame;
      return !isOfOther && !sameContent(tracks.get(clientId) ?? scene.get(clientId) ?? null, before);
    };
    return new Set([...first.values()].filter(isElsewhere).map(({ clientId }) => clientId));
  };
  const step = (command: Command, origin: 'undo' | 'redo'): HistoryStep | null => {
    const given = origin === 'undo' ? invertCommand(command) : command;
    const gone = changedElsewhere(given.changes);
    if (gone.size > 0) {
      refuse('canvas.refused.changedElsewhere');
      history.drop(gone);
    }
    const changes = given.changes.filter(({ clientId }) => !gone.has(clientId));
    if (changes.length === 0 && given.deletion === undefined) return null;
    run({ ...given, changes }, origin);
    select(changes);
    return 'command';
  };

  return {
    undo(): HistoryStep | null {
      const command = history.stepBack();
      return command === null ? null : step(command, 'undo');
    },
    redo(): HistoryStep | null {
      const command = history.stepForward();
      return command === null ? null : step(command, 'redo');
    },
    /** Shows remote changes and drops undo steps on the same objects. */
    takeIn(changes: readonly RecordChange[]) {
      if (changes.length === 0) return;
      history.drop(new Set(changes.map(({ clientId }) => clientId)));
      show(changes);
    },
  };
}
