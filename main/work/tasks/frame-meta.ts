import { basename } from 'node:path';
import type { Chapter, DataMeta } from '../../../preload/contract/schema/resources.ts';
import type { FrameState } from '../../media/image-identity.ts';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import {
  frameStep,
  type FrameRow,
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

  /** All frames of images, with placeholders for those outside the job; for a video one entry for all. */
  function described({ media: row, included }: FrameRange, rows: readonly ListedFrame[], states: FrameStates) {
    if (row.kind === 'video') {
      const { file } = storedVideo(row);
      return rows.map((frame) => ({ ...presentFrame(frame), name: basename(file) }));
    }
    const numbers = included && new Set(included);
    return rows.map((frame) =>
      numbers && !numbers.has(frame.frame) ? standIn(frame) : presentFrame(frame, states.get(frame.frame)),
    );
  }

  /** Frame numbers of the medium refer to its source; those of deleted frames are task-relative, as clients expect. */
  function meta(
    target: FrameRange,
    rows: readonly ListedFrame[],
    { disabled, states }: { readonly disabled: readonly number[]; readonly states: FrameStates },
  ): DataMeta {
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
      frames: described(target, rows, states),
      deleted_frames: [...new Set([...deletedOf(target), ...disabled])].sort((a, b) => a - b),
      included_frames: included === null ? null : included.map((frame) => row.start_frame + frame * step),
      chapters: row.kind === 'video' ? (storedVideo(row).chapters ?? []) : null,
      storage: row.cloud_storage_id !== null ? 'cloud_storage' : row.storage,
      cloud_storage_id: row.cloud_storage_id,
    };
  }

  /** The frames that `meta` describes. */
  const rowsOf = ({ media: row, first, last }: FrameRange): ListedFrame[] =>
    media.listedFrames(row.id, first, row.kind === 'video' ? first : last);

  return { frame, framesOf, rowsOf, meta };
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

function presentFrame(row: ListedFrame, changed?: FrameState) {
  const limner_state = row.problem ? 'unusable' : row.width === 0 ? 'unread' : changed;
  return {
    width: row.width,
    height: row.height,
    name: row.name,
    related_files: row.related.length,
    has_related_context: row.related.length > 0,
    limner_state,
  };
}
