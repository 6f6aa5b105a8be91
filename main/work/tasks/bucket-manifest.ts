import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { ManifestRequest } from '../../../preload/contract/schema/cloud-storages.ts';
import type { RequestRunner } from '../../background-requests/request-queue.ts';
import type { RequestService } from '../../background-requests/request-service.ts';
import { BucketError } from '../../buckets/bucket-error.ts';
import type { CloudStorageService } from '../../buckets/cloud-storage-service.ts';
import { joinKeys, type ListedObject } from '../../media/arrange-objects.ts';
import { readObjects } from '../../media/read-objects.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { Actor } from '../../users/access/actor.ts';
import { listBucket } from './bucket-listing.ts';
import { reportOf } from './task-data-service.ts';

interface Dependencies {
  readonly cloudStorages: Pick<CloudStorageService, 'clientForUpdate' | 'clientOf' | 'addManifest'>;
  readonly workers: Pick<WorkerPool, 'run'>;
}

interface ManifestParameters {
  readonly storageId: number;
  readonly prefix: string;
  /** Key of the manifest. */
  readonly path: string;
}

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);

/** Writes manifests of CVAT to buckets: the names and sizes of images, so that tasks open without reading them. */
export function createBucketManifestService({ cloudStorages }: Dependencies, requests: RequestService) {
  return {
    async start(actor: Actor, id: number, { prefix: stated, path: named, replace }: ManifestRequest) {
      const client = cloudStorages.clientForUpdate(actor, id);
      const prefix = stated === '' ? client.connection.prefix : stated;
      const path = named === '' ? `${folderOf(prefix)}manifest.jsonl` : named;
      if (!path.endsWith('.jsonl')) throw invalidField('path', `The name of a manifest ends in .jsonl, not ${path}.`);
      if (!prefix.startsWith(folderOf(path)))
        throw invalidField(
          'path',
          `Names in a manifest are relative to its folder, and ${folderOf(path)} is not a folder above ${prefix || 'the bucket'}. ` +
            `Write it to ${folderOf(prefix)}manifest.jsonl.`,
        );
      if (!replace && (await exists(() => client.facts(path))))
        throw invalidField('path', `${path} exists in the bucket. Choose another name, or replace it.`);
      const parameters: ManifestParameters = { storageId: id, prefix, path };
      return requests.start(actor, {
        key: { action: 'create', target: 'cloudstorage', targetId: id, subresource: 'manifest' },
        type: 'create:manifest',
        parameters: { ...parameters },
      });
    },
  };
}

async function exists(facts: () => Promise<unknown>): Promise<boolean> {
  try {
    await facts();
    return true;
  } catch (error) {
    if (error instanceof BucketError && error.problem === 'missing') return false;
    throw error;
  }
}

/** Images whose sizes are read between two reports of the progress. */
const portion = 200;

export function createBucketManifestRunner({ cloudStorages, workers }: Dependencies): RequestRunner {
  return async ({ parameters }, { signal, progress }) => {
    const { storageId, prefix, path } = JSON.parse(parameters) as ManifestParameters;
    const client = cloudStorages.clientOf(storageId);
    progress(0, 'Listing the objects');
    const chosen = { server_files: [prefix === client.connection.prefix ? '*' : prefix], server_files_exclude: [] };
    const { objects } = await listBucket(client, { ...chosen, filename_pattern: '' }, signal);
    const images = objects.filter(({ path: key }) => key !== path);
    const keys = joinKeys(images.map(({ path: key }) => key));
    const request = { location: { directory: '' }, sorting_method: 'natural' } as const;
    const { sources } = await workers.run('arrangeObjects', { keys, order: '', request }, { signal });
    const skipped: { name: string; reason: string }[] = [];
    const folder = await mkdtemp(join(tmpdir(), 'limner-manifest-'));
    try {
      const file = join(folder, 'manifest.jsonl');
      const output = await open(file, 'wx');
      try {
        await output.write(`${JSON.stringify({ version: '1.1' })}\n${JSON.stringify({ type: 'images' })}\n`);
        for (let start = 0; start < sources.length; start += portion) {
          // The numbers are places in this list.
          const part = Array.from(sources.subarray(start, start + portion), (place) => images[place] as ListedObject);
          const unread = part.map(({ path: key, ...object }, frame) => ({ frame, key, identity: '', ...object }));
          const read = await readObjects(client, unread, signal);
          const away = read.find(({ isAway }) => isAway);
          if (away) throw new AppError('invalid', `Cannot read the images: ${away.problem}`);
          const lines = read.flatMap(({ frame, width, height, problem }) => {
            const key = part[frame]?.path ?? '';
            if (problem === null) return [lineOf(key.slice(folderOf(path).length), width, height)];
            skipped.push({ name: key, reason: problem });
            return [];
          });
          await output.write(lines.join(''));
          progress(Math.min(1, (start + portion) / sources.length), 'Reading the sizes of images');
        }
      } finally {
        await output.close();
      }
      if (skipped.length === sources.length)
        throw new AppError('invalid', `None of the ${sources.length} objects is an image: ${skipped[0]?.reason}`);
      await client.write(path, file, signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    cloudStorages.addManifest(storageId, path);
    const count = sources.length - skipped.length;
    const written = `${path} with ${count === 1 ? '1 image' : `${count} images`} written.`;
    const left = { 0: '', 1: ' 1 object is not an image and was left out.' }[skipped.length];
    const message = `${written}${left ?? ` ${skipped.length} objects are not images and were left out.`}`;
    return { message, report: reportOf({ skipped, warnings: [] }) };
  };
}

function lineOf(name: string, width: number, height: number): string {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  return `${JSON.stringify({ name: stem, extension, width, height, meta: { related_images: [] } })}\n`;
}
