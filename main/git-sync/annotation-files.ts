import { z } from 'zod';
import type { Label } from '../../preload/contract/schema/labels.ts';
import { AppError } from '../platform/errors.ts';
import { eachInPortions, type Portions } from '../platform/portions.ts';
import { labelInfo } from '../import-export/annotation-reader/shape-names.ts';
import { gitObjectSchema, objectOf, textOf } from './annotation-objects.ts';
import type { Files } from './git-store.ts';
import type { State } from './merge.ts';

/**
 * Files of a task's folder. Limner ignores and keeps other files, except below `export`, which the note declares as a
 * copy in a format.
 */
export const headFile = 'limner.json';
export const noteFile = 'limner-export.json';
export const ownFile = /^(limner\.json|limner-export\.json|frames\/\d+\.json|tracks\/[0-9a-f]+\.json)$/;
const frameDigits = 6;
export const frameFile = (frame: number): string => `frames/${String(frame).padStart(frameDigits, '0')}.json`;
export const isTrackFile = (path: string): boolean => path.startsWith('tracks/') && ownFile.test(path);

const uid = z.string().regex(/^[0-9a-f]{8,64}$/);
const headSchema = z.object({
  kind: z.literal('limner-annotations'),
  version: z.literal(1),
  name: z.string().optional(),
  frames: z.int().nonnegative(),
});
const frameSchema = z.object({
  frame: z.int().nonnegative(),
  name: z.string().optional(),
  objects: z.array(z.looseObject({ uid })),
});

export interface TaskFacts {
  /** Name of the task, for readers and for projects that search for the task elsewhere. */
  readonly name: string;
  readonly size: number;
  readonly labels: readonly Label[];
  /** Name of an image; undefined for a video. */
  readonly frameName: (frame: number) => string | undefined;
}

/**
 * Files of a state: a head file, one for each frame with tags or shapes, and one for each track. Each object and each
 * keyframe is a line in a fixed order, so that git diffs show exactly the changes.
 */
export function* filesOf(state: State, { name: taskName, size, labels, frameName }: TaskFacts): Portions<Files> {
  const files = new Map<string, string>();
  const head = { kind: 'limner-annotations', version: 1, name: taskName, frames: size, labels: labels.map(labelInfo) };
  files.set(headFile, `${JSON.stringify(head, null, 1)}\n`);
  const frames = new Map<number, { readonly uid: string; readonly line: string }[]>();
  yield* eachInPortions(state, ([id, text]) => {
    const object = objectOf(text);
    if (object.kind === 'track') {
      const { shapes, ...rest } = object;
      const lines = shapes.map((shape) => JSON.stringify(shape)).join(',\n');
      const start = JSON.stringify({ uid: id, ...rest }).slice(0, -1);
      files.set(`tracks/${id}.json`, `${start},"shapes":[\n${lines}\n]}\n`);
      return;
    }
    const objects = frames.get(object.frame) ?? [];
    frames.set(object.frame, objects);
    objects.push({ uid: id, line: JSON.stringify({ uid: id, ...object }) });
  });
  yield* eachInPortions(frames, ([frame, objects]) => {
    const lines = objects.toSorted((a, b) => (a.uid < b.uid ? -1 : 1)).map(({ line }) => line);
    const name = frameName(frame);
    const start = JSON.stringify({ frame, name }).slice(0, -1);
    const path = `frames/${String(frame).padStart(frameDigits, '0')}.json`;
    files.set(path, `${start},"objects":[\n${lines.join(',\n')}\n]}\n`);
  });
  return files;
}

/** Changes that turn one set of files into another; null deletes a file. */
export function changedFiles(from: Files, to: Files): Map<string, string | null> {
  const changes = new Map<string, string | null>();
  for (const path of from.keys()) if (ownFile.test(path) && !to.has(path)) changes.set(path, null);
  for (const [path, text] of to) if (from.get(path) !== text) changes.set(path, text);
  return changes;
}

/** Name of the task that the files belong to; null if they do not contain it. */
export function taskNameIn(files: Files): string | null {
  const head = files.get(headFile);
  return head === undefined ? null : (parse(headSchema, head, headFile).name ?? null);
}

export const hasAnnotations = (files: Files): boolean => files.has(headFile);

/**
 * @param mayHaveGrown for a task that was exchanged before: images may have been added to it since
 * @throws AppError 409 for files of another program or for other images
 */
export function* stateOf(files: Files, { size, frameName }: TaskFacts, mayHaveGrown = false): Portions<State> {
  const state = new Map<string, string>();
  const head = files.get(headFile);
  if (head === undefined) return state;
  const { frames } = parse(headSchema, head, headFile);
  if (frames > size || (frames < size && !mayHaveGrown))
    throw otherImages(`it has ${frames} frames, but this task has ${size}`);
  for (const [path, text] of files) {
    if (path.startsWith('tracks/') && ownFile.test(path)) {
      put(state, parse(z.looseObject({ uid }), text, path), path);
      yield;
    }
    if (!path.startsWith('frames/') || !ownFile.test(path)) continue;
    const { frame, name, objects } = parse(frameSchema, text, path);
    const here = frameName(frame);
    if (name !== undefined && here !== undefined && name !== here)
      throw otherImages(`its frame ${frame} is ${name}, but here it is ${here}`);
    yield* eachInPortions(objects, (object) => put(state, object, path));
    // Reading a file has its cost too.
    yield;
  }
  return state;
}

function put(
  state: Map<string, string>,
  { uid: id, ...rest }: z.output<z.ZodObject<{ uid: typeof uid }>>,
  path: string,
) {
  const parsed = gitObjectSchema.safeParse(rest);
  if (!parsed.success) throw notReadable(path, z.prettifyError(parsed.error));
  if (state.has(id)) throw notReadable(path, `the object ${id} is in the repository twice`);
  state.set(id, textOf(parsed.data));
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string, path: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notReadable(path, 'it is not JSON');
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw notReadable(path, z.prettifyError(parsed.error));
  return parsed.data;
}

function notReadable(path: string, reason: string): AppError {
  const message = `Cannot read ${path} of the repository (${reason.slice(0, 300)}). Nothing was changed. Fix the file in the repository, or bind the task to another folder.`;
  return new AppError('conflict', message);
}

function otherImages(reason: string): AppError {
  const message = `The annotations in the repository belong to other images: ${reason}. Nothing was changed. Bind the task that has these images.`;
  return new AppError('conflict', message);
}
