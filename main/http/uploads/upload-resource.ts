import type { Actor } from '../../people/access/actor.ts';
import type { PlainParameter } from '../route.ts';
import type { UploadedFile } from './upload-store.ts';

/** Path parameters by name. */
export type Params = Readonly<Record<string, string>>;

/**
 * A resource that takes files: one request with everything, or in steps (`Upload-Start`, then TUS uploads or
 * `Upload-Multiple`, then `Upload-Finish`).
 */
export interface UploadResource {
  /** Template with its slash at the end, for example `/api/tasks/{id}/data/`. */
  readonly path: string;
  readonly summary: string;
  readonly parameters?: readonly PlainParameter[];
  /** Form field that carries the file, or the first of the files. */
  readonly fileField: string;
  /** Whether a form field of this name carries a file, where there are others than that one. */
  readonly isFileField?: (name: string) => boolean;
  /**
   * Several files, known by their names, are finished together. Else one file, which the finishing request names by its
   * id in `?filename=`.
   */
  readonly takesMany?: boolean;
  /** Throws when the actor may not bring files here. Called before anything is taken in. */
  readonly authorize: (actor: Actor, params: Params) => void;
  /** Throws when the resource takes no more files. Called before each step, except for bytes and questions. */
  readonly requireOpen?: (actor: Actor, params: Params) => void;
  /** Whether the work only looks at a finished upload, which can then be finished again: it is sent once for both. */
  readonly looksOnly?: (query: URLSearchParams) => boolean;
  /** Folder that the work expects its files in; without it they wait where the store puts them. */
  readonly target?: (params: Params) => string;
  /** Starts the work and answers its request id. The files belong to the work then. */
  readonly start: (
    actor: Actor,
    params: Params,
    input: {
      readonly url: URL;
      readonly body: Readonly<Record<string, unknown>>;
      readonly uploads: readonly UploadedFile[];
    },
  ) => { rq_id: string } | Promise<{ rq_id: string }>;
}

/** `/api/tasks/12/data/` becomes `tasks-12-data`. Only digits and letters: it names a folder. */
export function scopeOf(resource: UploadResource, params: Params): string {
  const path = resource.path.replace(/\{(\w+)\}/g, (_, name: string) => String(Math.trunc(Number(params[name]))));
  return path
    .split('/')
    .filter((part) => part !== '' && part !== 'api')
    .join('-');
}
