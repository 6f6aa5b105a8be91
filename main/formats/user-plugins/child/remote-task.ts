import type { Frame, FrameImage, FrameInfo, LabeledShape, Tag, TaskData, Track } from '../../kit/task-data.ts';
import type { AddedItem, ListName, Question, ReportItem, StartMessage } from '../messages.ts';
import type { Channel } from './channel.ts';

type TaskStart = Extract<StartMessage, { command: 'import' | 'export' }>;

/** CVAT plug-ins create objects with these members of `task_data`. Here, plain objects of that shape suffice. */
function itself<Item>(item: Item): Item {
  return item;
}
const makers = {
  Attribute: itself,
  LabeledShape: itself,
  TrackedShape: itself,
  Track: itself,
  Tag: itself,
  Frame: itself,
};

/** The plug-in's view of the task. Lists are received, and objects are sent, in batches. */
export function createRemoteTask(start: TaskStart, channel: Channel, batches: Batches): TaskData & typeof makers {
  const labels = new Map(start.labels.map((label) => [label.name, label]));
  const ask = (question: Question) => {
    batches.flush();
    return channel.ask(question);
  };
  const value = <Result>(question: Question): Result => ask(question).value as Result;

  function list<Item>(name: ListName, includeEmpty = true): Iterable<Item> {
    return {
      *[Symbol.iterator]() {
        const id = value<number>({ ask: 'open', list: name, includeEmpty });
        try {
          for (;;) {
            const items = value<Item[]>({ ask: 'next', id });
            if (items.length === 0) return;
            yield* items;
          }
        } finally {
          value({ ask: 'close', id });
        }
      },
    };
  }

  // A plug-in may return any value. Limner validates it and reports errors.
  const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const weightOf = (item: unknown): number => {
    const { points, shapes, elements } = (item ?? {}) as Record<'points' | 'shapes' | 'elements', unknown>;
    const inner = [...listOf(shapes), ...listOf(elements)];
    return 10 + listOf(points).length + inner.reduce<number>((sum, one) => sum + weightOf(one), 0);
  };

  return {
    ...makers,
    meta: start.meta,
    frame_count: start.frameCount,
    get shapes() {
      return list<LabeledShape>('shapes');
    },
    get tracks() {
      return list<Track>('tracks');
    },
    /** Not part of the plug-in API: plug-ins read tracks frame by frame with `group_by_frame`. */
    drawn_tracks: [],
    get tags() {
      return list<Tag>('tags');
    },
    get frames() {
      return list<FrameInfo>('frames');
    },
    group_by_frame: (include_empty = true) => list<Frame>('grouped', include_empty),
    async frame_image(frame): Promise<FrameImage | null> {
      const { value, attachment } = ask({ ask: 'image', frame });
      const found = value as { extension: string } | null;
      return found && { extension: found.extension, bytes: attachment };
    },
    match_frame: (item) => value<number | null>({ ask: 'match', item }),
    frame_info: (frame) => value<FrameInfo | null>({ ask: 'frame', frame }) ?? undefined,
    label: (name) => labels.get(name),
    ...(start.takesLabels
      ? {
          declare_label(label) {
            batches.flush();
            channel.say({ say: 'label', label });
          },
        }
      : {}),
    add_shape(shape: LabeledShape, at?: unknown) {
      batches.add('shape', shape, weightOf(shape), at);
    },
    add_tag(tag: Tag, at?: unknown) {
      batches.add('tag', tag, weightOf(tag), at);
    },
    add_track(track: Track, at?: unknown) {
      batches.add('track', track, weightOf(track), at);
    },
  };
}

const maxItems = 500;
/** Approximate count of numbers per batch, far below the message limit. */
const maxNumbers = 100_000;

/** Collects objects and reports of a plug-in and sends them in batches, in order. */
export function createBatches(channel: Channel) {
  let added: AddedItem[] = [];
  let reported: ReportItem[] = [];
  let numbers = 0;

  const flush = (): void => {
    if (added.length > 0) channel.say({ say: 'add', items: added });
    if (reported.length > 0) channel.say({ say: 'report', items: reported });
    added = [];
    reported = [];
    numbers = 0;
  };
  const flushWhenFull = (): void => {
    if (added.length >= maxItems || reported.length >= maxItems || numbers >= maxNumbers) flush();
  };
  return {
    flush,
    add(kind: AddedItem[0], item: unknown, weight: number, at: unknown): void {
      added.push([kind, item, typeof at === 'string' ? at : null]);
      numbers += weight;
      flushWhenFull();
    },
    report(item: ReportItem): void {
      reported.push(item);
      flushWhenFull();
    },
  };
}

export type Batches = ReturnType<typeof createBatches>;
