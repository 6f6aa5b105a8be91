import { withoutExtension } from './dataset-items.ts';
import { findFrame } from './find-frame.ts';
import { entryNameProblem } from '../io/entry-name.ts';
import type { FormatReport } from './report.ts';
import type { FrameInfo, TaskData } from './task-data.ts';

export const usualSubsets: ReadonlySet<string> = new Set(['train', 'val', 'valid', 'validation', 'test']);
/** Image folders of other formats inside a subset. */
export const externalFolders: ReadonlySet<string> = new Set([
  'images',
  'labels',
  'instances',
  'annotations',
  'image_2',
  'label_2',
  'instance',
  'semantic',
  'semantic_rgb',
  'Masks',
]);

/** Folder of images without a label. */
export const noLabel = 'no_label';

export function labelFolderProblem(label: string, format: string): string | undefined {
  if (label === noLabel) return `${format} reserves this folder name for images without a label.`;
  if (label.includes('/') || label !== label.trim() || entryNameProblem(label) !== undefined)
    return `${format} has a folder for each label, and this label is not a valid folder name.`;
  return undefined;
}

/** Reports labels that are lost with an unreadable image, because only the image's folder states them. */
export function noteUnreadable(report: FormatReport, labels: Iterable<string>): void {
  for (const label of labels)
    report.dropped('tag', label, 'The label is the folder of the image, and the image could not be read.');
}

/** Prefixes a path with the folder of its label, unless it is already in a folder of that name. */
export function inLabelFolder(label: string, path: string): string {
  return path.startsWith(`${label}/`) ? path : `${label}/${path}`;
}

/** Reserves names; returns false if another image has the name. */
export function createNameClaims(): (name: string, frame: FrameInfo) => boolean {
  const owners = new Map<string, string>();
  return (name, { task_id, frame }) => {
    const key = `${task_id}:${frame}`;
    const owner = owners.get(name) ?? key;
    owners.set(name, owner);
    return owner === key;
  };
}

/** Reason for dropping an object whose name from {@link createNameClaims} is taken. */
export const nameIsTaken = 'With the label as its folder, the image has the same name as another one.';

/**
 * Finds the frame of an image in a label folder. The format may have added the folder, or it is part of the image's
 * path: a frame with exactly that path is tried first.
 */
export function createLabelledFrames(
  task_data: TaskData,
): (folder: string, path: string, subset: string, near: string) => FrameInfo | undefined {
  let stems: Set<string> | undefined;
  return (folder, path, subset, near) => {
    stems ??= new Set(Array.from(task_data.frames, ({ name }) => withoutExtension(name).normalize('NFC')));
    const whole = folder === '' ? path : `${folder}/${path}`;
    const isOwn = stems.has(withoutExtension(path).normalize('NFC'));
    return findFrame(task_data, isOwn ? [path, whole] : [whole, path], subset, near);
  };
}
