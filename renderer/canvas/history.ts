import { createListeners } from './emitter.ts';
import type { ClientId, Command, RecordChange } from './types.ts';

/** The same step the other way round. */
export function invertCommand(command: Command): Command {
  const { deletion } = command;
  return {
    ...command,
    changes: command.changes.map(invertChange).reverse(),
    ...(deletion === undefined ? {} : { deletion: { ...deletion, deleted: !deletion.deleted } }),
  };
}

const invertChange = ({ clientId, before, after }: RecordChange): RecordChange => ({
  clientId,
  before: after,
  after: before,
});

/** A pause this long ends a series of small commands. */
const seriesPauseMs = 1000;

/** Both as one, where the second goes on with what the first did. Null: it does not. */
function joined(first: Command, second: Command): Command | null {
  const earlier = new Map(first.changes.map((change) => [change.clientId, change]));
  const isSame = first.changes.length === second.changes.length && first.frame === second.frame;
  if (!isSame || !second.changes.every(({ clientId }) => earlier.has(clientId))) return null;
  const changes = second.changes.map((change) => ({ ...change, before: earlier.get(change.clientId)?.before ?? null }));
  return { ...second, changes };
}

/** Commands of all frames in the order in which they were done, without a limit. */
export function createHistory() {
  const listeners = createListeners();
  let commands: Command[] = [];
  let position = 0;
  /** The series that the last command is of, and when that was. */
  let last: { readonly series: string; readonly at: number } | null = null;

  const moved = <Result>(result: Result): Result => {
    listeners.tell();
    return result;
  };

  return {
    get canUndo(): boolean {
      return position > 0;
    },
    get canRedo(): boolean {
      return position < commands.length;
    },
    /** The command that the next undo takes back: its frame tells whether the screen has to go elsewhere. */
    peekUndo: () => commands[position - 1] ?? null,
    peekRedo: () => commands[position] ?? null,
    /** All commands; the first `position` of them are in force, the rest can be redone. */
    list: (): { readonly commands: readonly Command[]; readonly position: number } => ({ commands, position }),
    /** Adds a command that has been run; what could be redone is forgotten. One of a series joins the one before it. */
    push(command: Command, series?: string) {
      const before = commands[position - 1];
      const isInSeries = series !== undefined && last?.series === series && Date.now() - last.at < seriesPauseMs;
      const both = isInSeries && before !== undefined && !this.canRedo ? joined(before, command) : null;
      commands = [...commands.slice(0, both === null ? position : position - 1), both ?? command];
      position = commands.length;
      last = series === undefined ? null : { series, at: Date.now() };
      moved(null);
    },
    /** Moves one step and returns the command that has to be run backwards, or null at the beginning. */
    stepBack(): Command | null {
      const command = commands[position - 1];
      if (command === undefined) return null;
      position -= 1;
      last = null;
      return moved(command);
    },
    /** Moves one step and returns the command that has to be run again, or null at the end. */
    stepForward(): Command | null {
      const command = commands[position];
      if (command === undefined) return null;
      position += 1;
      last = null;
      return moved(command);
    },
    /** Somebody else changed these objects: what was done to them before is not taken back any more. */
    drop(ids: ReadonlySet<ClientId>) {
      const kept = (some: readonly Command[]): Command[] =>
        some.flatMap((command) => {
          const changes = command.changes.filter(({ clientId }) => !ids.has(clientId));
          if (changes.length === command.changes.length) return command;
          return changes.length === 0 && command.deletion === undefined ? [] : { ...command, changes };
        });
      const done = kept(commands.slice(0, position));
      commands = [...done, ...kept(commands.slice(position))];
      position = done.length;
      moved(null);
    },
    /** Forget everything (another job was opened). */
    clear() {
      commands = [];
      position = 0;
      moved(null);
    },
    /** Continue a stored history (a journal read back). */
    restore(given: readonly Command[], at: number) {
      commands = [...given];
      position = Math.max(0, Math.min(at, commands.length));
      moved(null);
    },
    subscribe: listeners.subscribe,
  };
}

export type EditableHistory = ReturnType<typeof createHistory>;
/** What a screen may do with it. */
export type History = Omit<EditableHistory, 'push' | 'drop' | 'stepBack' | 'stepForward'>;
