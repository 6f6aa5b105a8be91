import { collection, operation } from '../operation.ts';
import { equalTo, listQuery, rqIdSchema } from '../schema/common.ts';
import * as consensus from '../schema/consensus.ts';

const settings = collection('/api/consensus/settings', consensus.consensusSettingsSchema);
/** Jobs that several people annotate on their own: merged into one, and how far the people agree. */
export const consensusOperations = {
  createConsensusMerge: operation.post(
    '/api/consensus/merges',
    'Start merging the replicas of a task, or of one of its jobs',
    { status: 202, body: consensus.consensusMergeRequestSchema, output: rqIdSchema },
  ),
  listConsensusSettings: operation.get('/api/consensus/settings', 'What merges go by', {
    query: listQuery(equalTo('task_id')),
    output: consensus.consensusSettingsPageSchema,
  }),
  getConsensusSettings: settings.get('What the merges of a task go by'),
  updateConsensusSettings: settings.update('Change what merges go by', consensus.consensusSettingsPatchSchema),
  getTaskAgreement: operation.get('/api/limner/tasks/{id}/agreement', 'How far annotators of replicas agree', {
    output: consensus.agreementSchema,
  }),
  getTaskAgreementFile: operation.get('/api/limner/tasks/{id}/agreement/file', 'The same as one file', {
    query: consensus.agreementFileQuerySchema,
    output: consensus.agreementFileSchema,
  }),
} as const;
