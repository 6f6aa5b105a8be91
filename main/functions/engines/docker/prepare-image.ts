import { join } from 'node:path';
import type Docker from 'dockerode';
import { stringify } from 'yaml';
import { AppError } from '../../../platform/errors.ts';
import { imagePart, taggedReference } from '../../configuration/image-reference.ts';
import type { ConfigurationDocument } from '../../configuration/parse-configuration.ts';
import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import { buildImage } from './build-image.ts';
import { commitImage } from './commit-image.ts';
import { handlerPlace, runtimePlace, type TextFile } from './handler-archive.ts';
import { findImage, madeForLabel, requireImage } from './images.ts';
import { hasRuntime, needsRuntime, runtimeFor } from './runtime-command.ts';

export type DeployWay = 'image' | 'handler' | 'build';

export interface PrepareInput {
  readonly configuration: FunctionConfiguration;
  readonly document: ConfigurationDocument;
  readonly way: DeployWay;
  /** The image to run for `image`, else the base image. */
  readonly image: string;
  readonly handlerDirectory: string | null;
  /** True if the folder contains a `function.yaml`. */
  readonly hasConfigurationFile: boolean;
  /** Files of the request, used instead of a folder. */
  readonly files: readonly TextFile[];
  readonly runtimesDirectory: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Distinguishes this deployment's image from earlier ones. */
  readonly stamp: string;
  readonly allowNetwork: boolean;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface PreparedImage {
  readonly name: string;
  /** Commands to try; null for the image's command. */
  readonly commands: readonly (readonly string[])[] | null;
  /** True if Limner built the image, so that it is deleted with its function. */
  readonly isMade: boolean;
}

export async function prepareImage(docker: Docker, input: PrepareInput): Promise<PreparedImage> {
  if (input.way === 'image') return prepareExisting(docker, input);
  const { configuration, image, log } = input;
  const runtime = runtimeFor(configuration);
  const target = await targetImage(docker, input);
  const files = [...input.files, ...configurationFile(input)];
  const runtimeDirectory = join(input.runtimesDirectory, runtime.name);
  if (input.way === 'build') {
    log(`Building ${target} from ${taggedReference(image)}${input.allowNetwork ? '' : ', without network access'}`);
    await buildImage(docker, {
      ...input,
      targetImage: target,
      baseImage: image,
      files,
      runtimeDirectory,
      runtimeName: runtime.name,
      command: runtime.commands[0] ?? [],
    });
  } else {
    await requireImage(docker, image, `the base image of "${configuration.name}"`);
    log(`Adding the handler to ${taggedReference(image)} as ${target}`);
    await commitImage(docker, {
      ...input,
      targetImage: target,
      baseImage: image,
      functionName: configuration.name,
      folders: [
        { source: runtimeDirectory, place: `${runtimePlace}/${runtime.name}` },
        ...(input.handlerDirectory === null ? [] : [{ source: input.handlerDirectory, place: handlerPlace }]),
      ],
      files: files.map(({ path, content }) => ({ path: `${handlerPlace}/${path}`, content })),
      command: runtime.commands[0] ?? [],
    });
  }
  return { name: target, commands: runtime.commands, isMade: true };
}

/** CVAT's handlers read their labels from a file with this name, even if they were deployed from another one. */
function configurationFile({ hasConfigurationFile, document, files }: PrepareInput): TextFile[] {
  if (hasConfigurationFile || files.some(({ path }) => path === 'function.yaml')) return [];
  return [{ path: 'function.yaml', content: stringify(document) }];
}

async function prepareExisting(docker: Docker, input: PrepareInput): Promise<PreparedImage> {
  const { configuration, image, log } = input;
  const found = await requireImage(docker, image, `which "${configuration.name}" runs`);
  if (hasRuntime(found)) return { name: image, commands: null, isMade: false };
  if (!needsRuntime(found)) {
    log(`Running ${taggedReference(image)} with its own server`);
    return { name: image, commands: null, isMade: false };
  }
  const runtime = runtimeFor(configuration);
  const name = madeName(input);
  log(`Adding Limner's runtime to ${taggedReference(image)}`);
  await commitImage(docker, {
    ...input,
    baseImage: image,
    targetImage: name,
    functionName: configuration.name,
    folders: [{ source: join(input.runtimesDirectory, runtime.name), place: `${runtimePlace}/${runtime.name}` }],
    files: [],
    command: runtime.commands[0] ?? [],
  });
  return { name, commands: runtime.commands, isMade: true };
}

const madeName = ({ configuration, stamp }: PrepareInput): string =>
  `limner-function/${imagePart(configuration.name)}:${stamp}`;

/**
 * Name of the new image. A configuration can set it, but not to an existing image: otherwise the next function on that
 * base image would run this function's code.
 */
async function targetImage(docker: Docker, input: PrepareInput): Promise<string> {
  const { configuration, way } = input;
  if (way !== 'build' || configuration.build.image === '') return madeName(input);
  const name = taggedReference(configuration.build.image);
  const existing = await findImage(docker, name);
  if (existing === null || existing.labels[madeForLabel] === configuration.name) return name;
  const message =
    `Cannot build "${configuration.name}" as "${name}": that image exists and was not built for this function. ` +
    'Change spec.build.image, or remove that image first.';
  throw new AppError('conflict', message);
}
