import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { initialState } from '../../../../../../../renderer/features/workspace/model/types.ts';
import { createPlayer } from '../../../../../../../renderer/features/workspace/model/frames/player.ts';

/** A player of ten frames, by default a tenth of a second each, with a clock that the test controls. */
async function open({ at = 0, seconds = Array.from({ length: 10 }, (_, frame) => frame / 10) } = {}) {
  const store = createStore(() => initialState(at, [], true, 'standard'));
  const shown: number[] = [];
  const failures: unknown[] = [];
  let task: (() => void) | null = null;
  let clock = 0;
  const world = {
    store,
    shown,
    failures,
    hold: null as Promise<void> | null,
    player: createPlayer({
      job: { start_frame: 0, stop_frame: seconds.length - 1 },
      store,
      navigator: {
        async goTo(frame) {
          store.setState({ wantedFrame: frame });
          await world.hold;
          shown.push(frame);
        },
      },
      times: () => Promise.resolve({ first: 0, seconds, keyframes: [0, 4, 8], tolerance: 1 / 60 }),
      now: () => clock,
      schedule: (next) => void (task = next),
      onFailure: (error) => void failures.push(error),
    }),
    /** Advances the time, with a repaint every 50 ms. */
    async pass(durationMs: number) {
      for (const end = clock + durationMs; clock < end;) {
        clock += 50;
        const now = task;
        task = null;
        now?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
  world.player.toggle();
  await world.pass(0);
  await new Promise((resolve) => setImmediate(resolve));
  return world;
}

describe('the player', () => {
  it('shows each frame at its time, and ends on the last one', async () => {
    const world = await open();
    await world.pass(450);
    expect(world.shown).toEqual([1, 2, 3, 4]);
    await world.pass(2_000);
    expect(world.shown).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(world.store.getState()).toMatchObject({ playing: false, wantedFrame: 9 });
  });

  it('uses the times of the video, not a rate', async () => {
    const world = await open({ seconds: [0, 0.1, 1, 1.1] });
    await world.pass(900);
    expect(world.shown).toEqual([1]);
    await world.pass(250);
    expect(world.shown).toEqual([1, 2, 3]);
  });

  it('skips late frames, and is exact where it stops', async () => {
    const world = await open();
    let release = (): void => undefined;
    world.hold = new Promise((resolve) => (release = resolve));
    await world.pass(500);
    expect(world.shown).toEqual([]);
    release();
    world.hold = null;
    await world.pass(100);
    expect(world.shown).toEqual([1, 6]);
    world.player.toggle();
    await world.pass(500);
    expect(world.shown).toEqual([1, 6]);
  });

  it('changes its speed while it plays', async () => {
    const world = await open();
    await world.pass(200);
    world.player.setSpeed(4);
    await world.pass(100);
    world.player.setSpeed(0.1);
    await world.pass(400);
    expect(world.store.getState().wantedFrame).toBeGreaterThanOrEqual(4);
    expect(world.store.getState().wantedFrame).toBeLessThan(8);
  });

  it('repeats a part until it is stopped', async () => {
    const world = await open({ at: 7 });
    world.player.setLoop({ from: 2, to: 4 });
    await world.pass(1_000);
    expect(new Set(world.shown.slice(1))).toEqual(new Set([2, 3, 4]));
    expect(world.store.getState().playing).toBe(true);
    world.player.setLoop(null);
    await world.pass(2_000);
    expect(world.store.getState()).toMatchObject({ playing: false, wantedFrame: 9 });
    world.player.setLoop({ from: 5, to: 5 });
    expect(world.store.getState().loop).toBeNull();
  });

  it('restarts at the end, and stops when the user opens another frame', async () => {
    const world = await open({ at: 9 });
    await world.pass(150);
    expect(world.shown.slice(0, 2)).toEqual([0, 1]);
    world.store.setState({ wantedFrame: 8 });
    await world.pass(200);
    expect(world.store.getState()).toMatchObject({ playing: false, wantedFrame: 8 });
  });

  it("moves to the file's own keyframes, and stays if there is none", async () => {
    const world = await open({ at: 9 });
    world.player.toggle();
    world.store.setState({ wantedFrame: 5 });
    for (const [direction, frame] of [
      [1, 8],
      [1, 8],
      [-1, 4],
      [-1, 0],
      [-1, 0],
    ] as const) {
      await world.player.toKeyframe(direction);
      expect(world.store.getState().wantedFrame).toBe(frame);
    }
    expect(world.failures).toEqual([]);
  });
});
