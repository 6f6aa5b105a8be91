import type { Job, VideoTimes } from '../../../../../preload/contract/schema/resources.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import type { AnnotateState, FrameNavigator, SessionParts } from '../types.ts';
import { nextOf } from './frame-navigator.ts';

/** Factors of the video's own speed. */
export const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8] as const;

interface PlayerParts extends Pick<SessionParts, 'store'> {
  readonly job: Pick<Job, 'start_frame' | 'stop_frame'>;
  readonly navigator: Pick<FrameNavigator, 'goTo'>;
  readonly times: () => Promise<VideoTimes>;
  /** Milliseconds. */
  readonly now: () => number;
  /** Runs a task before the next repaint. */
  readonly schedule: (task: () => void) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Plays a job by the video's timestamps. Late frames are skipped; the clock never waits. Pausing shows the exact frame.
 * Navigation stops the playback.
 */
export function createPlayer({ job, store, navigator, times, now, schedule, onFailure }: PlayerParts) {
  let run = 0;

  const stop = (): void => {
    run += 1;
    store.setState({ playing: false });
  };

  const start = async (): Promise<void> => {
    const mine = (run += 1);
    store.setState({ playing: true });
    const { first, seconds } = await times();
    if (mine !== run) return;
    // A frame without a timestamp is shown half a frame (at 30 fps) after the previous one.
    const shownAt: number[] = [];
    for (const time of seconds) shownAt.push(time ?? (shownAt.at(-1) ?? 0) + 1 / 60);
    const timeOf = (frame: number): number => shownAt[frame - first] ?? 0;
    const range = () => store.getState().loop ?? { from: job.start_frame, to: job.stop_frame };
    const frameAt = (time: number, from: number): number => {
      let frame = from;
      while (frame < job.stop_frame && timeOf(frame + 1) <= time) frame += 1;
      return frame;
    };
    const { wantedFrame } = store.getState();
    const { from, to } = range();
    let wanted = wantedFrame >= to || wantedFrame < from ? from : wantedFrame;
    let clock = { at: now(), time: timeOf(wanted), speed: store.getState().speed };
    let busy = false;
    const show = (frame: number): void => {
      wanted = frame;
      busy = true;
      void navigator
        .goTo(frame)
        .catch(() => undefined)
        .finally(() => (busy = false));
    };
    if (wanted !== wantedFrame) show(wanted);
    const tick = (): void => {
      if (mine !== run) return;
      const state = store.getState();
      if (state.wantedFrame !== wanted) return stop();
      const { at, time, speed } = clock;
      let media = time + ((now() - at) / 1000) * speed;
      if (state.speed !== speed) clock = { at: now(), time: media, speed: state.speed };
      const ends = range();
      // The last frame lasts as long as the previous one.
      const over = media >= timeOf(ends.to) + (timeOf(ends.to) - timeOf(Math.max(ends.from, ends.to - 1)));
      if (over && !state.loop) {
        if (busy) return schedule(tick);
        if (wanted !== ends.to) show(ends.to);
        return stop();
      }
      if (over) {
        media = timeOf(ends.from);
        clock = { at: now(), time: media, speed: state.speed };
      }
      const frame = Math.min(ends.to, frameAt(media, over ? ends.from : Math.max(wanted, ends.from)));
      if (frame !== wanted && !busy) show(frame);
      schedule(tick);
    };
    schedule(tick);
  };

  return {
    toggle() {
      if (store.getState().playing) stop();
      else
        start().catch((error: unknown) => {
          stop();
          onFailure(error);
        });
    },
    /** Goes to the video's next or previous keyframe, which decodes fastest. */
    async toKeyframe(direction: 1 | -1): Promise<void> {
      try {
        const { keyframes } = await times();
        const { wantedFrame } = store.getState();
        const next = nextOf(keyframes, wantedFrame, direction);
        if (next !== null) await navigator.goTo(next);
      } catch (error) {
        onFailure(error);
      }
    },
    setSpeed: (speed: number) => store.setState({ speed }),
    /** Loops this range; null plays once to the end. */
    setLoop(loop: AnnotateState['loop']) {
      const isRange = loop === null || loop.from < loop.to;
      store.setState({ loop: isRange ? loop : null });
    },
    times,
    close: stop,
  };
}

/** Player with the clock, repaints and messages of this window. */
export const openPlayer = (parts: Omit<PlayerParts, 'now' | 'schedule' | 'onFailure'>) =>
  createPlayer({
    ...parts,
    now: () => performance.now(),
    schedule: (task) => void requestAnimationFrame(task),
    onFailure: (error) => notify.failure(text('player.failed'), error),
  });
