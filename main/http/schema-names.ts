import { z } from 'zod';
import type { AnyOperation } from '../../preload/contract/operation.ts';
import { operations } from '../../preload/contract/operations/index.ts';
import * as activity from '../../preload/contract/schema/activity.ts';
import * as analytics from '../../preload/contract/schema/analytics.ts';
import * as annotations from '../../preload/contract/schema/annotations.ts';
import * as versions from '../../preload/contract/schema/function-versions.ts';
import * as modelNumbers from '../../preload/contract/schema/model-numbers.ts';
import * as native from '../../preload/contract/schema/native-functions.ts';
import * as batches from '../../preload/contract/schema/batches.ts';
import * as backups from '../../preload/contract/schema/backups.ts';
import * as logs from '../../preload/contract/schema/logs.ts';
import * as history from '../../preload/contract/schema/history.ts';
import * as git from '../../preload/contract/schema/git.ts';
import * as common from '../../preload/contract/schema/common.ts';
import * as finding from '../../preload/contract/schema/finding.ts';
import * as formats from '../../preload/contract/schema/formats.ts';
import * as arrangement from '../../preload/contract/schema/arrangement.ts';
import * as exportPicture from '../../preload/contract/schema/export-picture.ts';
import * as frames from '../../preload/contract/schema/frames.ts';
import * as functions from '../../preload/contract/schema/functions.ts';
import * as labels from '../../preload/contract/schema/labels.ts';
import * as consensus from '../../preload/contract/schema/consensus.ts';
import * as quality from '../../preload/contract/schema/quality.ts';
import * as people from '../../preload/contract/schema/people.ts';
import * as resources from '../../preload/contract/schema/resources.ts';
import * as review from '../../preload/contract/schema/review.ts';
import * as server from '../../preload/contract/schema/server.ts';
import * as weights from '../../preload/contract/schema/weights.ts';
import * as evaluations from '../../preload/contract/schema/evaluations.ts';
import * as predictions from '../../preload/contract/schema/predictions.ts';
import * as webhooks from '../../preload/contract/schema/webhooks.ts';
import * as settings from '../../preload/contract/schema/settings.ts';
import * as storage from '../../preload/contract/schema/storage.ts';
import * as statistics from '../../preload/contract/schema/statistics.ts';

const modules: readonly Readonly<Record<string, unknown>>[] = [
  activity,
  analytics,
  annotations,
  versions,
  native,
  batches,
  backups,
  logs,
  history,
  git,
  common,
  finding,
  formats,
  arrangement,
  exportPicture,
  frames,
  functions,
  labels,
  consensus,
  quality,
  people,
  resources,
  review,
  server,
  weights,
  evaluations,
  predictions,
  webhooks,
  settings,
  storage,
  statistics,
  modelNumbers,
];

/**
 * Names that the OpenAPI document, and so every client made from it, gives to schemas that it does not call as the
 * contract does: CVAT's where it has such a thing. What a request sends ends in `Request`; the document adds that to
 * schemas that stand on both sides.
 */
const names: Readonly<Record<string, z.ZodType | undefined>> = {
  FileInfo: server.shareEntrySchema,

  MetaUser: server.visibleUserSchema,
  LoginSerializerExRequest: server.loginSchema,
  Token: server.keySchema,
  RegisterSerializerExRequest: server.registerSchema,
  RegisterSerializerEx: server.registeredSchema,
  PasswordChangeRequest: server.passwordChangeSchema,
  PasswordResetSerializerExRequest: people.passwordResetSchema,
  PasswordResetConfirmRequest: people.passwordResetConfirmSchema,
  AccessTokenRead: server.accessTokenSchema,
  AccessTokenWriteRequest: server.accessTokenWriteSchema,
  PatchedAccessTokenWriteRequest: operations.updateAccessToken.body,
  OrganizationRead: people.organizationSchema,
  OrganizationWriteRequest: people.organizationWriteSchema,
  PatchedOrganizationWriteRequest: people.organizationPatchSchema,
  MembershipRead: people.membershipSchema,
  PatchedMembershipWriteRequest: people.membershipPatchSchema,
  InvitationRead: people.invitationSchema,
  InvitationWriteRequest: people.invitationWriteSchema,
  AcceptInvitationRead: people.acceptedInvitationSchema,

  ProjectRead: resources.projectSchema,
  ProjectWriteRequest: resources.projectWriteSchema,
  PatchedProjectWriteRequest: resources.projectPatchSchema,
  TaskRead: resources.taskSchema,
  TaskWriteRequest: resources.taskWriteSchema,
  PatchedTaskWriteRequest: resources.taskPatchSchema,
  JobRead: resources.jobSchema,
  JobWriteRequest: resources.jobWriteSchema,
  PatchedJobWriteRequest: resources.jobPatchSchema,
  TaskValidationLayoutRead: resources.taskValidationLayoutSchema,
  JobValidationLayoutRead: resources.jobValidationLayoutSchema,
  PatchedTaskValidationLayoutWriteRequest: resources.taskValidationPatchSchema,
  PatchedJobValidationLayoutWriteRequest: resources.jobValidationPatchSchema,
  DataMetaRead: resources.dataMetaSchema,
  PatchedDataMetaWriteRequest: resources.dataMetaPatchSchema,
  RqStatus: resources.taskStatusSchema,
  RequestReport: operations.getRequestReport.output,

  InputTypeEnum: labels.inputTypeSchema,
  PatchedLabelRequest: labels.labelWriteSchema,

  AttributeVal: annotations.attributeValueSchema,
  LabeledImage: annotations.tagSchema,
  SubLabeledShape: annotations.subShapeSchema,
  LabeledShape: annotations.shapeSchema,
  SubLabeledTrack: annotations.subTrackSchema,
  LabeledTrack: annotations.trackSchema,
  LabeledInterval: annotations.intervalSchema,
  AnnotationChanges: operations.listAnnotationChanges.output,

  PaginatedConsensusSettingsList: consensus.consensusSettingsPageSchema,
  ConsensusMergeCreateRequest: consensus.consensusMergeRequestSchema,
  AgreementOfPair: consensus.agreementPairSchema,
  PaginatedQualitySettingsList: quality.qualitySettingsPageSchema,
  PaginatedQualityReportList: quality.qualityReportPageSchema,
  QualityReportSummary: quality.qualitySummarySchema,
  QualityReportCreateRequest: quality.qualityReportRequestSchema,
  AnnotationConflict: quality.qualityConflictSchema,
  PaginatedAnnotationConflictList: quality.qualityConflictPageSchema,

  FrameSearchRequest: finding.frameSearchSchema,
  StatisticsOfLabel: statistics.labelStatisticsSchema,
  CountOfKind: statistics.kindCountSchema,
  CountOfAttribute: statistics.attributeCountSchema,
  ExportArrangement: arrangement.arrangementSchema,
  FrameSelectionRequest: frames.frameSelectionSchema,
  FramesToTaskRequest: frames.framesToTaskSchema,
  FramesToFilesRequest: frames.framesToFilesSchema,

  IssueRead: review.issueSchema,
  IssueWriteRequest: review.issueWriteSchema,
  PatchedIssueWriteRequest: review.issuePatchSchema,
  CommentRead: review.commentSchema,
  CommentWriteRequest: review.commentWriteSchema,
  PatchedCommentWriteRequest: review.commentPatchSchema,
  AnnotationGuideRead: review.guideSchema,
  AnnotationGuideWriteRequest: review.guideWriteSchema,
  PatchedAnnotationGuideWriteRequest: review.guidePatchSchema,
  AssetRead: review.assetSchema,

  ClientEvent: activity.activityEventSchema,
  PatchedAnalyticsStateRequest: analytics.analyticsPatchSchema,

  MakeBackupRequest: backups.makeBackupSchema,
  RestoreBackupRequest: backups.restoreBackupSchema,

  WorkbenchStorage: storage.storageSchema,
  MoveVolumeRequest: storage.moveVolumeSchema,
  RelinkImagesRequest: storage.relinkImagesSchema,

  SshKeyWriteRequest: git.sshKeyWriteSchema,
  ConfirmGitHostRequest: git.gitHostConfirmSchema,
  GitBindingWriteRequest: git.gitBindingWriteSchema,

  PredictionsOfTaskRequest: predictions.predictionsOfTaskSchema,
  PredictionsExportRequest: predictions.predictionsExportSchema,

  WebhookRead: webhooks.webhookSchema,
  WebhookWriteRequest: webhooks.webhookWriteSchema,
  WebhookReplaceRequest: webhooks.webhookPutSchema,
  PatchedWebhookWriteRequest: webhooks.webhookPatchSchema,
  WebhookDeliveryRead: webhooks.webhookDeliverySchema,
  Events: webhooks.webhookEventsSchema,
  RedeliveredMessages: operations.redeliverFailedMessages.output,

  LambdaLabel: functions.modelLabelSchema,
  FunctionCall: functions.lambdaRequestSchema,
  AgentAcquireRequest: native.acquireSchema,
  AgentAcquired: native.acquiredSchema,
  AgentUpdateRequest: native.agentUpdateSchema,
  AgentResultRequest: native.agentResultSchema,
  AgentFailureRequest: native.agentFailSchema,
  ModelVersionList: versions.modelVersionsSchema,
  ModelVersionChanges: versions.versionChangesSchema,
  ModelRollbackRequest: versions.rollBackSchema,
  PatchedModelFunctionRequest: functions.modelPatchSchema,
  DeployRequest: functions.deploySchema,
  RedeployRequest: operations.redeployModel.body,
  ImportModelImageRequest: operations.importModelImage.body,
  ImportedModelImages: operations.importModelImage.output,
  BaseImageRequest: operations.makeBaseImage.body,
  BaseImage: operations.makeBaseImage.output,
  EnvironmentLookRequest: functions.environmentPathSchema,
  GpuProbeRequest: operations.probeGpu.body,
  WeightsLookRequest: weights.weightsPathSchema,
  WeightsTrialRequest: weights.weightsTrialSchema,
  WeightsTrial: weights.weightsTrialAnswerSchema,
};

/** Each is written out where it stands. */
const unnamed = new Set<unknown>([
  common.dateTimeSchema,
  functions.lambdaAnswerSchema,
  functions.lambdaCallSchema,
  native.requestCategorySchema,
  resources.dataRequestSchema,
  weights.weightsInputSchema,
]);

/** `taskSchema` is Task, `taskWriteSchema` TaskRequest, `taskPatchSchema` PatchedTaskRequest. Queries are written out. */
function ownName(name: string): string {
  const [, stem = '', kind] = /^(.+?)(Write|Patch)?Schema$/.exec(name) ?? [];
  const thing = stem.charAt(0).toUpperCase() + stem.slice(1);
  return `${kind === 'Patch' ? 'Patched' : ''}${thing}${kind === undefined ? '' : 'Request'}`;
}

/** The names as zod's JSON Schema takes them; a page is named after what is on it. */
export const schemaNames = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(names)) if (schema) schemaNames.add(schema, { id });
for (const [name, schema] of modules.flatMap((one) => Object.entries(one)))
  if (schema instanceof z.ZodType && /(?<!Query)Schema$/.test(name) && !schemaNames.has(schema) && !unnamed.has(schema))
    schemaNames.add(schema, { id: ownName(name) });
for (const { output } of Object.values<AnyOperation>(operations)) {
  const results: unknown = output instanceof z.ZodObject && 'next' in output.shape ? output.shape['results'] : null;
  const item = results instanceof z.ZodArray ? schemaNames.get(results.element as z.ZodType)?.id : undefined;
  if (output && item !== undefined) schemaNames.add(output, { id: `Paginated${item}List` });
}
