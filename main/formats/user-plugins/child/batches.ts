import type { AddedItem, ReportItem } from '../messages.ts';
import type { Channel } from './channel.ts';

const maxItems = 500;
/** Roughly, in numbers: what keeps a message far below its limit. */
const maxNumbers = 100_000;

/** Collects what a plug-in adds and reports, and sends it in batches, in order. */
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
