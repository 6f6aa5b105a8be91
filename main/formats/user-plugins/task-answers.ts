import { readFile, stat } from 'node:fs/promises';
import type { FrameInfo, FrameMatch, TaskData } from '../kit/task-data.ts';
import { maxAttachmentBytes } from './message-frames.ts';
import type { ListName } from './messages.ts';
import type { Answer } from './plugin-process.ts';

/** Approximate limit for numbers and items in one batch, to keep messages small and the process busy. */
const maxNumbers = 40_000;
const maxItems = 1000;
const maxOpenLists = 16;

type Question = Readonly<Record<string, unknown>>;

/** Answers a plug-in's requests about its task. Invalid requests end the run with a `fault`. */
export function createTaskAnswers(task_data: TaskData, fault: (what: string) => Error) {
  const open = new Map<number, Iterator<unknown>>();
  let lastId = 0;

  const lists: Readonly<Record<ListName, (includeEmpty: boolean) => Iterable<unknown>>> = {
    shapes: () => task_data.shapes,
    tracks: () => task_data.tracks,
    tags: () => task_data.tags,
    frames: () => task_data.frames,
    grouped: (includeEmpty) => task_data.group_by_frame(includeEmpty),
  };

  function openList({ list, includeEmpty }: Question): Answer {
    const start = Object.hasOwn(lists, String(list)) ? lists[list as ListName] : undefined;
    if (!start) throw fault(`requested an unknown list "${String(list).slice(0, 40)}"`);
    if (open.size >= maxOpenLists) throw fault(`read more than ${maxOpenLists} lists at once`);
    lastId += 1;
    open.set(lastId, start(includeEmpty !== false)[Symbol.iterator]());
    return { value: lastId };
  }

  function next({ id }: Question): Answer {
    const iterator = open.get(Number(id));
    if (!iterator) throw fault('requested more of a list that is not open');
    const items: unknown[] = [];
    for (let numbers = 0; numbers < maxNumbers && items.length < maxItems;) {
      const { value, done } = iterator.next();
      if (done) break;
      items.push(plain(value));
      numbers += weight(value);
    }
    return { value: items };
  }

  function close({ id }: Question): Answer {
    open.get(Number(id))?.return?.();
    open.delete(Number(id));
    return { value: null };
  }

  async function image({ frame }: Question): Promise<Answer> {
    const wanted = Number((frame as { frame?: unknown } | null)?.frame);
    const taskId = (frame as { task_id?: unknown } | null)?.task_id;
    const info =
      task_data.meta.kind === 'project' ? findFrame(task_data, wanted, taskId) : task_data.frame_info(wanted);
    const found = info ? await task_data.frame_image(info) : null;
    if (!found) return { value: null };
    if (found.bytes) return { value: { extension: found.extension }, attachment: found.bytes };
    if (found.path === undefined) return { value: null };
    const { size } = await stat(found.path);
    if (size > maxAttachmentBytes)
      throw fault(`requested the image of frame ${wanted}, which is too large for a plug-in`);
    return { value: { extension: found.extension }, attachment: await readFile(found.path) };
  }

  return {
    answer(question: Question): Answer | Promise<Answer> {
      const { ask } = question;
      if (ask === 'open') return openList(question);
      if (ask === 'next') return next(question);
      if (ask === 'close') return close(question);
      if (ask === 'match') return { value: task_data.match_frame(frameMatch(question['item'])) };
      if (ask === 'frame') return { value: task_data.frame_info(Number(question['frame'])) ?? null };
      if (ask === 'image') return image(question);
      throw fault('sent an unknown request');
    },
    closeAll() {
      for (const iterator of open.values()) iterator.return?.();
      open.clear();
    },
  };
}

/** Drops members that only this process can use, and copies points, which may be a getter. */
function plain(value: unknown): unknown {
  const item = value as { fixed_points?: unknown; points?: unknown; elements?: readonly unknown[] };
  if (typeof item !== 'object' || item === null) return value;
  const { labeled_shapes: shapes } = value as { labeled_shapes?: readonly unknown[] };
  if (shapes) return { ...item, labeled_shapes: shapes.map(plain) };
  if (item.fixed_points === undefined && item.points === undefined) return value;
  const { fixed_points: _fixed, ...rest } = item;
  return { ...rest, points: item.points, elements: item.elements?.map(plain) };
}

function weight(value: unknown): number {
  const { points, shapes, labeled_shapes, elements } = (value ?? {}) as Record<string, readonly unknown[] | undefined>;
  const inner = [shapes, labeled_shapes, elements].flatMap((items) => items ?? []);
  return 10 + (points?.length ?? 0) + inner.reduce<number>((sum, one) => sum + weight(one), 0);
}

function findFrame(task_data: TaskData, frame: number, taskId: unknown): FrameInfo | undefined {
  for (const info of task_data.frames) if (info.frame === frame && info.task_id === taskId) return info;
  return undefined;
}

function frameMatch(value: unknown): FrameMatch {
  const { name, frame, subset } = (value ?? {}) as Record<string, unknown>;
  return {
    name: typeof name === 'string' ? name : undefined,
    frame: typeof frame === 'number' ? frame : undefined,
    subset: typeof subset === 'string' ? subset : undefined,
  };
}
