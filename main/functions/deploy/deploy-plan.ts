import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, posix } from 'node:path';
import type { DeployRequest } from '../../../preload/contract/schema/functions.ts';
import { findingSentence } from '../configuration/configuration-error.ts';
import type { FunctionConfiguration } from '../configuration/parse-configuration.ts';
import { isImageReference } from '../configuration/image-reference.ts';
import {
  parseConfigurationDocument,
  parseConfigurationText,
  type ConfigurationDocument,
} from '../configuration/parse-configuration.ts';
import type { DeployWay } from '../engines/docker/prepare-image.ts';
import { runtimeFor } from '../engines/docker/runtime-command.ts';
import type { TextFile } from '../engines/docker/handler-archive.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import { applyOverrides, type EnvOf } from './deploy-overrides.ts';

/** A deployment plan: all decisions before the first change. */
export interface DeployPlan {
  readonly configuration: FunctionConfiguration;
  readonly document: ConfigurationDocument;
  readonly warnings: readonly string[];
  readonly way: DeployWay;
  /** The image to run, or the base image for the handler. */
  readonly image: string;
  readonly archive: string | null;
  readonly directory: string | null;
  /** Equal to `directory` if the configuration names the folder and the user did not. */
  readonly copiedFolder: string | null;
  readonly hasConfigurationFile: boolean;
  readonly files: readonly TextFile[];
}

const configurationFile = 'function.yaml';
const maxFileCount = 1000;

/**
 * Plans a deployment: reads the configuration in place, applies overrides and chooses one of the four ways.
 * @throws AppError 400, with file, line and key for errors of the configuration
 */
export async function planDeployment(
  request: DeployRequest,
  samplesDirectory: string,
  envOf: EnvOf,
): Promise<DeployPlan> {
  const directory = await directoryOf(request, samplesDirectory);
  const { text, name } = await configurationText(request, directory);
  const parsed = parseConfigurationText(text, name);
  const changed = applyOverrides(parsed, request, envOf);
  const { configuration, document } = parseConfigurationDocument(changed.document, name);
  const files = [...requestFiles(request), ...sourceFile(configuration)];
  const folder = directory ?? (await buildPath(configuration));
  const way = chooseWay(request, configuration, folder !== null || files.length > 0);
  // Throws for unsupported runtimes, so that a check reports them as well.
  if (way !== 'image') runtimeFor(configuration);
  const image = imageFor(request, configuration, way);
  const notes = wayWarnings(request, configuration, way);
  return {
    configuration,
    document,
    warnings: [...parsed.warnings.map(findingSentence), ...changed.warnings, ...notes],
    way,
    image,
    archive: request.archive ?? null,
    directory: way === 'image' ? null : folder,
    copiedFolder: way === 'image' || directory !== null ? null : folder,
    hasConfigurationFile: folder !== null && (await isFile(join(folder, configurationFile))),
    files,
  };
}

async function directoryOf(request: DeployRequest, samples: string): Promise<string | null> {
  if (request.sample !== undefined) {
    const known = await readdir(samples).catch((): string[] => []);
    if (known.includes(request.sample)) return join(samples, request.sample);
    throw invalidField('sample', `There is no sample "${request.sample}". Available: ${known.toSorted().join(', ')}.`);
  }
  return request.directory === undefined ? null : checkedDirectory('directory', request.directory);
}

async function checkedDirectory(field: string, path: string): Promise<string> {
  if (!isAbsolute(path)) throw invalidField(field, `Enter the absolute path of the folder, not "${path}".`);
  const facts = await stat(path).catch(() => null);
  if (facts?.isDirectory()) return path;
  // Users may select the configuration file instead of its folder.
  if (facts?.isFile() && /\.(ya?ml|json)$/i.test(path)) return dirname(path);
  throw invalidField(field, `There is no folder ${path} on this computer.`);
}

async function configurationText(
  request: DeployRequest,
  directory: string | null,
): Promise<{ text: string; name: string }> {
  const { configuration: text, configuration_name: given } = request;
  if (text !== undefined) return { text, name: given ?? configurationFile };
  const uploaded = request.files?.find(({ path }) => path === (given ?? configurationFile));
  if (uploaded) return { text: Buffer.from(uploaded.content, 'base64').toString('utf8'), name: uploaded.path };
  if (directory === null)
    throw invalidField('configuration', 'A configuration (function.yaml) or a folder with one is needed.');
  const chosen =
    request.directory !== undefined && request.directory !== directory ? basename(request.directory) : null;
  const name = given ?? chosen ?? configurationFile;
  if (name !== posix.basename(name))
    throw invalidField('configuration_name', 'The configuration is in the folder itself.');
  try {
    return { text: await readFile(join(directory, name), 'utf8'), name };
  } catch (cause) {
    const message = `The folder ${directory} contains no readable ${name}.`;
    throw new AppError('invalid', message, { configuration: [message] }, { cause });
  }
}

/** Files of the request; their paths stay below the handler's folder. */
function requestFiles({ files = [] }: DeployRequest): TextFile[] {
  if (files.length > maxFileCount)
    throw invalidField('files', `More than ${maxFileCount} files. Choose a folder instead.`);
  return files.map(({ path, content }) => {
    const normal = posix.normalize(path);
    const isGood = !posix.isAbsolute(normal) && !normal.startsWith('..') && !/[\\\0\r\n]/.test(path) && normal !== '.';
    if (!isGood) throw invalidField('files', `"${path}" is not a path below the handler's folder.`);
    return { path: normal, content: Buffer.from(content, 'base64') };
  });
}

function sourceFile({ build, handler, runtime }: FunctionConfiguration): TextFile[] {
  if (build.functionSourceCode === '') return [];
  const [module = 'main'] = handler.split(':');
  const extension = runtime.language === 'nodejs' ? '.js' : '.py';
  const path = /\.\w+$/.test(module) ? module : `${module}${extension}`;
  return [{ path, content: Buffer.from(build.functionSourceCode, 'base64') }];
}

async function buildPath({ build }: FunctionConfiguration): Promise<string | null> {
  if (build.path === '' || build.functionSourceCode !== '') return null;
  return isAbsolute(build.path) ? checkedDirectory('configuration', build.path) : null;
}

function chooseWay(request: DeployRequest, configuration: FunctionConfiguration, hasHandler: boolean): DeployWay {
  const { build, image } = configuration;
  const hasDirectives = build.preCopy.length + build.postCopy.length > 0;
  if (request.way !== undefined) return checkedWay(request.way === 'archive' ? 'image' : request.way, hasHandler);
  if (request.archive !== undefined || request.image !== undefined) return 'image';
  if (!hasHandler && image !== '') return 'image';
  if (!hasHandler) return checkedWay('handler', hasHandler);
  return hasDirectives && request.base_image === undefined ? 'build' : 'handler';
}

function checkedWay(way: DeployWay, hasHandler: boolean): DeployWay {
  if (way === 'image' || hasHandler) return way;
  throw invalidField('directory', "Set the handler's folder, or an image that contains the handler.");
}

/** Falls back to Nuclio's default base image of the language. */
function imageFor(request: DeployRequest, configuration: FunctionConfiguration, way: DeployWay): string {
  const { build, image, runtime } = configuration;
  if (way === 'image') {
    const name = request.image ?? (image || build.image);
    if (name !== '' || request.archive !== undefined) return checkedImage('image', name);
    throw invalidField('image', 'No image is set. Set the image or its archive.');
  }
  const fallback =
    runtime.language === 'nodejs' ? 'limner/base-node:latest' : runtime.text.replace(/^python$/i, 'python:3');
  return checkedImage('base_image', request.base_image ?? (build.baseImage || fallback));
}

function checkedImage(field: string, name: string): string {
  if (name === '' || isImageReference(name)) return name;
  throw invalidField(field, `"${name}" is not a valid image name.`);
}

function wayWarnings(request: DeployRequest, { build }: FunctionConfiguration, way: DeployWay): string[] {
  const directives = build.preCopy.length + build.postCopy.length;
  if (way !== 'handler' || directives === 0) return [];
  const image = request.base_image ?? build.baseImage;
  return [
    `The ${directives} directives of its build are ignored: the handler is added to "${image}" unchanged, which must ` +
      'contain its dependencies.',
  ];
}

const isFile = async (path: string) => (await stat(path).catch(() => null))?.isFile() === true;
