import { createHash, randomUUID, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { configurationNames, isConfiguration } from '../../preload/contract/model-configurations.ts';
import { createDurableFiles, type DurableFiles } from '../platform/durable-files.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { readOnnx, type OnnxFile } from './onnx/read-onnx.ts';
import { writeWithFreeSizes } from './onnx/free-sizes.ts';
import { decoderFile, modelFile } from './onnx-model.ts';

/** An uploaded and inspected file without a function. */
export interface StagedFile {
  readonly id: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly path: string;
  readonly file: OnnxFile;
  /** Sizes of the received files with weights, by name. */
  readonly data: Map<string, number>;
  /** Contents of the configurations beside the file, by name. */
  readonly configurations: Map<string, string>;
}

/** Files with weights that were not received yet. */
export const missingFiles = ({ file, data }: StagedFile): string[] => file.dataFiles.filter((name) => !data.has(name));

const maxFileBytes = 2 * 1024 ** 3;
/** Weights in files beside the model: the limit is the memory of a model process. */
const maxDataBytes = 4 * 1024 ** 3;
const maxConfigurationBytes = 4 * 1024 ** 2;
const keptStaged = 16;

export type ModelFileStore = ReturnType<typeof createModelFileStore>;

/** Storage of model files: those of functions in the data volume, staged ones in the run folder. */
export function createModelFileStore(dataDirectory: string) {
  const staging = join(dataDirectory, 'run', 'weights');
  const home = join(dataDirectory, 'data', 'weights');
  const staged = new Map<string, StagedFile>();
  let isClean = false;

  async function place(): Promise<string> {
    if (!isClean) await rm(staging, { recursive: true, force: true });
    isClean = true;
    const id = randomUUID();
    await mkdir(join(staging, id), { recursive: true, mode: 0o700 });
    return id;
  }

  async function drop(id: string): Promise<void> {
    staged.delete(id);
    await rm(join(staging, id), { recursive: true, force: true });
  }

  /** @throws AppError 400 if the file is not a model or refers to files of other folders */
  async function take(content: Readable, fileName: string): Promise<StagedFile> {
    const id = await place();
    const path = join(staging, id, modelFile);
    const hash = createHash('sha256');
    try {
      const sizeBytes = await receive(
        content,
        path,
        (read) => {
          if (read <= maxFileBytes) return;
          throw new AppError('too-large', `${fileName} is larger than 2 GiB, the limit of this format.`);
        },
        hash,
      );
      const file = readOnnx(path, fileName);
      const one = {
        id,
        fileName,
        sizeBytes,
        sha256: hash.digest('hex'),
        path,
        file,
        data: new Map(),
        configurations: new Map(),
      };
      staged.set(id, one);
      for (const oldest of [...staged.keys()].slice(0, -keptStaged)) await drop(oldest);
      return one;
    } catch (error) {
      await drop(id);
      throw error;
    }
  }

  function require(id: string): StagedFile {
    const found = staged.get(id);
    if (found) return found;
    throw invalidField('id', 'The uploaded file no longer exists. Choose it again.');
  }

  /**
   * Adds a file that belongs to an uploaded model: its weights, or a configuration.
   * @throws AppError 400 if it is neither
   */
  async function attach(id: string, content: Readable, fileName: string): Promise<StagedFile> {
    const model = require(id);
    if (model.file.dataFiles.includes(fileName)) {
      const others = [...model.data].reduce((sum, [name, bytes]) => sum + (name === fileName ? 0 : bytes), 0);
      const bytes = await receive(content, join(staging, id, fileName), (read) => {
        if (others + read <= maxDataBytes) return;
        throw new AppError(
          'too-large',
          `The weights of ${model.fileName} are larger than 4 GiB, the limit of a model.`,
        );
      });
      model.data.set(fileName, bytes);
      return model;
    }
    if (!isConfiguration(fileName)) {
      content.destroy();
      const needs = missingFiles(model).map((name) => `"${name}"`);
      throw invalidField(
        'name',
        `"${fileName}" does not belong to ${model.fileName}${needs.length === 0 ? '' : `, which needs ${needs.join(', ')}`}.`,
      );
    }
    model.configurations.set(fileName, await textOf(content, fileName));
    return model;
  }

  return {
    take,
    attach,
    require,
    async takeFile(path: string): Promise<StagedFile> {
      const facts = isAbsolute(path) ? await stat(path).catch(() => null) : null;
      if (!facts?.isFile()) throw invalidField('path', `There is no file ${path} on this computer.`);
      const model = await take(createReadStream(path), basename(path));
      for (const beside of await filesBeside(path, model.file.dataFiles)) {
        // oxlint-disable-next-line no-await-in-loop -- one file after the other, because weights are large
        await attach(model.id, createReadStream(beside.path), beside.name);
      }
      return model;
    },
    folderOf: (name: string): string => join(home, name),
    /** Folder of an uploaded file, for its first run. */
    stagedFolder: (id: string): string => join(staging, require(id).id),
    /** Runs work in a separate folder with the same files as for a function. Several trials may run at once. */
    async withTrialFolder<Result>(
      id: string,
      decoder: string | null,
      freesSizes: boolean,
      work: (folder: string) => Promise<Result>,
    ): Promise<Result> {
      const folder = join(staging, `trial-${randomUUID()}`);
      try {
        await fill(folder, require(id), decoder === null ? null : require(decoder), freesSizes);
        return await work(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    /** Moves the files of a function to their place and syncs them to disk. */
    async keep(name: string, id: string, decoder: string | null, freesSizes: boolean): Promise<void> {
      const folder = join(home, name);
      await rm(folder, { recursive: true, force: true });
      const files = createDurableFiles();
      await files.makeFolder(folder);
      await fill(folder, require(id), decoder === null ? null : require(decoder), freesSizes);
      await files.writtenBelow(folder);
      await files.sync();
    },
    /** Deletes a staged file after a function has taken it. */
    drop,
    async keepDecoder(name: string, id: string): Promise<void> {
      const folder = join(home, name);
      const files = createDurableFiles();
      await files.makeFolder(folder);
      await rm(join(folder, decoderFile), { force: true });
      await files.copy(require(id).path, join(folder, decoderFile));
      await copyData(files, folder, [require(id)]);
      await files.sync();
      await drop(id);
    },
    remove: (name: string): Promise<void> => rm(join(home, name), { recursive: true, force: true }),
  };
}

async function fill(folder: string, model: StagedFile, decoder: StagedFile | null, freesSizes: boolean): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = createDurableFiles();
  if (freesSizes) await writeWithFreeSizes(model.path, model.file, join(folder, modelFile));
  else await files.copy(model.path, join(folder, modelFile));
  if (decoder !== null) await files.copy(decoder.path, join(folder, decoderFile));
  await copyData(files, folder, decoder === null ? [model] : [model, decoder]);
}

/** @throws AppError 400 if weights are missing, or if two models have different weights of one name */
async function copyData(files: DurableFiles, folder: string, models: readonly StagedFile[]): Promise<void> {
  const names = new Set<string>();
  for (const model of models) {
    const missing = missingFiles(model);
    if (missing.length > 0) throw invalidField('id', missingText(model.fileName, missing));
    for (const name of model.data.keys()) {
      if (names.has(name))
        throw invalidField('decoder', `Both files store their weights in "${name}". Rename one of them.`);
      names.add(name);
      // oxlint-disable-next-line no-await-in-loop -- one file after the other, because weights are large
      await files.copy(join(dirname(model.path), name), join(folder, name));
    }
  }
}

export const missingText = (fileName: string, missing: readonly string[]): string =>
  `${fileName} stores its weights in ${missing.map((name) => `"${name}"`).join(', ')}, which is missing. Add it together with the model.`;

/** Writes a stream to a file and returns its length. */
async function receive(content: Readable, path: string, check: (bytes: number) => void, hash?: Hash): Promise<number> {
  let bytes = 0;
  await pipeline(
    content,
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        bytes += piece.length;
        check(bytes);
        hash?.update(piece);
        yield piece;
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  );
  return bytes;
}

async function textOf(content: Readable, fileName: string): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of content as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxConfigurationBytes) throw new AppError('too-large', `${fileName} is larger than 4 MiB.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Weights and configurations beside a model. Links are followed only to the folder of the model itself. */
async function filesBeside(path: string, dataFiles: readonly string[]) {
  const folder = dirname(path);
  const own = await realpath(path);
  const folders = [await realpath(folder), dirname(own)];
  // Optimum writes models to the folder "onnx" beside their configuration.
  if (basename(folder) === 'onnx') folders.push(dirname(folders[0]!));
  const stem = basename(path).replace(/\.onnx$/i, '');
  const names = [...dataFiles, ...configurationNames, `${stem}.yaml`, `${stem}.yml`];
  const places = names.flatMap((name) => {
    const outer = basename(folder) === 'onnx' && !dataFiles.includes(name) ? [join(dirname(folder), name)] : [];
    return [join(folder, name), ...outer].map((place) => ({ name, place }));
  });
  const found = new Map<string, string>();
  for (const { name, place } of places) {
    // oxlint-disable-next-line no-await-in-loop -- a handful of names
    const real = await realpath(place).catch(() => null);
    if (real === null || found.has(name) || !folders.includes(dirname(real))) continue;
    // oxlint-disable-next-line no-await-in-loop -- a handful of names
    if ((await stat(real)).isFile()) found.set(name, real);
  }
  return [...found].map(([name, real]) => ({ name, path: real }));
}
