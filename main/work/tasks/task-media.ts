import { isAbsolute, join } from 'node:path';
import type { MediaLocation, StoredFrame } from '../../media/media-location.ts';
import { findVideoTools } from '../../media/video/ffmpeg.ts';
import { videoSearchPath } from '../../platform/settings.ts';
import type { KnownFrame } from '../../media/range-frames.ts';
import { videoIndexDirectory } from '../../media/media-frames.ts';
import { createVideoReader, type VideoReader } from '../../media/video/video.ts';
import { frameStep, type FrameRow, type MediaRow } from '../tables/media-repository.ts';

/** Folder of a task's media: `raw/` (uploads) and `cache/` (derived files). */
export function mediaDirectory(dataDirectory: string, taskId: number): string {
  return join(dataDirectory, 'data', String(taskId));
}

export function mediaLocation(dataDirectory: string, taskId: number, media: Pick<MediaRow, 'storage'>): MediaLocation {
  return { directory: mediaDirectory(dataDirectory, taskId), inPlace: media.storage === 'share' };
}

/** Location of a frame's pixels: its own file, or an index (in decode order) in the task's video. */
export function storedFrame(media: MediaRow, frame: FrameRow): StoredFrame {
  const video = media.video === null ? null : (JSON.parse(media.video) as { file: string });
  if (!video) return { path: frame.name, file: frame.file ?? frame.name, ...objectOf(media, frame) };
  const step = frameStep(media.frame_filter);
  return { path: frame.name, file: video.file, videoFrame: media.start_frame + frame.frame * step };
}

/** Begins the stored path of an object; its identity is `size:tag`. See `arrange-objects.ts`. */
const objectPrefix = 'bucket:';

function objectOf({ cloud_storage_id: storageId }: MediaRow, row: FrameRow): Pick<StoredFrame, 'object'> {
  const { frame, file, identity } = row;
  // Images that were added later may be files.
  if (storageId === null || !file?.startsWith(objectPrefix)) return {};
  const [size = ''] = (identity ?? '').split(':');
  const etag = (identity ?? '').slice(size.length + 1);
  return { object: { storageId, key: file.slice(objectPrefix.length), etag, sizeBytes: Number(size), frame } };
}

/** The same with the properties that chunks and previews need. */
export function knownFrame(media: MediaRow, frame: FrameRow): KnownFrame {
  const { width, height, related } = frame;
  return { ...storedFrame(media, frame), width, height, related };
}

/** ffmpeg of the settings or the PATH; undefined if there is none, in which case videos are refused. */
export async function videoReaderFor(dataDirectory: string, taskId: number): Promise<VideoReader | undefined> {
  const tools = await findVideoTools(videoSearchPath(dataDirectory));
  if (!tools) return undefined;
  return createVideoReader({
    tools,
    indexDirectory: videoIndexDirectory({ directory: mediaDirectory(dataDirectory, taskId) }),
  });
}

/** Stored path of a frame's file: null if the file is below `raw/` under its name. */
export function keptFile(path: string, file: string): string | null {
  return isAbsolute(file) || file !== path ? file : null;
}
