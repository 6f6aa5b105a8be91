import { AppError } from '../../../platform/errors.ts';
import type { FunctionConfiguration } from '../../configuration/parse-configuration.ts';
import { runtimePlace } from './handler-archive.ts';
import type { ImageDetails } from './images.ts';

export interface RuntimeChoice {
  /** Folder below `resources/runtimes`, and below `/opt/limner` in a container. */
  readonly name: 'python' | 'node';
  /** Commands to try, one after the other, until the image has the program. */
  readonly commands: readonly (readonly string[])[];
}

/** Limner's runtime for a configuration. @throws AppError 400 for languages that there is none for */
export function runtimeFor({ runtime, env, name }: FunctionConfiguration): RuntimeChoice {
  if (runtime.language === 'python') {
    const script = `/${runtimePlace}/python/server.py`;
    // How configurations for older Nuclio name the interpreter of an environment.
    const named = env.find((one) => one.name === 'NUCLIO_PYTHON_EXE_PATH')?.value ?? '';
    const programs = [...(named === '' ? [] : [named]), 'python3', 'python'];
    return { name: 'python', commands: programs.map((program) => [program, '-u', script]) };
  }
  if (runtime.language === 'nodejs') {
    return { name: 'node', commands: [['node', `/${runtimePlace}/node/server.cjs`]] };
  }
  const message =
    `"${name}" has the runtime "${runtime.text}". Handlers run in Python (python:3.8) or Node.js (nodejs); functions in ` +
    'other languages come as an image with a server of their own.';
  throw new AppError('invalid', message);
}

/**
 * Whether an image is only a place for a handler: Nuclio's images end in its own processor, which needs a configuration
 * that only Nuclio writes, and base images have no command. Other images serve by themselves.
 */
export function needsRuntime(image: ImageDetails): boolean {
  const [program = ''] = image.command;
  if (image.command.length === 0 && image.entrypoint.length === 0) return true;
  // What base images run when they are told nothing.
  if (image.command.length === 1 && /(^|\/)(ba|da)?sh$|(^|\/)(python\d?|node)$/.test(program)) return true;
  return /(^|\/)processor$/.test(program) || /(^|[\s/])processor(\s|$)/.test(image.command.join(' '));
}

/** Whether Limner's runtime is in the image: Limner made it. */
export function hasRuntime(image: ImageDetails): boolean {
  return image.command.some((part) => part.startsWith(`/${runtimePlace}/`));
}
