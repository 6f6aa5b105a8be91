import { defaultChunkSize } from '../../media/chunks.ts';
import type { PreparedMedia } from '../../media/media-preparation.ts';
import type { FrameRow, MediaRow } from '../tables/media-repository.ts';
import { keptFile } from './task-media.ts';

export function frameRows(prepared: PreparedMedia): FrameRow[] {
  if (prepared.kind === 'video') {
    const { width, height } = prepared.video;
    return prepared.frame_indices.map((index, frame) => ({
      frame,
      name: `frame_${String(index).padStart(6, '0')}`,
      file: null,
      width,
      height,
      related: [],
    }));
  }
  return prepared.frames.map(({ path, file, identity, width, height, problem, related_files: related }, frame) => ({
    frame,
    name: path,
    file: keptFile(path, file),
    identity,
    width,
    height,
    problem: problem ?? null,
    related: related.map((one) => one.file),
  }));
}

export interface MediaSettings {
  readonly chunk_size?: number | null;
  readonly image_quality: number;
  readonly use_zip_chunks?: boolean;
  readonly frame_filter: string;
  readonly sorting_method: string;
}

export function mediaRow(
  prepared: PreparedMedia,
  rows: readonly FrameRow[],
  settings: MediaSettings,
  now: string,
): Omit<MediaRow, 'id'> {
  const isVideo = prepared.kind === 'video';
  return {
    kind: prepared.kind,
    size: rows.length,
    chunk_size: settings.chunk_size ?? defaultChunkSize(isVideo ? undefined : rows[0]),
    image_quality: settings.image_quality,
    zip_chunks: settings.use_zip_chunks === false ? 0 : 1,
    start_frame: prepared.start_frame,
    stop_frame: prepared.stop_frame,
    frame_filter: settings.frame_filter,
    sorting_method: settings.sorting_method,
    storage: prepared.inPlace ? 'share' : 'local',
    video: isVideo ? JSON.stringify(prepared.video) : null,
    created_date: now,
    unread: prepared.kind === 'images' && prepared.unread === true ? 1 : 0,
    honeypots_per_job: null,
    cloud_storage_id: prepared.kind === 'images' ? (prepared.cloudStorageId ?? null) : null,
  };
}
