import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { configurationNames, isConfiguration } from '../../preload/contract/model-configurations.ts';
import { settingsFileName } from '../../preload/contract/schema/model-files.ts';
import type { DurableFiles } from '../platform/durable-files.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import type { OnnxFacts, OnnxFile } from './onnx/read-onnx.ts';

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

/** Weights in files beside the model: the limit is the memory of a model process. */
const maxDataBytes = 4 * 1024 ** 3;
/** Tokenizers of many languages have a quarter of a million entries. */
const maxConfigurationBytes = 32 * 1024 ** 2;

/**
 * Adds a file that belongs to an uploaded model: its weights, or a configuration.
 * @throws AppError 400 if it is neither
 */
export async function attachTo(model: StagedFile, content: Readable, fileName: string): Promise<StagedFile> {
  if (model.file.dataFiles.includes(fileName)) {
    // Incomplete if the upload fails.
    model.data.delete(fileName);
    const others = [...model.data].reduce((sum, [, bytes]) => sum + bytes, 0);
    const bytes = await receive(content, join(dirname(model.path), fileName), (read) => {
      if (others + read <= maxDataBytes) return;
      throw new AppError('too-large', `The weights of ${model.fileName} are larger than 4 GiB, the limit of a model.`);
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

/** @throws AppError 400 if weights are missing, or if two models have different weights of one name */
export async function copyData(files: DurableFiles, folder: string, models: readonly StagedFile[]): Promise<void> {
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

/** Stages a model of a server. Its address stands for the file. */
export async function stageServed(path: string, id: string, facts: OnnxFacts, fileName: string): Promise<StagedFile> {
  const content = JSON.stringify(facts.served);
  await writeFile(path, content, { mode: 0o600 });
  return {
    id,
    fileName,
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    path,
    file: { facts, graph: { number: 0, tagAt: 0, value: 0, start: 0, end: 0 }, places: [], dataFiles: [] },
    data: new Map(),
    configurations: new Map(),
  };
}

/** Writes a stream to a file and returns its length. */
export async function receive(
  content: Readable,
  path: string,
  check: (bytes: number) => void,
  hash?: Hash,
): Promise<number> {
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
    if (bytes > maxConfigurationBytes) throw new AppError('too-large', `${fileName} is larger than 32 MiB.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Weights and configurations beside a model. Links are followed only to the folder of the model itself. */
export async function filesBeside(path: string, dataFiles: readonly string[]) {
  const folder = dirname(path);
  const own = await realpath(path);
  const folders = [await realpath(folder), dirname(own)];
  // Optimum writes models to the folder "onnx" beside their configuration.
  if (basename(folder) === 'onnx') folders.push(dirname(folders[0]!));
  const stem = basename(path).replace(/\.onnx$/i, '');
  const named = [settingsFileName(basename(path)), `${stem}.yaml`, `${stem}.yml`, `${stem}.txt`];
  const names = [...dataFiles, ...configurationNames, ...named];
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
