import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { MediaContent } from '../media/range-frames.ts';
import type { FrameRange } from '../work/tasks/frame-service.ts';
import { fileAnswer } from './file-answer.ts';
import type { RequestContext } from './request-context.ts';

/** Asked for again each time, and answered 304 while nothing changed. */
const cacheControl = 'private, no-cache';

/** Summed up without a pause: under a millisecond. */
const pieceBytes = 1024 * 1024;

/** Media with the headers that clients compare. Bytes in memory get their checksum here. */
export async function mediaAnswer(
  request: RequestContext,
  { media }: FrameRange,
  content: MediaContent,
): Promise<Response> {
  const checksum = 'bytes' in content ? await checksumOf(content.bytes) : content.checksum;
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

/** Others are answered between the pieces: a frame may have 50 MB. */
async function checksumOf(bytes: Uint8Array): Promise<string> {
  let sum = crc32(bytes.subarray(0, pieceBytes));
  for (let start = pieceBytes; start < bytes.byteLength; start += pieceBytes) {
    await nextTurn();
    sum = crc32(bytes.subarray(start, start + pieceBytes), sum);
  }
  return sum.toString(16).padStart(8, '0');
}
