import { invalidField } from '../../platform/errors.ts';

/** Frames first..last of a task or job, inclusive. */
export interface FrameSpan {
  readonly first: number;
  readonly last: number;
}

const item = /^(\d{1,9})(?:\s*(-)\s*(\d{1,9})?(?:\s*:\s*(\d{1,9}))?)?$/;

/**
 * Frames of a list such as `0-100:10, 250`, in order and without duplicates. `300-` extends to the last frame, and
 * ranges without a step use `step`. Without a list: all frames.
 * @throws AppError 400 that names the part that is invalid or out of range.
 */
export function framesOfList(list: string | undefined, { first, last }: FrameSpan, step = 1): number[] {
  const found = new Set<number>();
  const parts = (list ?? '')
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const part of parts.length === 0 ? [`${first}-${last}`] : parts) {
    const [, start, range, end, own] = item.exec(part) ?? [];
    if (start === undefined) {
      throw invalidField(
        'frames',
        `"${part}" is not a frame or a range: write numbers and ranges, for example 0-100:10, 250.`,
      );
    }
    const from = Number(start);
    const to = range === undefined ? from : Number(end ?? last);
    const by = Number(own ?? step);
    if (by === 0) throw invalidField('frames', `"${part}" has a step of 0: use 1 for every frame, 10 for every tenth.`);
    if (to < from) throw invalidField('frames', `"${part}" ends before it starts.`);
    const outside = from < first ? from : to;
    if (outside < first || outside > last) {
      throw invalidField('frames', `Frame ${outside} does not exist: the frames are ${first} to ${last}.`);
    }
    for (let frame = from; frame <= to; frame += by) found.add(frame);
  }
  return [...found].toSorted((a, b) => a - b);
}
