import type { RequirementMatrix } from '../../../preload/contract/schema/quality-requirements.ts';
import type { QualityReportData } from '../../../preload/contract/schema/quality.ts';
import { orNotFound } from '../../platform/errors.ts';
import type { Actor } from '../../users/access/actor.ts';
import { packedTables } from './packed-tables.ts';
import type { StoredReport } from './quality-rules.ts';
import { confusionTable } from './report-data.ts';
import { isComputed, type StoredRequirement } from './requirement-results.ts';
import { requirementMatrix } from './target-metric.ts';

type Stored = StoredReport | QualityReportData;

/** False for reports of earlier versions, which have no confusion matrix. */
export const isComplete = (stored: Stored): stored is StoredReport => 'version' in stored && stored.version === 2;

/**
 * Confusion matrices of the requirements in reports.
 * @param openReport checks access
 */
export function createRequirementMatrices(openReport: (actor: Actor, id: number) => Stored) {
  function resultsOf(actor: Actor, id: number): readonly StoredRequirement[] {
    const report = openReport(actor, id);
    return isComplete(report) ? (report.requirements?.results ?? []) : [];
  }
  /** @throws AppError 404 if the report has no such requirement */
  const requirementIn = (actor: Actor, id: number, requirementId: number): StoredRequirement =>
    orNotFound(resultsOf(actor, id).find((one) => one.id === requirementId));

  return {
    getMatrix(actor: Actor, id: number, requirementId: number): RequirementMatrix {
      const result = requirementIn(actor, id, requirementId);
      return requirementMatrix(result.cells, result.labels, result.metric, isComputed(result));
    },
    getRequirementTable(actor: Actor, id: number, requirementId: number): string {
      const { cells, labels } = requirementIn(actor, id, requirementId);
      return confusionTable(labels, cells);
    },
    /** Matrices of all requirements: a ZIP of CSV files. */
    getMatrices: (actor: Actor, id: number): Promise<Buffer> =>
      packedTables(
        resultsOf(actor, id).map(({ name, labels, cells }) => ({ name, text: confusionTable(labels, cells) })),
      ),
  };
}
