import { createInterface } from 'node:readline';
import { AppError } from '../platform/errors.ts';
import type { BucketClient } from './bucket-client.ts';

/** Image of a manifest. */
export interface ManifestImage {
  /** Key in the bucket. */
  readonly key: string;
  /** Upright pixels; 0 if the manifest does not have them. */
  readonly width: number;
  readonly height: number;
}

/** Longer lines are not of a manifest. */
const maxLineLength = 1024 * 1024;

/**
 * Images of a `manifest.jsonl` of CVAT, whose names are relative to its folder.
 * @throws AppError 400 for another file, BucketError if it cannot be read
 */
export async function* manifestImages(
  client: BucketClient,
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<ManifestImage> {
  const { body } = await client.open(path, { signal });
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const lines = createInterface({ input: body, crlfDelay: Infinity });
  // Errors of the stream do not end the iteration of the lines.
  let failure: unknown;
  body.once('error', (error) => {
    failure = error;
    lines.close();
  });
  let number = 0;
  try {
    for await (const line of lines) {
      number += 1;
      const entry = parsed(line, path, number);
      if (entry === null) continue;
      yield { ...entry, key: `${folder}${entry.key}` };
    }
  } finally {
    lines.close();
    body.destroy();
  }
  if (failure !== undefined) throw failure;
}

function parsed(line: string, path: string, number: number): ManifestImage | null {
  if (line.trim() === '') return null;
  const wrong = (why: string) =>
    new AppError('invalid', `Cannot read the manifest ${path}: line ${number} ${why}. Create the manifest again.`);
  if (line.length > maxLineLength) throw wrong(`has ${line.length} characters`);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw wrong('is not JSON');
  }
  if (typeof value !== 'object' || value === null) throw wrong('is not a JSON object');
  const { name, extension, width, height, version, type, properties } = value as Record<string, unknown>;
  if (type === 'video' || properties !== undefined)
    throw wrong('describes a video, and a manifest of images is needed');
  if (version !== undefined || type !== undefined) return null;
  if (typeof name !== 'string' || typeof extension !== 'string') throw wrong('has no name and extension');
  const size = (side: unknown): number => (typeof side === 'number' && Number.isInteger(side) && side > 0 ? side : 0);
  return { key: `${name}${extension}`, width: size(width), height: size(height) };
}
