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
  async function check(target: FrameRange, rows: readonly FrameRow[]): Promise<FrameStates> {
    const found = new Map<number, FrameState>();
    if (!isInPlace(target)) return found;
    const { media: row, taskId } = target;
    const location = mediaLocation(dataDirectory, taskId, row);
    const { states: known } = checkedOf(row.id);
    for (let start = 0; start < rows.length && !ending.signal.aborted; start += portion) {
      if (start > 0) await setImmediate();
      const part = rows.slice(start, start + portion);
      const files = part.map((frame) => ({ stored: storedFrame(row, frame), identity: frame.identity ?? null }));
      const states = await frameStates(location, files);
      for (const [index, { frame }] of part.entries()) {
        const state = states[index];
        if (state === undefined) known.delete(frame);
        else for (const map of [found, known]) map.set(frame, state);
      }
    }
    return found;
  }

  return {
    check,
    /** Checks the files of these frames now; names the changed ones. */
    async changed(target: FrameRange, rows: readonly FrameRow[]): Promise<ChangedFrames> {
      const states = await check(target, rows);
      const results = rows.flatMap(({ frame, name }) => {
        const limner_state = states.get(frame);
        return limner_state === undefined ? [] : [{ frame, name, limner_state }];
      });
      return { results };
    },
    /** States of the last checks. Starts a check in the background if the last one is older than a minute. */
    known(target: FrameRange, rows: readonly FrameRow[]): FrameStates {
      const { media: row, first, last, included } = target;
      if (!isInPlace(target)) return new Map();
      const { states, times } = checkedOf(row.id);
      const range = included?.join(' ') ?? `${first}-${last}`;
      if ((times.get(range) ?? 0) + freshMs < Date.now()) {
        times.set(range, Infinity);
        const numbers = included && new Set(included);
        const given = numbers ? rows.filter(({ frame }) => numbers.has(frame)) : rows;
        // A file that cannot be checked is reported when its frame is shown.
        void check(target, given)
          .catch(() => undefined)
          .finally(() => times.set(range, Date.now()));
      }
      return states;
    },
    stop: (): void => ending.abort(),
  };
}
