import { basename } from 'node:path';
import type { Chapter, DataMeta } from '../../../preload/contract/schema/resources.ts';
import type { FrameState } from '../../media/image-identity.ts';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import type { Portions } from '../../platform/portions.ts';
import {
  awaitsImages,
  frameStep,
  type FrameRow,
  isUnread,
  type ListedFrame,
  type MediaRepository,
  type MediaRow,
} from '../tables/media-repository.ts';

/** Frames first..last (task-relative) of one medium. */
export interface FrameRange {
  readonly taskId: number;
  readonly media: MediaRow;
  readonly first: number;
  readonly last: number;
  /** The frames in between, in order, if not all of them belong to it (ground-truth jobs). */
  readonly included: readonly number[] | null;
}

/** States of images used in place, by frame. An unchanged image has none. */
export type FrameStates = ReadonlyMap<number, FrameState>;

/** Frames to list; by default all. */
export interface FramePart {
  readonly frame?: number | undefined;
  readonly count?: number | undefined;
}

interface Described {
  /** Further deleted frames. */
  readonly disabled: readonly number[];
  readonly states: FrameStates;
}

/** Some milliseconds of the thread that answers requests. */
const framesOfPortion = 1000;

export function createFrameMeta(media: MediaRepository) {
  function framesOf({ media: row, included }: FrameRange, first: number, last: number): FrameRow[] {
    const rows = media.frames(row.id, first, last);
    if (included === null) return rows;
    const numbers = new Set(included);
    return rows.filter(({ frame }) => numbers.has(frame));
  }

  /** A frame by its task-relative number, which must be in the range. */
  function frame(target: FrameRange, number: number): FrameRow {
    const isInside = number >= target.first && number <= target.last;
    const message = `Incorrect requested frame number: ${number}`;
    if (isInside && target.included !== null && !target.included.includes(number)) throw invalidRequest(message);
    const row = isInside ? media.frame(target.media.id, number) : undefined;
    if (!row) throw notFound(message);
    return row;
  }

  function deletedOf({ media: row, first, last, included }: FrameRange): number[] {
    const deleted = media.deletedFrames(row.id, first, last);
    return included === null ? deleted : deleted.filter((frame) => included.includes(frame));
  }

  /** Describes frames, with placeholders for those outside the job; for a video one entry for all. */
  function presenter({ media: row, included }: FrameRange, states: FrameStates) {
    const unread = awaitsImages(row) ? ('unsent' as const) : ('unread' as const);
    if (row.kind === 'video') {
      const name = basename(storedVideo(row).file);
      return (frame: ListedFrame) => ({ ...presentFrame(frame), name });
    }
    const numbers = included && new Set(included);
    return (frame: ListedFrame) =>
      numbers && !numbers.has(frame.frame)
        ? standIn(frame)
        : presentFrame(frame, isUnread(frame) ? unread : states.get(frame.frame));
  }

  /** Frame numbers of the medium refer to its source; those of deleted frames are task-relative, as clients expect. */
  function meta(target: FrameRange, rows: readonly ListedFrame[], { disabled, states }: Described): DataMeta {
    const { media: row, first, last, included } = target;
    const step = frameStep(row.frame_filter);
    return {
      chunks_updated_date: row.created_date,
      chunk_size: row.chunk_size,
      size: included?.length ?? last - first + 1,
      image_quality: row.image_quality,
      start_frame: row.start_frame + first * step,
      stop_frame: row.start_frame + last * step,
      frame_filter: row.frame_filter,
      frames: rows.map(presenter(target, states)),
      deleted_frames: [...new Set([...deletedOf(target), ...disabled])].sort((a, b) => a - b),
      included_frames: included === null ? null : included.map((frame) => row.start_frame + frame * step),
      chapters: row.kind === 'video' ? (storedVideo(row).chapters ?? []) : null,
      storage: row.cloud_storage_id !== null ? 'cloud_storage' : row.storage,
      cloud_storage_id: row.cloud_storage_id,
    };
  }

  const lastListed = ({ media: row, first, last }: FrameRange): number => (row.kind === 'video' ? first : last);

  /** The frames that `meta` describes. */
  const rowsOf = (target: FrameRange): ListedFrame[] =>
    media.listedFrames(target.media.id, target.first, lastListed(target));

  /** JSON of `meta`, which lists only the frames of a part. A task may have 100,000 frames. */
  function* metaJson(target: FrameRange, also: Described, part: FramePart = {}): Portions<Buffer> {
    const { media: row } = target;
    // All frames of a video share one description.
    const first = row.kind === 'video' ? target.first : Math.max(target.first, part.frame ?? 0);
    const last = Math.min(lastListed(target), first + (part.count ?? Infinity) - 1);
    const present = presenter(target, also.states);
    const parts: Buffer[] = [];
    for (let from = first; from <= last; from += framesOfPortion) {
      const rows = media.listedFrames(row.id, from, Math.min(last, from + framesOfPortion - 1));
      parts.push(Buffer.from(`${from === first ? '' : ','}${JSON.stringify(rows.map(present)).slice(1, -1)}`));
      yield;
    }
    if (!media.get(row.id)) throw notFound('The task was deleted while its frames were read.');
    const { frames: _none, ...rest } = meta(target, [], also);
    const head = Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"frames":[`);
    return Buffer.concat([head, ...parts, Buffer.from(']}')]);
  }

  return { frame, framesOf, rowsOf, meta, metaJson };
}

/** Parses JSON written by `prepared-media.ts`. Tasks of earlier versions have no chapters. */
const storedVideo = ({ video }: MediaRow) =>
  JSON.parse(video ?? '{"file":""}') as { readonly file: string; readonly chapters?: Chapter[] };

/** Clients need the size of a frame to place objects, even if they do not receive its pixels. */
const standIn = ({ width, height }: ListedFrame) => ({
  width,
  height,
  name: 'placeholder.jpg',
  related_files: 0,
  has_related_context: false,
});

function presentFrame(row: ListedFrame, state?: FrameState | 'unread' | 'unsent') {
  const limner_state = row.problem ? 'unusable' : state;
  return {
    width: row.width,
    height: row.height,
    name: row.name,
    related_files: row.related.length,
    has_related_context: row.related.length > 0,
    limner_state,
  };
}
