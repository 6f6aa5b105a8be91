import { describe, expect, it } from 'vitest';
import type { CanvasEngine } from '../../../../../../../renderer/canvas/canvas-engine.ts';
import { createHistoryNavigator } from '../../../../../../../renderer/features/workspace/model/frames/history-navigator.ts';

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
};

function build(frames: readonly number[], reachable: (frame: number) => boolean = () => true) {
  let position = frames.length;
  let shown = 0;
  const log: string[] = [];
  const at = (index: number) => (frames[index] === undefined ? null : { frame: frames[index] });
  const engine = {
    getTool: () => ({ drawing: false }),
    history: { peekUndo: () => at(position - 1), peekRedo: () => at(position) },
    undo: () => void log.push(`undo on ${shown}, command ${(position -= 1)}`),
    redo: () => void log.push(`redo on ${shown}, command ${position++}`),
  };
  const navigator = createHistoryNavigator({
    engine: engine as unknown as CanvasEngine,
    frame: () => shown,
    navigator: {
      goTo: async (frame) => {
        await Promise.resolve();
        if (reachable(frame)) shown = frame;
      },
    },
  });
  return { navigator, log, shown: () => shown };
}

describe('undo and redo across frames', () => {
  it('shows the frame of the command before it is undone', async () => {
    const { navigator, log, shown } = build([3, 8]);
    navigator.undo();
    await settle();
    expect(log).toEqual(['undo on 8, command 1']);
    expect(shown()).toBe(8);
  });

  it('never changes another frame when the key is held down', async () => {
    const { navigator, log } = build([1, 1, 5]);
    for (let times = 0; times < 5; times += 1) navigator.undo();
    navigator.redo();
    await settle();
    expect(log).toEqual([
      'undo on 5, command 2',
      'undo on 1, command 1',
      'undo on 1, command 0',
      'redo on 1, command 0',
    ]);
  });

  it('undoes nothing when its frame cannot be shown', async () => {
    const { navigator, log } = build([9], () => false);
    navigator.undo();
    await settle();
    expect(log).toEqual([]);
  });
});
