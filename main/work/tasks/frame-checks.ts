import { setImmediate } from 'node:timers/promises';
import type { ChangedFrames } from '../../../preload/contract/schema/resources.ts';
import { frameStates, type FrameState } from '../../media/image-identity.ts';
import type { FrameRange, FrameStates } from './frame-meta.ts';
import type { FrameRow } from '../tables/media-repository.ts';
import { mediaLocation, storedFrame } from './task-media.ts';

/** Media whose states are remembered; the least recently used are forgotten. */
const keptMedia = 200;
/** Files between two pauses of a check. */
const portion = 256;
/** A background check does not run again within this time. */
const freshMs = 60_000;

interface Checked {
  readonly states: Map<number, FrameState>;
  /** Time of the last background check of a range; infinite while it runs. */
  readonly times: Map<string, number>;
}

/** Reads the frames of a range between two numbers, both included. */
type ReadFrames = (first: number, last: number) => readonly FrameRow[];

function* framesInPortions({ first, last }: FrameRange, read: ReadFrames): Generator<readonly FrameRow[]> {
  for (let start = first; start <= last; start += portion) yield read(start, Math.min(last, start + portion - 1));
}

export type FrameChecks = ReturnType<typeof createFrameChecks>;

/**
 * Checks if images used in place were replaced or are missing, and remembers their states. A check reads the properties
 * of every file, so requests for many frames do not wait for it.
 */
export function createFrameChecks({ dataDirectory }: { readonly dataDirectory: string }) {
  const media = new Map<number, Checked>();
  const ending = new AbortController();

  function checkedOf(mediaId: number): Checked {
    const checked = media.get(mediaId) ?? { states: new Map(), times: new Map() };
    media.delete(mediaId);
    media.set(mediaId, checked);
    const [oldest] = media.keys();
    if (media.size > keptMedia && oldest !== undefined) media.delete(oldest);
    return checked;
  }

  const isInPlace = ({ media: row }: FrameRange): boolean => row.storage === 'share' && row.kind === 'images';

  /** Checks the files of these frames now. */
  async function check(target: FrameRange, portions: Iterable<readonly FrameRow[]>): Promise<FrameStates> {
    const found = new Map<number, FrameState>();
    if (!isInPlace(target)) return found;
    const { media: row, taskId } = target;
    const location = mediaLocation(dataDirectory, taskId, row);
    const { states: known } = checkedOf(row.id);
    for (const part of portions) {
      if (ending.signal.aborted) break;
      const files = part.map((frame) => ({ stored: storedFrame(row, frame), identity: frame.identity ?? null }));
      const states = await frameStates(location, files);
      for (const [index, { frame }] of part.entries()) {
        const state = states[index];
        if (state === undefined) known.delete(frame);
        else for (const map of [found, known]) map.set(frame, state);
      }
      await setImmediate();
    }
    return found;
  }

  return {
    check,
    /** Checks the files of all frames of the range now; names the changed ones. */
    async changed(target: FrameRange, read: ReadFrames): Promise<ChangedFrames> {
      const states = await check(target, framesInPortions(target, read));
      const results = [...states].flatMap(([frame, limner_state]) =>
        read(frame, frame).map(({ name }) => ({ frame, name, limner_state })),
      );
      return { results };
    },
    /** States of the last checks. Starts a check in the background if the last one is older than a minute. */
    known(target: FrameRange, read: ReadFrames): FrameStates {
      const { media: row, first, last, included } = target;
      if (!isInPlace(target)) return new Map();
      const { states, times } = checkedOf(row.id);
      const range = included?.join(' ') ?? `${first}-${last}`;
      if ((times.get(range) ?? 0) + freshMs < Date.now()) {
        times.set(range, Infinity);
        // A file that cannot be checked is reported when its frame is shown.
        void check(target, framesInPortions(target, read))
          .catch(() => undefined)
          .finally(() => times.set(range, Date.now()));
      }
      return states;
    },
    stop: (): void => ending.abort(),
  };
}
