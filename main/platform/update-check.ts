import { z } from 'zod';
import { AppError } from './errors.ts';

const timeoutMs = 10_000;
const largestAnswer = 1_000_000;
const mostRedirects = 3;

/** A release as GitHub's API describes the latest one. */
const releaseSchema = z.object({
  tag_name: z.string().regex(/^v?\d+\.\d+\.\d+/, 'expected a version such as v1.2.0'),
  html_url: z.url({ protocol: /^https?$/ }),
});

export interface UpdateCheck {
  readonly current: string;
  readonly latest: string;
  readonly isNewer: boolean;
  /** Page of the release. Nothing is downloaded. */
  readonly page: string;
}

/** Asks one address for the latest release. The only request that Limner makes for itself, and only when asked. */
export async function checkForUpdate(address: string, current: string): Promise<UpdateCheck> {
  const failure = (reason: string): AppError =>
    new AppError(
      'unavailable',
      `Cannot check for updates at ${address}: ${reason} Check the address, or try again later.`,
    );
  const url = URL.parse(address);
  if (url === null || !isReleaseAddress(address))
    throw failure('the address is neither https:// nor on this computer.');
  let answer: Response;
  try {
    answer = await request(url, failure);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { cause = error } = error as Error;
    throw failure(`${cause instanceof Error ? cause.message : String(cause)}.`);
  }
  if (!answer.ok) throw failure(`it answered with status ${answer.status}.`);
  const release = releaseSchema.safeParse(await jsonOf(answer));
  if (!release.success) throw failure('it did not answer with a release ("tag_name" and "html_url").');
  const latest = release.data.tag_name.replace(/^v/, '');
  return { current, latest, isNewer: isNewer(latest, current), page: release.data.html_url };
}

/** Encrypted, or an address of this computer. */
export function isReleaseAddress(address: string): boolean {
  const { protocol = '', hostname = '' } = URL.parse(address) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(hostname));
}

/** Follows redirects within the host only. */
async function request(start: URL, failure: (reason: string) => AppError): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { Accept: 'application/json', 'User-Agent': 'limner' };
  let url = start;
  for (let step = 0; step <= mostRedirects; step += 1) {
    const answer = await fetch(url, { redirect: 'manual', signal, headers });
    const target = answer.status >= 300 && answer.status < 400 ? answer.headers.get('Location') : null;
    if (target === null) return answer;
    await answer.body?.cancel();
    const next = URL.parse(target, url.href);
    if (next === null || next.origin !== start.origin)
      throw failure(`it redirects to another host (${next?.origin ?? target}).`);
    url = next;
  }
  throw failure(`it redirects more than ${mostRedirects} times.`);
}

async function jsonOf(answer: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > largestAnswer) return null;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return null;
  }
}

/** Compares major, minor and patch; a pre-release comes before its release. */
function isNewer(latest: string, current: string): boolean {
  const numbers = (version: string) => version.split(/[-+]/)[0]?.split('.').map(Number) ?? [];
  const [a, b] = [numbers(latest), numbers(current)];
  const place = [0, 1, 2].find((index) => a[index] !== b[index]);
  if (place !== undefined) return (a[place] ?? 0) > (b[place] ?? 0);
  return current.includes('-') && !latest.includes('-');
}
