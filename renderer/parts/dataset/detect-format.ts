import type { z } from 'zod';
import { formatCandidatesSchema } from '../../../preload/contract/schema/formats.ts';
import type { SentFile } from '../../api/uploads.ts';
import { upload } from '../../api/client.ts';

export type Candidate = z.infer<typeof formatCandidatesSchema>['candidates'][number];

/** Enough of a JSON or XML file to tell what it is. An archive's list stands at its end, so it goes whole. */
const headBytes = 256 * 1024;
const longestArchive = 512 * 1024 * 1024;
/** Where the word of a tar archive stands, and how long it is. */
const tarMark = { offset: 257, text: 'ustar' };

/** Whether the bytes are those of an archive, whatever the file is called: a zip, a gzip or a tar. */
function isArchive(head: Uint8Array): boolean {
  const starts = (...bytes: readonly number[]): boolean => bytes.every((byte, index) => head[index] === byte);
  const mark = new TextDecoder().decode(head.subarray(tarMark.offset, tarMark.offset + tarMark.text.length));
  return starts(0x50, 0x4b) || starts(0x1f, 0x8b) || mark === tarMark.text;
}

/** What of a file is sent to be recognised; null where it is an archive that is too large for that. */
export async function detectablePart(file: File): Promise<Blob | null> {
  const head = new Uint8Array(await file.slice(0, 512).arrayBuffer());
  if (!isArchive(head)) return file.slice(0, headBytes);
  return file.size > longestArchive ? null : file;
}

/** Asks the service about what is sent only for that. */
async function detectPart(file: File, part: Blob, signal: AbortSignal): Promise<unknown> {
  const form = new FormData();
  form.set('file', part, file.name);
  return (await upload({ method: 'POST', path: '/api/limner/detect', body: form, signal })).body;
}

/**
 * Asks the service which formats a file may be in, the likeliest first; empty where it cannot say. An archive that is on
 * its way to the service anyway is not sent for this.
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
