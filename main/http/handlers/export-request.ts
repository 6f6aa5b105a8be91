import { z } from 'zod';
import { type Arrangement, arrangementSchema } from '../../../preload/contract/schema/arrangement.ts';
import type { QueryOf } from '../../../preload/contract/operation.ts';
import type { Operations } from '../../../preload/contract/operations/index.ts';
import type { BackupRequest } from '../../transfer/export/backup-export.ts';
import type { ExportRequest } from '../../transfer/export/dataset-export.ts';
import { invalidField } from '../../platform/errors.ts';

const jsonSchema = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('no JSON');
    return z.NEVER;
  }
});
const optionsSchema = jsonSchema.pipe(z.record(z.string(), z.unknown()));
const statedArrangementSchema = jsonSchema.pipe(arrangementSchema);

export function backupRequest(query: QueryOf<Operations['exportTaskBackup']>): BackupRequest {
  return { lightweight: query.lightweight, ...(query.filename ? { fileName: query.filename } : {}) };
}

/** @throws AppError 400 for options that are none */
export function exportRequest(query: QueryOf<Operations['exportTaskDataset']>): ExportRequest {
  return {
    format: query.format,
    saveImages: query.save_images,
    ...(query.filename === undefined || query.filename === '' ? {} : { fileName: query.filename }),
    ...(query.only_annotated_frames ? { onlyAnnotated: true } : {}),
    ...(query.arrangement === undefined ? {} : { arrangement: statedArrangement(query.arrangement) }),
    ...(query.options === undefined ? {} : { options: statedOptions(query.options) }),
  };
}

function statedOptions(text: string): Readonly<Record<string, unknown>> {
  const parsed = optionsSchema.safeParse(text);
  if (!parsed.success) throw invalidField('options', 'A valid JSON object is required.');
  return parsed.data;
}

function statedArrangement(text: string): Arrangement {
  const parsed = statedArrangementSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join('.') ?? '';
  throw invalidField('arrangement', `${at === '' ? 'The arrangement' : at}: ${issue?.message ?? 'it cannot be read'}.`);
}
