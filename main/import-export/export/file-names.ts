import type { DatasetTarget } from '../annotation-reader/stored-view.ts';

/** For example `2026_11_20_09_30_00`. */
function stampOf(at: Date): string {
  return at
    .toISOString()
    .slice(0, 19)
    .replaceAll(/[^0-9]/g, '_');
}

/** For example `task_3_dataset_2026_11_20_09_30_00_coco_1.0.zip`. Has only characters that every client accepts. */
export function datasetFileName(
  target: DatasetTarget,
  format: { readonly name: string; readonly ext: string },
  saveImages: boolean,
  at: Date,
): string {
  const what = saveImages ? 'dataset' : 'annotations';
  const name = format.name.toLowerCase().replace(/[^a-z0-9.]+/g, '_');
  const extension = /^[a-z0-9]+/.exec(format.ext.trim().toLowerCase())?.[0] ?? 'zip';
  return `${target.kind}_${target.id}_${what}_${stampOf(at)}_${name}.${extension}`;
}

/** For example `task_3_frames_2026_11_20_09_30_00.zip`. */
export const framesFileName = (taskId: number, at: Date): string => `task_${taskId}_frames_${stampOf(at)}.zip`;

/** For example `task_my_photos_backup_2026_11_20_09_30_00.zip`. */
export function backupFileName(kind: 'project' | 'task', name: string, lightweight: boolean, at: Date): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '_')
    .slice(0, 80);
  return `${kind}_${plain}_backup${lightweight ? '-lightweight' : ''}_${stampOf(at)}.zip`;
}
