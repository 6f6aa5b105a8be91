import { X509Certificate } from 'node:crypto';
import { AppError, invalidField } from '../platform/errors.ts';
import { aboutAnswer, selfAnswer } from './server-answers.ts';
import type { CvatServer } from './server-client.ts';

/** Product versions of CVAT that are known to be compatible. */
const oldestVersion = [2, 73] as const;
const newestVersion = [2, 80] as const;

/** Checks the version and the token. */
export async function identify(server: CvatServer): Promise<{ readonly version: string; readonly username: string }> {
  const { version } = await server.read(aboutAnswer, '/api/server/about');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isAtLeast = ([a, b]: readonly [number, number]): boolean => major > a || (major === a && minor >= b);
  const isNewer = major > newestVersion[0] || (major === newestVersion[0] && minor > newestVersion[1]);
  if (!isAtLeast(oldestVersion) || isNewer) {
    const range = `${oldestVersion.join('.')} to ${newestVersion.join('.')}`;
    const message = `${server.host} runs CVAT ${version}. Limner exchanges with CVAT ${range}. Use a server of such a version.`;
    throw new AppError('conflict', message);
  }
  const { username } = await server.read(selfAnswer, '/api/users/self');
  return { version, username };
}

export function parsedAddress(text: string): string {
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== ''
  )
    throw invalidField(
      'address',
      `"${text}" is not the address of a server. Enter one such as https://cvat.example.org.`,
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

export function parsedCertificate(text: string): string {
  if (text.trim() === '') return '';
  try {
    return new X509Certificate(text).toString();
  } catch {
    throw invalidField('certificate', 'This is not a certificate. Give the file of the authority in PEM format.');
  }
}
