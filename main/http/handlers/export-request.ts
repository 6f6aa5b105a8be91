import type { QueryOf } from '../../../preload/contract/operation.ts';
import type { Operations } from '../../../preload/contract/operations/index.ts';
import type { ExportRequest } from '../../core/datasets/dataset-service.ts';
import { invalidField } from '../../platform/errors.ts';

/** @throws AppError 400 for a place other than this machine */
export function exportRequest(query: QueryOf<Operations['exportTaskDataset']>): ExportRequest {
  if (query.location === 'cloud_storage') {
    throw invalidField('location', 'Limner works offline: the result can only be downloaded (location=local).');
  }
  return {
    format: query.format,
    saveImages: query.save_images,
    ...(query.filename === undefined || query.filename === '' ? {} : { fileName: query.filename }),
  };
}
