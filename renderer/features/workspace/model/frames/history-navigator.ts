import type { FrameNavigator, SessionParts } from '../types.ts';

interface HistoryNavigatorParts extends Pick<SessionParts, 'engine'> {
  readonly navigator: Pick<FrameNavigator, 'goTo'>;
  readonly frame: () => number;
}

/**
 * Undo and redo that first show the frame of the step. Steps run one at a time, so that a held key never undoes on the
 * wrong frame.
 */
export function createHistoryNavigator({ engine, navigator, frame }: HistoryNavigatorParts) {
  let last: Promise<void> = Promise.resolve();
  const step = async (direction: 'undo' | 'redo'): Promise<void> => {
    if (!engine.getTool().drawing) {
      const command = direction === 'undo' ? engine.history.peekUndo() : engine.history.peekRedo();
      if (command === null) return;
      if (command.frame !== frame()) await navigator.goTo(command.frame);
      if (command.frame !== frame()) return;
    }
    if (direction === 'undo') engine.undo();
    else engine.redo();
  };
  const enqueue = (direction: 'undo' | 'redo'): void => {
    last = last.then(() => step(direction)).catch(() => undefined);
  };
  return { undo: () => enqueue('undo'), redo: () => enqueue('redo') };
}

export type HistoryNavigator = ReturnType<typeof createHistoryNavigator>;
