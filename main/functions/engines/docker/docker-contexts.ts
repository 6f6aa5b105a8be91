import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { EngineUnavailable } from './engine-problem.ts';

/** Certificates in PEM. */
export interface TlsMaterial {
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

export interface DockerContext {
  readonly name: string;
  readonly address: string;
  readonly skipsVerification: boolean;
}

const maxContexts = 100;
/** Larger files are no contexts and no certificates. */
const maxFileBytes = 1024 * 1024;
/** Docker's rule for names. */
export const contextName = /^[A-Za-z0-9][A-Za-z0-9_.+-]{0,127}$/;

const contextSchema = z.object({
  Name: z.string().regex(contextName),
  Endpoints: z.object({
    docker: z.object({ Host: z.string().min(1).max(2048), SkipTLSVerify: z.boolean().default(false) }),
  }),
});

type Environment = Readonly<Record<string, string | undefined>>;
const folderOf = (env: Environment) =>
  join(env['DOCKER_CONFIG'] || join(env['HOME'] || homedir(), '.docker'), 'contexts');
const idOf = (name: string) => createHash('sha256').update(name).digest('hex');

/**
 * Contexts of the user's Docker configuration, which other programs write. Files that are not contexts are ignored, as
 * `docker` does. Nothing is ever written.
 */
export function listContexts(env: Environment): DockerContext[] {
  const folder = join(folderOf(env), 'meta');
  return entriesOf(folder)
    .filter((id) => /^[0-9a-f]{64}$/.test(id))
    .slice(0, maxContexts)
    .flatMap((id) => {
      const { data } = contextSchema.safeParse(parsed(readSmall(join(folder, id, 'meta.json'))));
      if (data === undefined || idOf(data.Name) !== id || data.Name === 'default') return [];
      const { Host: address, SkipTLSVerify: skipsVerification } = data.Endpoints.docker;
      return [{ name: data.Name, address, skipsVerification }];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** @throws EngineUnavailable for a file that cannot be read */
export function readContextTls(env: Environment, name: string): TlsMaterial {
  const folder = join(folderOf(env), 'tls', idOf(name), 'docker');
  const there = new Set(entriesOf(folder));
  const read = (file: string): string | null => {
    if (!there.has(file)) return null;
    const text = readSmall(join(folder, file));
    if (text !== null) return text;
    throw new EngineUnavailable('failed', `Cannot read ${join(folder, file)} of the Docker context "${name}".`);
  };
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Text of a regular file; null for anything else. */
function readSmall(file: string): string | null {
  try {
    const facts = lstatSync(file);
    return facts.isFile() && facts.size <= maxFileBytes ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
