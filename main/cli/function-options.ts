import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';

/** Folder of this computer (links resolved) and its path in the container. */
export interface Volume {
  readonly source: string;
  readonly target: string;
  readonly read_only: boolean;
}

export function collectVolume(text: string, previous: readonly Volume[] = []): Volume[] {
  const [, given = '', target = '', mode = 'rw'] = /^(.+?):(\/[^:]*)(?::(ro|rw))?$/.exec(text) ?? [];
  if (given === '')
    throw new InvalidArgumentError('A volume must be SOURCE:TARGET or SOURCE:TARGET:ro, with an absolute TARGET.');
  let path: string;
  try {
    path = realpathSync(resolve(given));
  } catch {
    throw new InvalidArgumentError(`${resolve(given)} does not exist on this computer.`);
  }
  return [...previous, { source: path, target, read_only: mode === 'ro' }];
}

export function collectPair(text: string, previous: readonly [string, string][] = []): [string, string][] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return [...previous, [name, value]];
}

export function parseVersion(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be the number of a version.');
}

export function parseSeconds(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds.');
  return Number(text);
}

/** Reads the number of workers from nuctl's `--triggers`: the only setting in it that CVAT's instructions use. */
export function parseTriggers(text: string): number {
  let workers: unknown;
  try {
    const [trigger] = Object.values(JSON.parse(text) as Record<string, unknown>);
    const { numWorkers, maxWorkers, ...others } = Object(trigger) as Record<string, unknown>;
    workers = Object.keys(others).every((key) => key === 'kind') ? (numWorkers ?? maxWorkers) : undefined;
  } catch {
    workers = undefined;
  }
  if (typeof workers === 'number' && Number.isInteger(workers) && workers >= 1) return workers;
  throw new InvalidArgumentError(
    'Only the number of workers can be changed here, for example {"myHttpTrigger": {"maxWorkers": 1}}. Change everything else in function.yaml.',
  );
}
