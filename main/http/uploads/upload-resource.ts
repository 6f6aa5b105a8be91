import type { Actor } from '../../users/access/actor.ts';
import type { RequestContext } from '../request-context.ts';
import type { UploadedFile, UploadStore } from './upload-store.ts';

/** Behavior of an upload operation. */
export interface UploadResource<Params, Query> {
  /** True if a form field of this name contains a file; for resources with several file fields. */
  readonly isFileField?: (name: string) => boolean;
  /**
   * True: several files, identified by their names, are finished together. False: one file, whose id the finishing
   * request passes as `?filename=`.
   */
  readonly takesMany?: boolean;
  /** Throws if the actor may not upload here. Called before any bytes are read. */
  readonly authorize: (actor: Actor, params: Params) => void;
  /** Throws if the resource accepts no more files. Called before each step, except for chunks and offset queries. */
  readonly requireOpen?: (actor: Actor, params: Params) => void;
  /** True if the work only inspects a finished upload, which can then be finished again for the import. */
  readonly looksOnly?: (query: Query) => boolean;
  /** Folder where the work expects its files; default: the store's folder. */
  readonly target?: (params: Params) => string;
  /** Cloud storage of imports that name no place and have no file; null for this computer. */
  readonly defaultSource?: (actor: Actor, params: Params) => number | null;
  /** Starts the work, which then owns the files. Returns its request id. */
  readonly start: (
    actor: Actor,
    params: Params,
    input: {
      readonly query: Query;
      readonly body: Readonly<Record<string, unknown>>;
      readonly uploads: readonly UploadedFile[];
    },
  ) => { rq_id: string } | Promise<{ rq_id: string }>;
}

/** One request to an upload resource. */
export interface UploadStep {
  readonly request: RequestContext;
  readonly store: UploadStore;
  /** Name of the resource's folder in the store. */
  readonly scope: string;
  readonly takesMany: boolean;
}

/** `/api/tasks/12/data/` becomes `tasks-12-data`. Only digits and letters, because it names a folder. */
export function scopeOf(template: string, params: Readonly<Record<string, unknown>>): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => String(Math.trunc(Number(params[name]))));
  return path
    .split('/')
    .filter((part) => part !== '' && part !== 'api')
    .join('-');
}
