import { z } from 'zod';
import { operationList, operations } from '../../preload/contract/operations/index.ts';
import * as schemas from '../../preload/contract/schema/index.ts';

/**
 * Schema names in the OpenAPI document, and so in generated clients, that differ from the contract: CVAT's name if CVAT
 * has such a schema. Request schemas end in `Request`; the document adds that to schemas that are used for both.
 */
const names: Readonly<Record<string, z.ZodType | undefined>> = {
  FileInfo: schemas.server.shareEntrySchema,

  CloudStorageRead: schemas.cloudStorages.cloudStorageSchema,
  CloudStorageWriteRequest: schemas.cloudStorages.cloudStorageWriteSchema,
  PatchedCloudStorageWriteRequest: schemas.cloudStorages.cloudStoragePatchSchema,
  CloudStorageContent: schemas.cloudStorages.cloudStorageContentSchema,

  MetaUser: schemas.server.visibleUserSchema,
  LoginSerializerExRequest: schemas.server.loginSchema,
  Token: schemas.server.keySchema,
  RegisterSerializerExRequest: schemas.server.registerSchema,
  RegisterSerializerEx: schemas.server.registeredSchema,
  PasswordChangeRequest: schemas.server.passwordChangeSchema,
  PasswordResetSerializerExRequest: schemas.people.passwordResetSchema,
  PasswordResetConfirmRequest: schemas.people.passwordResetConfirmSchema,
  AccessTokenRead: schemas.server.accessTokenSchema,
  AccessTokenWriteRequest: schemas.server.accessTokenWriteSchema,
  PatchedAccessTokenWriteRequest: operations.updateAccessToken.body,
  OrganizationRead: schemas.people.organizationSchema,
  OrganizationWriteRequest: schemas.people.organizationWriteSchema,
  PatchedOrganizationWriteRequest: schemas.people.organizationPatchSchema,
  MembershipRead: schemas.people.membershipSchema,
  PatchedMembershipWriteRequest: schemas.people.membershipPatchSchema,
  InvitationRead: schemas.people.invitationSchema,
  InvitationWriteRequest: schemas.people.invitationWriteSchema,
  AcceptInvitationRead: schemas.people.acceptedInvitationSchema,

  ProjectRead: schemas.resources.projectSchema,
  ProjectWriteRequest: schemas.resources.projectWriteSchema,
  PatchedProjectWriteRequest: schemas.resources.projectPatchSchema,
  TaskRead: schemas.resources.taskSchema,
  TaskWriteRequest: schemas.resources.taskWriteSchema,
  PatchedTaskWriteRequest: schemas.resources.taskPatchSchema,
  JobRead: schemas.resources.jobSchema,
  JobWriteRequest: schemas.resources.jobWriteSchema,
  PatchedJobWriteRequest: schemas.resources.jobPatchSchema,
  TaskValidationLayoutRead: schemas.resources.taskValidationLayoutSchema,
  JobValidationLayoutRead: schemas.resources.jobValidationLayoutSchema,
  PatchedTaskValidationLayoutWriteRequest: schemas.resources.taskValidationPatchSchema,
  PatchedJobValidationLayoutWriteRequest: schemas.resources.jobValidationPatchSchema,
  DataMetaRead: schemas.resources.dataMetaSchema,
  PatchedDataMetaWriteRequest: schemas.resources.dataMetaPatchSchema,
  RqStatus: schemas.resources.taskStatusSchema,
  RequestReport: operations.getRequestReport.output,

  InputTypeEnum: schemas.labels.inputTypeSchema,
  PatchedLabelRequest: schemas.labels.labelWriteSchema,

  AttributeVal: schemas.annotations.attributeValueSchema,
  LabeledImage: schemas.annotations.tagSchema,
  SubLabeledShape: schemas.annotations.subShapeSchema,
  LabeledShape: schemas.annotations.shapeSchema,
  SubLabeledTrack: schemas.annotations.subTrackSchema,
  LabeledTrack: schemas.annotations.trackSchema,
  LabeledInterval: schemas.annotations.intervalSchema,
  AnnotationChanges: operations.listAnnotationChanges.output,

  ConsensusMergeCreateRequest: schemas.consensus.consensusMergeRequestSchema,
  AgreementOfPair: schemas.consensus.agreementPairSchema,
  QualityReportSummary: schemas.quality.qualitySummarySchema,
  QualityReportCreateRequest: schemas.quality.qualityReportRequestSchema,
  AnnotationConflict: schemas.quality.qualityConflictSchema,

  FrameSearchRequest: schemas.finding.frameSearchSchema,
  StatisticsOfLabel: schemas.statistics.labelStatisticsSchema,
  CountOfKind: schemas.statistics.kindCountSchema,
  CountOfAttribute: schemas.statistics.attributeCountSchema,
  ExportOptionsFields: schemas.exportOptions.exportOptionsSchema,
  FrameSelectionRequest: schemas.frames.frameSelectionSchema,
  FramesToTaskRequest: schemas.frames.framesToTaskSchema,
  FramesToFilesRequest: schemas.frames.framesToFilesSchema,

  IssueRead: schemas.review.issueSchema,
  IssueWriteRequest: schemas.review.issueWriteSchema,
  PatchedIssueWriteRequest: schemas.review.issuePatchSchema,
  CommentRead: schemas.review.commentSchema,
  CommentWriteRequest: schemas.review.commentWriteSchema,
  PatchedCommentWriteRequest: schemas.review.commentPatchSchema,
  AnnotationGuideRead: schemas.review.guideSchema,
  AnnotationGuideWriteRequest: schemas.review.guideWriteSchema,
  PatchedAnnotationGuideWriteRequest: schemas.review.guidePatchSchema,
  AssetRead: schemas.review.assetSchema,

  ClientEvent: schemas.activity.activityEventSchema,
  PatchedAnalyticsStateRequest: schemas.analytics.analyticsPatchSchema,

  CreateBackupRequest: schemas.backups.createBackupSchema,
  RestoreBackupRequest: schemas.backups.restoreBackupSchema,

  WorkbenchStorage: schemas.storage.storageSchema,
  MoveVolumeRequest: schemas.storage.moveVolumeSchema,
  RelinkImagesRequest: schemas.storage.relinkImagesSchema,

  SshKeyWriteRequest: schemas.git.sshKeyWriteSchema,
  ConfirmGitHostRequest: schemas.git.gitHostConfirmSchema,
  GitBindingWriteRequest: schemas.git.gitBindingWriteSchema,

  PredictionsOfTaskRequest: schemas.predictions.predictionsOfTaskSchema,
  PredictionsExportRequest: schemas.predictions.predictionsExportSchema,

  WebhookRead: schemas.webhooks.webhookSchema,
  WebhookWriteRequest: schemas.webhooks.webhookWriteSchema,
  WebhookReplaceRequest: schemas.webhooks.webhookPutSchema,
  PatchedWebhookWriteRequest: schemas.webhooks.webhookPatchSchema,
  WebhookDeliveryRead: schemas.webhooks.webhookDeliverySchema,
  Events: schemas.webhooks.webhookEventsSchema,
  RedeliveredMessages: operations.redeliverFailedMessages.output,

  TextPrompts: schemas.textPrompts.textPromptsSchema,

  LambdaLabel: schemas.functions.modelLabelSchema,
  FunctionCall: schemas.functions.lambdaRequestSchema,
  ModelAddressCheck: schemas.functions.modelAddressCheckSchema,
  AgentAcquireRequest: schemas.native.acquireSchema,
  AgentAcquired: schemas.native.acquiredSchema,
  AgentUpdateRequest: schemas.native.agentUpdateSchema,
  AgentResultRequest: schemas.native.agentResultSchema,
  AgentFailureRequest: schemas.native.agentFailSchema,
  ModelVersionList: schemas.versions.modelVersionsSchema,
  ModelVersionChanges: schemas.versions.versionChangesSchema,
  ModelRollbackRequest: schemas.versions.rollBackSchema,
  PatchedModelFunctionRequest: schemas.functions.modelPatchSchema,
  DeployRequest: schemas.functions.deploySchema,
  RedeployRequest: operations.redeployModel.body,
  ImportModelImageRequest: operations.importModelImage.body,
  ImportedModelImages: operations.importModelImage.output,
  BaseImageRequest: operations.buildBaseImage.body,
  BaseImage: operations.buildBaseImage.output,
  EnvironmentInspectionRequest: schemas.functions.environmentPathSchema,
  GpuProbeRequest: operations.probeGpu.body,
  ModelFileInspectionRequest: schemas.modelFiles.modelFilePathSchema,
  ModelFileTrialRequest: schemas.modelFiles.modelFileTrialSchema,
  ModelFileTrial: schemas.modelFiles.modelFileTrialAnswerSchema,
};

/** Schemas that are written inline. */
const unnamed = new Set<unknown>([
  schemas.common.dateTimeSchema,
  schemas.functions.lambdaAnswerSchema,
  schemas.functions.lambdaCallSchema,
  schemas.native.requestCategorySchema,
  schemas.resources.dataRequestSchema,
  schemas.modelFiles.modelInputSchema,
]);

/**
 * `taskSchema` is Task, `taskWriteSchema` TaskRequest, `taskPatchSchema` PatchedTaskRequest. Queries are written
 * inline.
 */
function ownName(name: string): string {
  const [, stem = '', kind] = /^(.+?)(Write|Patch)?Schema$/.exec(name) ?? [];
  const thing = stem.charAt(0).toUpperCase() + stem.slice(1);
  return `${kind === 'Patch' ? 'Patched' : ''}${thing}${kind === undefined ? '' : 'Request'}`;
}

/** Names for zod's JSON Schema; pages are named after their items. */
export const schemaNames = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(names)) if (schema) schemaNames.add(schema, { id });
for (const [name, schema] of Object.values<object>(schemas).flatMap((one) => Object.entries(one)))
  if (schema instanceof z.ZodType && /(?<!Query)Schema$/.test(name) && !schemaNames.has(schema) && !unnamed.has(schema))
    schemaNames.add(schema, { id: ownName(name) });
for (const [, { output }] of operationList) {
  const results: unknown = output instanceof z.ZodObject && 'next' in output.shape ? output.shape['results'] : null;
  const item = results instanceof z.ZodArray ? schemaNames.get(results.element as z.ZodType)?.id : undefined;
  if (output && item !== undefined) schemaNames.add(output, { id: `Paginated${item}List` });
}
