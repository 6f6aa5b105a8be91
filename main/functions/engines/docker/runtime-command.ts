import { AppError } from '../../../platform/errors.ts';
import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import { runtimePlace } from './handler-archive.ts';
import type { ImageDetails } from './images.ts';

export interface RuntimeChoice {
  /** Folder below `resources/runtimes` and, in containers, below `/opt/limner`. */
  readonly name: 'python' | 'node';
  /** Commands to try in order until the image contains the program. */
  readonly commands: readonly (readonly string[])[];
}

/** Limner's runtime for a configuration. @throws AppError 400 for unsupported languages */
export function runtimeFor({ runtime, env, name }: FunctionConfiguration): RuntimeChoice {
  if (runtime.language === 'python') {
    const script = `/${runtimePlace}/python/server.py`;
    // Older Nuclio configurations set the Python interpreter with this variable.
    const named = env.find((one) => one.name === 'NUCLIO_PYTHON_EXE_PATH')?.value ?? '';
    const programs = [...(named === '' ? [] : [named]), 'python3', 'python'];
    return { name: 'python', commands: programs.map((program) => [program, '-u', script]) };
  }
  if (runtime.language === 'nodejs') {
    return { name: 'node', commands: [['node', `/${runtimePlace}/node/server.cjs`]] };
  }
  const message =
    `"${name}" has the runtime "${runtime.text}". Handlers need Python (python:3.8) or Node.js (nodejs). Functions in ` +
    'other languages need an image with their own server.';
  throw new AppError('invalid', message);
}

/**
 * True if the image needs Limner's runtime. Nuclio's images start a `processor` whose configuration only Nuclio writes,
 * and base images have no command. Other images contain their own server.
 */
export function needsRuntime(image: ImageDetails): boolean {
  const [program = ''] = image.command;
  if (image.command.length === 0 && image.entrypoint.length === 0) return true;
  // Default commands of base images.
  if (image.command.length === 1 && /(^|\/)(ba|da)?sh$|(^|\/)(python\d?|node)$/.test(program)) return true;
  return /(^|\/)processor$/.test(program) || /(^|[\s/])processor(\s|$)/.test(image.command.join(' '));
}

/** True if Limner built the image with its runtime. */
export function hasRuntime(image: ImageDetails): boolean {
  return image.command.some((part) => part.startsWith(`/${runtimePlace}/`));
}
