import type { FormatSummary } from '../../formats/kit/report.ts';
import type { DatasetTarget } from './stored-task-data.ts';

const pad = (value: number) => String(value).padStart(2, '0');

/** For example `task_3_dataset_2026_11_20_09_30_00_coco_1.0.zip`: only characters that every client accepts. */
export function exportFileName(
  target: DatasetTarget,
  format: { readonly name: string; readonly ext: string },
  saveImages: boolean,
  at: Date,
): string {
  const date = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()].map(pad).join('_');
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(pad).join('_');
  const what = saveImages ? 'dataset' : 'annotations';
  const name = format.name.toLowerCase().replace(/[^a-z0-9.]+/g, '_');
  const extension = /^[a-z0-9]+/.exec(format.ext.trim().toLowerCase())?.[0] ?? 'zip';
  return `${target.kind}_${target.id}_${what}_${date}_${time}_${name}.${extension}`;
}

/** One sentence about what an import brought and what it left out. */
export function importMessage(summary: FormatSummary, isDryRun = false): string {
  const carried = summary.carried.reduce((sum, entry) => sum + entry.count, 0);
  const lost = summary.losses.reduce((sum, entry) => sum + entry.count, 0);
  const parts = [`${carried} ${carried === 1 ? 'object' : 'objects'} ${isDryRun ? 'can be imported' : 'imported'}`];
  if (summary.badCount > 0) parts.push(`${summary.badCount} could not be read`);
  if (lost > 0) parts.push(`${lost} left out`);
  return `${parts.join(', ')}.`;
}
