import type { AddImages } from '../../../preload/contract/schema/resources.ts';
import type { FrameRow } from '../tables/media-repository.ts';

export interface AddedFrames {
  /** New frames, numbered behind the task's. */
  readonly added: FrameRow[];
  /** Images for frames that exist, with their numbers. */
  readonly replaced: FrameRow[];
  readonly skipped: FrameRow[];
  /** Old and new names of images that were added under another name. */
  readonly renamed: readonly (readonly [from: string, to: string])[];
}

/** Frames that the task has. */
export interface ExistingFrames {
  readonly size: number;
  /** Numbers of the frames that have one of these names. */
  readonly numbersOf: (names: readonly string[]) => ReadonlyMap<string, number>;
  /** All names. Read only when images get other names, because a task may have 100,000. */
  readonly allNames: () => Iterable<string>;
}

/** Sorts images into new, replaced and skipped frames by their names. */
export function arrangeFrames(
  rows: readonly FrameRow[],
  { size, numbersOf, allNames }: ExistingFrames,
  rule: AddImages['existing_names'],
): AddedFrames {
  const frames: AddedFrames = { added: [], replaced: [], skipped: [], renamed: [] };
  const renamed: (readonly [string, string])[] = [];
  const names = rows.map(({ name }) => name);
  const existing = numbersOf(names);
  const isRenaming = rule === 'keep_both' && existing.size > 0;
  const taken = new Set(isRenaming ? [...allNames(), ...names] : []);
  const add = (row: FrameRow) => void frames.added.push({ ...row, frame: size + frames.added.length });
  for (const row of rows) {
    const number = existing.get(row.name);
    if (number === undefined) add(row);
    else if (rule === 'skip') frames.skipped.push(row);
    else if (rule === 'replace') frames.replaced.push({ ...row, frame: number });
    else {
      const name = freeName(row.name, taken);
      taken.add(name);
      renamed.push([row.name, name]);
      // The file keeps its place, which no longer follows from the name.
      add({ ...row, name, file: row.file ?? row.name });
    }
  }
  return { ...frames, renamed };
}

/** The name with `_2`, `_3`… before its extension. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^./]{1,10})?$/s.exec(name) ?? [];
  for (let number = 2; ; number += 1) {
    const candidate = `${stem}_${number}${extension}`;
    if (!taken.has(candidate)) return candidate;
  }
}
