import { z } from 'zod';
import type { AnyOperation } from '../../preload/contract/operation.ts';
import { operations } from '../../preload/contract/operations/index.ts';
import * as activity from '../../preload/contract/schema/activity.ts';
import * as analytics from '../../preload/contract/schema/analytics.ts';
import * as annotations from '../../preload/contract/schema/annotations.ts';
import * as versions from '../../preload/contract/schema/function-versions.ts';
import { modelNumbersSchema } from '../../preload/contract/schema/model-numbers.ts';
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

/**
 * Names that the OpenAPI document, and so every client made from it, gives to schemas: CVAT's where it has such a
 * thing. What a request sends ends in `Request`; the document adds that to schemas that stand on both sides.
 */
const names: Readonly<Record<string, z.ZodType | undefined>> = {
  About: server.aboutSchema,
  DatasetFormats: server.datasetFormatsSchema,
  FileInfo: server.shareEntrySchema,
  Plugins: server.pluginsSchema,
  RqId: common.rqIdSchema,
  Detail: server.detailSchema,
  FormatOptions: formats.formatOptionsSchema,
  FormatOption: formats.formatOptionSchema,

  BasicUser: common.basicUserSchema,
  User: server.userSchema,
  MetaUser: server.visibleUserSchema,
  PatchedUserRequest: people.userPatchSchema,
  LoginSerializerExRequest: server.loginSchema,
  Token: server.keySchema,
  RegisterSerializerExRequest: server.registerSchema,
  RegisterSerializerEx: server.registeredSchema,
  PasswordChangeRequest: server.passwordChangeSchema,
  PasswordResetSerializerExRequest: people.passwordResetSchema,
  PasswordResetConfirmRequest: people.passwordResetConfirmSchema,
  PasswordResetToken: people.passwordResetTokenSchema,
  AccessTokenRead: server.accessTokenSchema,
  NewAccessToken: server.newAccessTokenSchema,
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

  Storage: common.storageSchema,
  StorageRequest: common.storageWriteSchema,
  CollectionSummary: common.collectionSummarySchema,
  LabelsSummary: common.labelsSummarySchema,
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
  Request: resources.requestSchema,
  RequestReport: operations.getRequestReport.output,
  FormatCandidates: formats.formatCandidatesSchema,
  VideoTimes: resources.videoTimesSchema,
  PictureTiles: resources.pictureTilesSchema,
  ImportSurvey: formats.importSurveySchema,

  LabelType: labels.labelTypeSchema,
  InputTypeEnum: labels.inputTypeSchema,
  Attribute: labels.attributeSchema,
  AttributeRequest: labels.attributeWriteSchema,
  Sublabel: labels.sublabelSchema,
  Label: labels.labelSchema,
  PatchedLabelRequest: labels.labelWriteSchema,

  ShapeType: annotations.shapeTypeSchema,
  AnnotationSource: annotations.annotationSourceSchema,
  AttributeVal: annotations.attributeValueSchema,
  JobTracks: annotations.jobTracksSchema,
  LabeledImage: annotations.tagSchema,
  SubLabeledShape: annotations.subShapeSchema,
  LabeledShape: annotations.shapeSchema,
  TrackedShape: annotations.trackedShapeSchema,
  SubLabeledTrack: annotations.subTrackSchema,
  LabeledTrack: annotations.trackSchema,
  LabeledInterval: annotations.intervalSchema,
  LabeledData: annotations.labeledDataSchema,
  AnnotationChange: annotations.annotationChangeSchema,
  AnnotationChanges: operations.listAnnotationChanges.output,
  TakenBack: annotations.takenBackSchema,

  ConsensusSettings: consensus.consensusSettingsSchema,
  PaginatedConsensusSettingsList: consensus.consensusSettingsPageSchema,
  PatchedConsensusSettingsRequest: consensus.consensusSettingsPatchSchema,
  ConsensusMergeCreateRequest: consensus.consensusMergeRequestSchema,
  Agreement: consensus.agreementSchema,
  AgreementFile: consensus.agreementFileSchema,
  AgreementOfPair: consensus.agreementPairSchema,
  QualitySettings: quality.qualitySettingsSchema,
  PaginatedQualitySettingsList: quality.qualitySettingsPageSchema,
  PatchedQualitySettingsRequest: quality.qualitySettingsPatchSchema,
  QualityReport: quality.qualityReportSchema,
  PaginatedQualityReportList: quality.qualityReportPageSchema,
  QualityReportSummary: quality.qualitySummarySchema,
  QualityReportData: quality.qualityReportDataSchema,
  QualityReportCreateRequest: quality.qualityReportRequestSchema,
  AnnotationConflict: quality.qualityConflictSchema,
  PaginatedAnnotationConflictList: quality.qualityConflictPageSchema,
  AnnotationId: quality.annotationIdSchema,

  FrameSearchRequest: finding.frameSearchSchema,
  FrameMatches: finding.frameMatchesSchema,
  Statistics: statistics.statisticsSchema,
  JobProgress: statistics.jobProgressSchema,
  ProjectProgress: statistics.projectProgressSchema,
  StatisticsOfLabel: statistics.labelStatisticsSchema,
  CountOfKind: statistics.kindCountSchema,
  CountOfAttribute: statistics.attributeCountSchema,
  ExportArrangement: arrangement.arrangementSchema,
  ExportPreviewRequest: arrangement.exportPreviewRequestSchema,
  ExportPreview: arrangement.exportPreviewSchema,
  ExportPictureRequest: exportPicture.exportPictureRequestSchema,
  ExportPicture: exportPicture.exportPictureSchema,
  FrameSelectionRequest: frames.frameSelectionSchema,
  FrameCount: frames.frameCountSchema,
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
  ClientEvents: activity.clientEventsSchema,
  ClientEventsRequest: activity.clientEventsWriteSchema,
  AnalyticsState: analytics.analyticsStateSchema,
  PatchedAnalyticsStateRequest: analytics.analyticsPatchSchema,
  AnalyticsReport: analytics.analyticsReportSchema,

  Backups: backups.backupsSchema,
  BackupFile: backups.backupFileSchema,
  BackupSettings: backups.backupSettingsSchema,
  BackupOutcome: backups.backupOutcomeSchema,
  MakeBackupRequest: backups.makeBackupSchema,
  PatchedBackupSettingsRequest: backups.backupSettingsPatchSchema,
  RestoreBackupRequest: backups.restoreBackupSchema,
  RestoreStarted: backups.restoreStartedSchema,

  WorkbenchSettings: settings.workbenchSettingsSchema,
  PatchedWorkbenchSettingsRequest: settings.workbenchSettingsPatchSchema,

  WorkbenchStorage: storage.storageSchema,
  StorageMove: storage.storageMoveSchema,
  Volume: storage.volumeSchema,
  ImageFolder: storage.imageFolderSchema,
  MoveVolumeRequest: storage.moveVolumeSchema,
  RelinkImagesRequest: storage.relinkImagesSchema,
  Relinked: storage.relinkedSchema,

  SshKey: git.sshKeySchema,
  SshKeys: git.sshKeysSchema,
  SshKeyWriteRequest: git.sshKeyWriteSchema,
  HostKey: git.hostKeySchema,
  GitHost: git.gitHostSchema,
  ConfirmGitHostRequest: git.gitHostConfirmSchema,
  GitBinding: git.gitBindingSchema,
  GitBindingWriteRequest: git.gitBindingWriteSchema,
  GitDifference: git.gitDifferenceSchema,
  GitConflict: git.gitConflictSchema,
  GitCopyChanges: git.gitCopyChangesSchema,
  GitLoss: git.gitLossSchema,
  GitTask: git.gitTaskSchema,
  GitDecision: git.gitDecisionSchema,
  GitPullRequest: git.gitPullWriteSchema,
  GitPulled: git.gitPulledSchema,
  GitPushRequest: git.gitPushWriteSchema,
  GitPushed: git.gitPushedSchema,
  GitCommit: git.gitCommitSchema,
  GitHistory: git.gitHistorySchema,
  GitRestoreRequest: git.gitRestoreWriteSchema,
  GitRestored: git.gitRestoredSchema,
  GitLeft: git.gitLeftSchema,
  GitProject: git.gitProjectSchema,
  GitProjectPulled: git.gitProjectPulledSchema,
  GitProjectPushed: git.gitProjectPushedSchema,
  GitProjectRestored: git.gitProjectRestoredSchema,

  HistoryEntry: history.historyEntrySchema,
  History: history.historySchema,

  LogLevel: logs.logLevelSchema,
  LogLine: logs.logLineSchema,
  Log: logs.logSchema,
  Report: logs.reportSchema,

  PredictionSet: predictions.predictionSetSchema,
  PredictionSets: predictions.predictionSetsSchema,
  PredictionSetRequest: predictions.predictionSetWriteSchema,
  PatchedPredictionSetRequest: predictions.predictionSetPatchSchema,
  PredictionsOfTaskRequest: predictions.predictionsOfTaskSchema,
  PredictionsAdded: predictions.predictionsAddedSchema,
  PredictionsExportRequest: predictions.predictionsExportSchema,

  Evaluation: evaluations.evaluationSchema,
  Evaluations: evaluations.evaluationsSchema,
  EvaluationRequest: evaluations.evaluationWriteSchema,
  ProjectEvaluationRequest: evaluations.projectEvaluationWriteSchema,
  ProjectPredictions: evaluations.projectPredictionsSchema,
  EvaluationStarted: evaluations.evaluationStartedSchema,
  EvaluationReport: evaluations.evaluationReportSchema,
  EvaluationCounts: evaluations.evaluationCountsSchema,
  EvaluationFrames: evaluations.evaluationFramesSchema,
  ComparedFrame: evaluations.comparedFrameSchema,
  EvaluationFile: evaluations.evaluationFileSchema,

  WebhookRead: webhooks.webhookSchema,
  WebhookWriteRequest: webhooks.webhookWriteSchema,
  WebhookReplaceRequest: webhooks.webhookPutSchema,
  PatchedWebhookWriteRequest: webhooks.webhookPatchSchema,
  WebhookDeliveryRead: webhooks.webhookDeliverySchema,
  Events: webhooks.webhookEventsSchema,
  WebhookMessage: webhooks.webhookMessageSchema,
  WebhookState: webhooks.webhookStateSchema,
  WebhookExchange: webhooks.webhookExchangeSchema,
  WebhookSettings: webhooks.webhookSettingsSchema,
  PatchedWebhookSettingsRequest: webhooks.webhookSettingsPatchSchema,
  WebhookReceiver: webhooks.webhookReceiverSchema,
  PatchedReceiverAnswerRequest: webhooks.receiverAnswerPatchSchema,
  ReceivedRequest: webhooks.receivedRequestSchema,
  RedeliveredMessages: operations.redeliverFailedMessages.output,

  FunctionKind: functions.functionKindSchema,
  FunctionState: functions.functionStateSchema,
  LambdaFunction: functions.lambdaFunctionSchema,
  LambdaLabel: functions.modelLabelSchema,
  FunctionCall: functions.lambdaRequestSchema,
  NativeFunction: native.nativeFunctionSchema,
  NativeFunctionRequest: native.nativeFunctionWriteSchema,
  AgentAcquireRequest: native.acquireSchema,
  AgentAcquired: native.acquiredSchema,
  AgentUpdateRequest: native.agentUpdateSchema,
  AgentResultRequest: native.agentResultSchema,
  AgentFailureRequest: native.agentFailSchema,
  Batch: batches.batchSchema,
  BatchRequest: batches.batchWriteSchema,
  PatchedBatchRequest: batches.batchPatchSchema,
  ModelFunction: functions.modelFunctionSchema,
  ModelNumbers: modelNumbersSchema,
  ModelVersion: versions.modelVersionSchema,
  ModelVersionList: versions.modelVersionsSchema,
  ModelVersionChanges: versions.versionChangesSchema,
  ModelRollbackRequest: versions.rollBackSchema,
  PatchedModelFunctionRequest: functions.modelPatchSchema,
  DeployRequest: functions.deploySchema,
  RedeployRequest: operations.redeployModel.body,
  DeployCheck: functions.deployCheckSchema,
  Demand: functions.demandSchema,
  EngineStatus: functions.engineStatusSchema,
  ModelImage: functions.modelImageSchema,
  ImportModelImageRequest: operations.importModelImage.body,
  ImportedModelImages: operations.importModelImage.output,
  BaseImageRequest: operations.makeBaseImage.body,
  BaseImage: operations.makeBaseImage.output,
  ModelSample: functions.modelSampleSchema,
  EnvironmentLook: functions.environmentLookSchema,
  EnvironmentLookRequest: functions.environmentPathSchema,
  GpuProbe: functions.gpuProbeSchema,
  GpuProbeRequest: operations.probeGpu.body,
  Dashboard: functions.dashboardSchema,
  DashboardRequest: functions.dashboardWriteSchema,
  EndpointRequest: functions.endpointWriteSchema,
  Weights: weights.weightsSchema,
  WeightsRequest: weights.weightsWriteSchema,
  WeightsLook: weights.weightsLookSchema,
  WeightsDescription: weights.weightsDescriptionSchema,
  WeightsLookRequest: weights.weightsPathSchema,
  PatchedWeightsRequest: weights.weightsPatchSchema,
  DecoderRequest: weights.decoderWriteSchema,
  WeightsTrialRequest: weights.weightsTrialSchema,
  WeightsTrial: weights.weightsTrialAnswerSchema,
};

/** The names as zod's JSON Schema takes them; a page is named after what is on it. */
export const schemaNames = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(names)) if (schema) schemaNames.add(schema, { id });
for (const { output } of Object.values<AnyOperation>(operations)) {
  const results: unknown = output instanceof z.ZodObject && 'next' in output.shape ? output.shape['results'] : null;
  const item = results instanceof z.ZodArray ? schemaNames.get(results.element as z.ZodType)?.id : undefined;
  if (output && item !== undefined) schemaNames.add(output, { id: `Paginated${item}List` });
}
