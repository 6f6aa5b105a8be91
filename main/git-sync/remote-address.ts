import { isAbsolute } from 'node:path';
import { invalidField } from '../platform/errors.ts';

/** Location of a repository: an SSH server or a folder. */
export type RemoteAddress =
  | { readonly kind: 'ssh'; readonly text: string; readonly host: string; readonly port: number }
  | { readonly kind: 'folder'; readonly text: string };

const sshPort = 22;
// A host name with a leading dash would be an option of ssh.
const host = String.raw`(?<host>[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])`;
const user = String.raw`(?:[A-Za-z0-9_][A-Za-z0-9._-]*@)`;
const asUrl = new RegExp(String.raw`^ssh://${user}?${host}(?::(?<port>\d{1,5}))?/[^\s\0]+$`);
/** `git clone`'s short form: `git@server:team/data.git`. */
const asScp = new RegExp(String.raw`^${user}${host}:(?!//)[^\s\0:][^\s\0]*$`);

/** @throws AppError 400 for other text */
export function parseRemoteAddress(given: string): RemoteAddress {
  const text = given.trim();
  const match = asUrl.exec(text) ?? asScp.exec(text);
  if (match?.groups?.['host'] !== undefined) {
    const port = Number(match.groups['port'] ?? sshPort);
    if (port < 1 || port > 65_535) throw invalidField('address', 'The port must be a number from 1 to 65535.');
    return { kind: 'ssh', text, host: match.groups['host'].replace(/^\[|\]$/g, ''), port };
  }
  if (isAbsolute(text) && !/[\0\n\r]/.test(text)) return { kind: 'folder', text };
  if (/^https?:/i.test(text))
    throw invalidField(
      'address',
      'Repositories are accessed by SSH, not by HTTP. Enter the SSH address of the repository.',
    );
  throw invalidField(
    'address',
    'Enter the address of a repository: git@server:team/data.git, ssh://git@server:2222/team/data.git, or the absolute path of a folder.',
  );
}
