import { z } from 'zod';
import { upload } from '../../api/transport.ts';

const candidatesSchema = z.object({
  candidates: z.array(z.object({ name: z.string(), reason: z.string(), confidence: z.number() })),
});
export type Candidate = z.infer<typeof candidatesSchema>['candidates'][number];

/** Enough of a JSON or XML file to tell what it is. An archive's list stands at its end, so it goes whole. */
const headBytes = 256 * 1024;
const longestArchive = 512 * 1024 * 1024;

/** Asks the service which formats a file may be in, the likeliest first; empty where it cannot say. */
export async function detectFormat(file: File, signal: AbortSignal): Promise<Candidate[]> {
  const archive = /\.zip$/i.test(file.name);
  if (archive && file.size > longestArchive) return [];
  const form = new FormData();
  form.set('file', archive ? file : file.slice(0, headBytes), file.name);
  try {
    const answer = await upload({ method: 'POST', path: '/api/limner/detect', body: form, signal });
    const parsed = candidatesSchema.safeParse(answer.body);
    return parsed.success ? parsed.data.candidates.toSorted((a, b) => b.confidence - a.confidence) : [];
  } catch {
    return [];
  }
}
