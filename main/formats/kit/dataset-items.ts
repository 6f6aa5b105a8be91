import { AppError } from '../../platform/errors.ts';
import type { FormatReport } from './report.ts';
import type { Frame, FrameInfo } from './task-data.ts';

export interface DatasetItem {
  readonly frame: Frame;
  readonly subset: string;
  readonly stem: string;
}

// oxlint-disable-next-line no-control-regex -- control characters are what no file name may hold
const unwritable = /[\\/:*?"<>|\u0000-\u001F\u007F]/;

export function withoutExtension(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') + 1 ? path.slice(0, dot) : path;
}

/** The frame's subset as a folder or file name. Throws `AppError('invalid')` if it is not a valid one. */
export function subsetName({ subset }: Pick<FrameInfo, 'subset'>, format: string): string {
  const name = subset === '' ? 'default' : subset;
  if (!unwritable.test(name) && name === name.trim() && !/^\.+$/.test(name)) return name;
  throw new AppError(
    'invalid',
    `${format} cannot have a subset named "${name}": it has characters that are invalid in a file name. Rename the subset and export again; nothing was exported.`,
  );
}

export interface ItemNameOptions {
  readonly format: string;
  readonly report: FormatReport;
  /** True if all subsets share their folders. */
  readonly isFlat?: boolean;
}

/**
 * Names frames in formats with one annotation file per image. Files are named like the image without its extension, so
 * `a.jpg` and `a.png` collide.
 */
export function createItemNames({ format, report, isFlat = false }: ItemNameOptions) {
  const taken = new Map<string, string>();
  const leftOut = new Set<string>();
  const subsets = new Set<string>();
  const keyOf = ({ task_id, frame }: FrameInfo): string => `${task_id}:${frame}`;
  return {
    /** Returns undefined if another frame has the name. The frame and its objects are then reported. */
    claim(frame: Frame): DatasetItem | undefined {
      const subset = subsetName(frame, format);
      const stem = withoutExtension(frame.name);
      subsets.add(subset);
      const key = isFlat ? stem : `${subset}/${stem}`;
      const owner = taken.get(key);
      if (owner === undefined) {
        taken.set(key, frame.name);
        return { frame, subset, stem };
      }
      leftOut.add(keyOf(frame));
      const isSame = owner === frame.name;
      report.warn(
        isSame
          ? `${frame.name} of ${subset} was left out with its objects: an image of another subset has the same name, and ${format} stores all subsets in one folder.`
          : `${frame.name} was left out with its objects: another image has the same name without the extension, and ${format} stores objects under that name.`,
      );
      const rule = isSame
        ? 'Its image has the same name as one of another subset.'
        : 'Its image has the same name as another one, apart from the extension.';
      for (const { type, label } of frame.labeled_shapes) report.dropped(type, label, rule);
      for (const { label } of frame.tags) report.dropped('tag', label, rule);
      return undefined;
    },
    /** True if {@link claim} gave the frame no name, so that its image is dropped too. */
    isLeftOut: (frame: FrameInfo): boolean => leftOut.has(keyOf(frame)),
    subsets,
  };
}
