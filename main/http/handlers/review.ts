import type {
  consensusOperations,
  qualityFileOperations,
  qualityOperations,
} from '../../../preload/contract/operations/quality.ts';
import type { reviewOperations } from '../../../preload/contract/operations/review.ts';
import type { Services } from '../../composition/services.ts';
import type { HandlersOf, RawHandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';
import { attachment } from '../file-answer.ts';

const csvAnswer = (text: string): Response =>
  new Response(text, { headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Cache-Control': 'no-store' } });

type ReviewOperations = typeof reviewOperations & typeof consensusOperations & typeof qualityOperations;

export function createReviewHandlers({
  issues,
  guides,
  consensus,
  agreement,
  quality,
}: Services): HandlersOf<ReviewOperations> {
  return {
    listIssues: listHandler(issues.listIssues),
    createIssue: ({ actor, body }) => issues.createIssue(actor, body),
    getIssue: ({ actor, params }) => issues.getIssue(actor, params.id),
    updateIssue: ({ actor, params, body }) => issues.updateIssue(actor, params.id, body),
    deleteIssue: ({ actor, params }) => issues.removeIssue(actor, params.id),
    listComments: listHandler(issues.listComments),
    createComment: ({ actor, body }) => issues.createComment(actor, body),
    getComment: ({ actor, params }) => issues.getComment(actor, params.id),
    updateComment: ({ actor, params, body }) => issues.updateComment(actor, params.id, body),
    deleteComment: ({ actor, params }) => issues.removeComment(actor, params.id),
    createGuide: ({ actor, body }) => guides.create(actor, body),
    getGuide: ({ actor, params }) => guides.get(actor, params.id),
    updateGuide: ({ actor, params, body }) => guides.update(actor, params.id, body),
    deleteGuide: ({ actor, params }) => guides.remove(actor, params.id),
    deleteAsset: ({ actor, params }) => guides.removeAsset(actor, params.uuid),

    createConsensusMerge: ({ actor, body }) => consensus.start(actor, body),
    listConsensusSettings: listHandler(consensus.listSettings),
    getConsensusSettings: ({ actor, params }) => consensus.getSettings(actor, params.id),
    updateConsensusSettings: ({ actor, params, body }) => consensus.updateSettings(actor, params.id, body),
    getTaskAgreement: ({ actor, params, request }) => agreement.ofTask(actor, params.id, request.signal),
    getTaskAgreementFile: ({ actor, params, query, request }) =>
      agreement.file(actor, params.id, query.format, request.signal),

    listQualityReports: listHandler(quality.listReports),
    createQualityReport: ({ actor, body }) => quality.start(actor, body),
    getQualityReport: ({ actor, params }) => quality.getReport(actor, params.id),
    getQualityReportData: ({ actor, params, query }) =>
      query.format === 'csv' ? csvAnswer(quality.getTable(actor, params.id)) : quality.getData(actor, params.id),
    getQualityRequirementMatrix: ({ actor, params, query }) =>
      query.format === 'csv'
        ? csvAnswer(quality.getRequirementTable(actor, params.id, query.requirement))
        : quality.getMatrix(actor, params.id, query.requirement),
    listQualityConflicts: listHandler(quality.listConflicts),
    listQualitySettings: listHandler(quality.listSettings),
    getQualitySettings: ({ actor, params }) => quality.getSettings(actor, params.id),
    updateQualitySettings: ({ actor, params, body }) => quality.updateSettings(actor, params.id, body),
    replaceQualitySettings: ({ actor, params, body }) => quality.updateSettings(actor, params.id, body),
    listQualityRequirements: listHandler(quality.listRequirements),
    createQualityRequirement: ({ actor, body }) => quality.createRequirement(actor, body),
    createQualityRequirements: ({ actor, body }) => quality.createRequirements(actor, body),
    getQualityRequirement: ({ actor, params }) => quality.getRequirement(actor, params.id),
    updateQualityRequirement: ({ actor, params, body }) => quality.updateRequirement(actor, params.id, body),
    replaceQualityRequirement: ({ actor, params, body }) => quality.updateRequirement(actor, params.id, body),
    deleteQualityRequirement: ({ actor, params }) => quality.removeRequirement(actor, params.id),
  };
}

export function createQualityFileHandlers({
  quality,
}: Pick<Services, 'quality'>): RawHandlersOf<typeof qualityFileOperations> {
  return {
    getQualityMatrices: async ({ actor, params }) =>
      new Response(new Uint8Array(await quality.getMatrices(actor, params.id)), {
        headers: {
          'Content-Type': 'application/zip',
          'Content-Disposition': attachment(`quality-report-${params.id}-confusion.zip`),
          'Cache-Control': 'no-store',
        },
      }),
  };
}
