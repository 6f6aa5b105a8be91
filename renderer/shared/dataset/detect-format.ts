import type { z } from 'zod';
import { formatCandidatesSchema } from '../../../preload/contract/schema/formats.ts';
import type { SentFile } from '../../api/uploads.ts';
import { upload } from '../../api/client.ts';

export type Candidate = z.infer<typeof formatCandidatesSchema>['candidates'][number];

/**
 * Enough of a JSON or XML file to detect its format. An archive is sent completely, because its directory is at the
 * end.
 */
const headBytes = 256 * 1024;
const longestArchive = 512 * 1024 * 1024;
/** Position and text of a tar archive's signature. */
const tarMark = { offset: 257, text: 'ustar' };

/** Detects zip, gzip and tar by content, regardless of the file name. */
function isArchive(head: Uint8Array): boolean {
  const starts = (...bytes: readonly number[]): boolean => bytes.every((byte, index) => head[index] === byte);
  const mark = new TextDecoder().decode(head.subarray(tarMark.offset, tarMark.offset + tarMark.text.length));
  return starts(0x50, 0x4b) || starts(0x1f, 0x8b) || mark === tarMark.text;
}

/** Part of a file to send for detection; null for an archive that is too large. */
export async function detectablePart(file: File): Promise<Blob | null> {
  const head = new Uint8Array(await file.slice(0, 512).arrayBuffer());
  if (!isArchive(head)) return file.slice(0, headBytes);
  return file.size > longestArchive ? null : file;
}

/** Sends a part of the file only for detection. */
async function detectPart(file: File, part: Blob, signal: AbortSignal): Promise<unknown> {
  const form = new FormData();
  form.set('file', part, file.name);
  return (await upload({ method: 'POST', path: '/api/limner/detect', body: form, signal })).body;
}

/**
 * Possible formats of a file, most likely first; empty if unknown. An archive that is already being uploaded is not
 * sent again.
 */
export async function detectFormat(file: File, signal: AbortSignal, sent?: SentFile): Promise<Candidate[]> {
  try {
    const part = await detectablePart(file);
    const isWhole = part === null || part === file;
    if (part === null && sent === undefined) return [];
    const answer = isWhole && sent ? await sent.detect(signal) : await detectPart(file, part ?? file, signal);
    const parsed = formatCandidatesSchema.safeParse(answer);
    return parsed.success ? parsed.data.candidates.toSorted((a, b) => b.confidence - a.confidence) : [];
  } catch {
    return [];
  }
}
