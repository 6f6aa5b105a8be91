import { joinKeys, splitKeys } from './arrange-objects.ts';
import type { PreparedFrame, PreparedMedia } from './media-preparation.ts';

/** Prepared media, whose unread frames are texts: a list of 100,000 objects takes a second to clone between threads. */
export interface PackedMedia {
  /** Without the frames behind the last one that was read. */
  readonly media: PreparedMedia;
  readonly paths: string;
  readonly files: string;
}

const isRead = ({ width, problem }: PreparedFrame): boolean => width > 0 || (problem ?? null) !== null;

export function packMedia(media: PreparedMedia): PackedMedia {
  if (media.kind !== 'images' || media.unread !== true) return { media, paths: '', files: '' };
  const read = media.frames.slice(0, media.frames.findLastIndex(isRead) + 1);
  const unread = media.frames.slice(read.length);
  return {
    media: { ...media, frames: read },
    paths: joinKeys(unread.map(({ path }) => path)),
    files: joinKeys(unread.map(({ file }) => file)),
  };
}

export function unpackMedia({ media, paths, files }: PackedMedia): PreparedMedia {
  if (media.kind !== 'images' || paths === '') return media;
  const stored = splitKeys(files);
  const unread = splitKeys(paths).map((path, index): PreparedFrame => {
    return { path, file: stored[index] ?? path, identity: null, width: 0, height: 0, related_files: [] };
  });
  return { ...media, frames: [...media.frames, ...unread] };
}
