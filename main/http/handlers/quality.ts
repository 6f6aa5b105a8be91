import type { qualityOperations } from '../../../preload/contract/operations/quality.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';

export function createQualityHandlers({ quality }: Pick<Core, 'quality'>): HandlersOf<typeof qualityOperations> {
  return {
    listQualityReports: listHandler(quality.listReports),
    createQualityReport: ({ actor, body }) => quality.start(actor, body),
    getQualityReport: ({ actor, params }) => quality.getReport(actor, params.id),
    getQualityReportData: ({ actor, params }) => quality.getData(actor, params.id),
    listQualityConflicts: listHandler(quality.listConflicts),
    listQualitySettings: listHandler(quality.listSettings),
    getQualitySettings: ({ actor, params }) => quality.getSettings(actor, params.id),
    updateQualitySettings: ({ actor, params, body }) => quality.updateSettings(actor, params.id, body),
  };
}
