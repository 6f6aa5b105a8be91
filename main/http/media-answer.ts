import { crc32 } from 'node:zlib';
import type { MediaContent } from '../media/range-frames.ts';
import type { FrameRange } from '../work/tasks/frame-service.ts';
import { fileAnswer } from './file-answer.ts';
import type { RequestContext } from './request-context.ts';

/** Asked for again each time, and answered 304 while nothing changed. */
const cacheControl = 'private, no-cache';

/** Media with the headers that clients compare. Bytes in memory get their checksum here. */
export function mediaAnswer(request: RequestContext, { media }: FrameRange, content: MediaContent): Response {
  const checksum = 'bytes' in content ? crc32(content.bytes).toString(16).padStart(8, '0') : content.checksum;
  const etag = 'bytes' in content ? checksum : content.etag;
  return fileAnswer(request.raw, {
    // Answers take bytes of their own memory, which is what the image library and the file system give.
    content: 'bytes' in content ? { bytes: content.bytes as Buffer<ArrayBuffer> } : content,
    contentType: content.contentType,
    ...(etag === undefined ? {} : { etag }),
    cacheControl,
    headers: { ...(checksum === undefined ? {} : { 'X-Checksum': checksum }), 'X-Updated-Date': media.created_date },
  });
}
