import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { FrameRange } from '../work/tasks/frame-service.ts';
import { fileAnswer, type Content } from './file-answer.ts';
import type { RequestContext } from './request-context.ts';

/** Asked for again each time, and answered 304 while nothing changed. */
const cacheControl = 'private, no-cache';

/** What is known of the content without reading it. */
export interface ContentMarks {
  readonly etag?: string;
  /** CRC-32 as eight hexadecimal digits. */
  readonly checksum?: string;
}

/** Media with the headers that clients compare. Bytes in memory get their marks here. */
export function mediaAnswer(
  request: RequestContext,
  { media }: FrameRange,
  content: Content,
  contentType: string,
  marks: ContentMarks = {},
): Response {
  const digest =
    marks.checksum ?? ('bytes' in content ? crc32(content.bytes).toString(16).padStart(8, '0') : undefined);
  return fileAnswer(request.raw, {
    content,
    contentType,
    etag: marks.etag ?? digest ?? randomUUID(),
    cacheControl,
    headers: { ...(digest === undefined ? {} : { 'X-Checksum': digest }), 'X-Updated-Date': media.created_date },
  });
}

/** Answers take bytes of their own memory, which is what the image library and the file system give. */
export const owned = (bytes: Buffer) => bytes as Buffer<ArrayBuffer>;
