import type Docker from 'dockerode';
import { AppError } from '../../../platform/errors.ts';
import type { Directive } from '../../configuration/parse-build.ts';
import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import { createArchive, handlerPlace, runtimePlace, type TextFile } from './handler-archive.ts';
import { madeForLabel, readProgress } from './images.ts';

const contextPlace = '.limner';

export interface BuildInput {
  readonly configuration: FunctionConfiguration;
  readonly baseImage: string;
  readonly targetImage: string;
  readonly handlerDirectory: string | null;
  readonly files: readonly TextFile[];
  readonly runtimeDirectory: string;
  readonly runtimeName: string;
  readonly command: readonly string[];
  readonly allowNetwork: boolean;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Lines of a function's Dockerfile, in Nuclio's order. */
export function dockerfileOf(
  input: Pick<BuildInput, 'configuration' | 'baseImage' | 'runtimeName' | 'command'>,
): string {
  const { configuration, baseImage, runtimeName, command } = input;
  const { build, name, handler } = configuration;
  const lines = ({ kind, value }: Directive) => `${kind} ${value}`;
  return [
    `FROM ${baseImage}`,
    ...Object.entries(build.args).map(([key, value]) => `ARG ${key}=${JSON.stringify(value)}`),
    ...build.preCopy.map(lines),
    `COPY ${contextPlace}/runtime /${runtimePlace}/${runtimeName}`,
    `COPY . /${handlerPlace}`,
    ...build.postCopy.map(lines),
    `ENV LIMNER_HANDLER=${JSON.stringify(handler)}`,
    `LABEL ${madeForLabel}=${JSON.stringify(name)}`,
    `CMD ${JSON.stringify(command)}`,
    '',
  ].join('\n');
}

/**
 * Builds a function's image, without network access unless it is allowed.
 * @throws AppError 400 with Docker's message if a step fails; no partial image remains
 */
export async function buildImage(docker: Docker, input: BuildInput): Promise<void> {
  const { configuration, targetImage, handlerDirectory, files, runtimeDirectory, allowNetwork, log, signal } = input;
  const context = createArchive(
    [
      { source: runtimeDirectory, place: `${contextPlace}/runtime` },
      ...(handlerDirectory === null ? [] : [{ source: handlerDirectory, place: '' }]),
    ],
    [...files, { path: `${contextPlace}/Dockerfile`, content: dockerfileOf(input) }],
    signal,
  );
  const output = await docker.buildImage(context, {
    t: targetImage,
    dockerfile: `${contextPlace}/Dockerfile`,
    // With `host`, name resolution works as on this computer.
    networkmode: allowNetwork ? 'host' : 'none',
    rm: true,
    forcerm: true,
    pull: false,
    nocache: configuration.build.noCache,
    abortSignal: signal,
  });
  const { problem } = await readProgress(output, log);
  if (problem === null) return;
  const hint = allowNetwork ? '' : ' The build had no network access.';
  const message = `Cannot build the image of "${configuration.name}": ${problem}${hint} The log shows every step.`;
  throw new AppError('invalid', message);
}
