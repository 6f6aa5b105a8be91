import { createListeners } from './emitter.ts';
import type { ClientId, Command, RecordChange } from './types.ts';

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

function joined(first: Command, second: Command): Command | null {
  const earlier = new Map(first.changes.map((change) => [change.clientId, change]));
  const isSame = first.changes.length === second.changes.length && first.frame === second.frame;
  if (!isSame || !second.changes.every(({ clientId }) => earlier.has(clientId))) return null;
  const changes = second.changes.map((change) => ({ ...change, before: earlier.get(change.clientId)?.before ?? null }));
  return { ...second, changes };
}

/** Commands of all frames in order, without a limit. */
export function createHistory() {
  const listeners = createListeners();
  let commands: Command[] = [];
  let position = 0;
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
    /** The command that the next undo reverts. Its frame tells if the screen has to change the frame. */
    peekUndo: () => commands[position - 1] ?? null,
    peekRedo: () => commands[position] ?? null,
    /** All commands; the first `position` are applied, the rest can be redone. */
    list: (): { readonly commands: readonly Command[]; readonly position: number } => ({ commands, position }),
    /** Adds an executed command and drops the redo steps. A command of a series merges with the previous one. */
    push(command: Command, series?: string) {
      const before = commands[position - 1];
      const isInSeries = series !== undefined && last?.series === series && Date.now() - last.at < seriesPauseMs;
      const both = isInSeries && before !== undefined && !this.canRedo ? joined(before, command) : null;
      commands = [...commands.slice(0, both === null ? position : position - 1), both ?? command];
      position = commands.length;
      last = series === undefined ? null : { series, at: Date.now() };
      moved(null);
    },
    stepBack(): Command | null {
      const command = commands[position - 1];
      if (command === undefined) return null;
      position -= 1;
      last = null;
      return moved(command);
    },
    stepForward(): Command | null {
      const command = commands[position];
      if (command === undefined) return null;
      position += 1;
      last = null;
      return moved(command);
    },
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
    clear() {
      commands = [];
      position = 0;
      moved(null);
    },
    restore(given: readonly Command[], at: number) {
      commands = [...given];
      position = Math.max(0, Math.min(at, commands.length));
      moved(null);
    },
    subscribe: listeners.subscribe,
  };
}

export type EditableHistory = ReturnType<typeof createHistory>;
export type History = Omit<EditableHistory, 'push' | 'drop' | 'stepBack' | 'stepForward'>;
