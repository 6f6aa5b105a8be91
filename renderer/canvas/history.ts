import type { Command, History, RecordChange } from './types.ts';

export interface EditableHistory extends History {
  /** Adds a command that has been run; what could be redone is forgotten. */
  push(command: Command): void;
  /** Moves one step and returns the command that has to be run backwards, or null at the beginning. */
  stepBack(): Command | null;
  /** Moves one step and returns the command that has to be run again, or null at the end. */
  stepForward(): Command | null;
}

/** The same step the other way round. */
export function invertCommand(command: Command): Command {
  return { ...command, changes: command.changes.map(invertChange).reverse() };
}

const invertChange = ({ clientId, before, after }: RecordChange): RecordChange => ({
  clientId,
  before: after,
  after: before,
});

export function createHistory(): EditableHistory {
  const listeners = new Set<() => void>();
  let commands: Command[] = [];
  let position = 0;

  const moved = <Result>(result: Result): Result => {
    for (const listener of listeners) listener();
    return result;
  };

  return {
    get canUndo() {
      return position > 0;
    },
    get canRedo() {
      return position < commands.length;
    },
    peekUndo: () => commands[position - 1] ?? null,
    peekRedo: () => commands[position] ?? null,
    list: () => ({ commands, position }),
    push(command) {
      commands = [...commands.slice(0, position), command];
      position = commands.length;
      moved(null);
    },
    stepBack() {
      const command = commands[position - 1];
      if (command === undefined) return null;
      position -= 1;
      return moved(command);
    },
    stepForward() {
      const command = commands[position];
      if (command === undefined) return null;
      position += 1;
      return moved(command);
    },
    clear() {
      commands = [];
      position = 0;
      moved(null);
    },
    restore(given, at) {
      commands = [...given];
      position = Math.max(0, Math.min(at, commands.length));
      moved(null);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
