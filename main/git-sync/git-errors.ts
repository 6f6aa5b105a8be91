import { AppError } from '../platform/errors.ts';
import { GitFailure } from './git-program.ts';
import type { RemoteAddress } from './remote-address.ts';

type Sentence = readonly [said: RegExp, code: 'conflict' | 'unavailable' | 'forbidden', (where: string) => string];

/** Messages of git and ssh with the explanations for users. The first match counts. */
const sentences: readonly Sentence[] = [
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED|POSSIBLE DNS SPOOFING/,
    'conflict',
    (where) =>
      `${where} shows another host key than the confirmed one. Nothing was sent or changed. Ask the server's administrator: if the server was reinstalled, confirm its new key; otherwise another computer may be impersonating it.`,
  ],
  [
    /Host key verification failed|No \S+ host key is known/,
    'conflict',
    (where) => `The host key of ${where} is not confirmed yet. Nothing was sent. Compare and confirm it first.`,
  ],
  [
    /Permission denied \(|Too many authentication failures/,
    'forbidden',
    (where) => `${where} does not accept this SSH key. Nothing was changed. Add the public key to your account there.`,
  ],
  [
    /non-fast-forward|fetch first|\[rejected\]|cannot lock ref|failed to update ref/,
    'conflict',
    () => 'Someone else has pushed since your last pull. Nothing was sent. Pull, then push again.',
  ],
  [
    /remote rejected|pre-receive hook|protected branch|insufficient permission/i,
    'forbidden',
    (where) => `${where} rejected the push. Your annotations are unchanged.`,
  ],
  [
    /does not appear to be a git repository|repository.*not found|does not exist|not a git repository/i,
    'unavailable',
    (where) => `There is no repository at ${where} that this key can access. Nothing was changed. Check the address.`,
  ],
  [
    /Could not resolve hostname|Name or service not known/i,
    'unavailable',
    (where) => `Cannot resolve the name ${where}. Nothing was changed. Check the address and the network.`,
  ],
  [
    /Connection refused|timed out|Connection closed|Connection reset|No route to host|Network is unreachable|hung up|early EOF|unexpected disconnect|Broken pipe|Could not read from remote/i,
    'unavailable',
    (where) => `The connection to ${where} failed or ended too early. Nothing was changed. Try again.`,
  ],
];

export function explain(error: unknown, address: RemoteAddress): unknown {
  if (!(error instanceof GitFailure)) return error;
  const where = address.kind === 'ssh' ? address.host : address.text;
  if (/No space left/i.test(error.said)) return Object.assign(error, { code: 'ENOSPC' });
  const found = sentences.find(([said]) => said.test(error.said));
  if (found) {
    const [, code, sentence] = found;
    return new AppError(code, sentence(where), undefined, { cause: error });
  }
  const last = error.said.split('\n').findLast((line) => line.trim() !== '') ?? 'no reason';
  const message = `Git failed at ${where}: ${last.slice(0, 300)}`;
  return new AppError('unavailable', message, undefined, { cause: error });
}
