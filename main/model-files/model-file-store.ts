import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createDurableFiles } from '../platform/durable-files.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { readOnnx, type OnnxFacts } from './onnx/read-onnx.ts';
import { writeWithFreeSizes } from './onnx/free-sizes.ts';
import { attachTo, copyData, filesBeside, receive, stageServed, type StagedFile } from './model-file-parts.ts';
import { tokenizerFile, tokenizerFrom } from './prompts/tokenizer-files.ts';
import { decoderFile, modelFile } from './onnx-model.ts';

const maxFileBytes = 2 * 1024 ** 3;
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

  async function takeServed(facts: OnnxFacts, name: string): Promise<StagedFile> {
    const id = await place();
    const one = await stageServed(join(staging, id, modelFile), id, facts, name);
    staged.set(id, one);
    return one;
  }

  function require(id: string): StagedFile {
    const found = staged.get(id);
    if (found) return found;
    throw invalidField('id', 'The uploaded file no longer exists. Choose it again.');
  }

  const attach = (id: string, content: Readable, fileName: string): Promise<StagedFile> =>
    attachTo(require(id), content, fileName);

  return {
    take,
    takeServed,
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
      await files.sync();
      await drop(id);
    },
    remove: (name: string): Promise<void> => rm(join(home, name), { recursive: true, force: true }),
  };
}

async function fill(folder: string, model: StagedFile, decoder: StagedFile | null, freesSizes: boolean): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = createDurableFiles();
  // A server has its own file.
  if (freesSizes && model.file.facts.served === undefined)
    await writeWithFreeSizes(model.path, model.file, join(folder, modelFile));
  else await files.copy(model.path, join(folder, modelFile));
  if (decoder !== null) await files.copy(decoder.path, join(folder, decoderFile));
  const tokenizer = tokenizerFrom(model.configurations);
  if (tokenizer !== null) await files.write(join(folder, tokenizerFile), JSON.stringify(tokenizer));
  await copyData(files, folder, decoder === null ? [model] : [model, decoder]);
}
