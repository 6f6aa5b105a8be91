import type { z } from 'zod';
import type {
  consensusMergeRequestSchema,
  consensusSettingsPatchSchema,
  ConsensusSettings,
} from '../../../preload/contract/schema/consensus.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import { visibleTo } from '../../users/access/scope.ts';
import { invalidField, invalidRequest, orNotFound } from '../../platform/errors.ts';
import type { RequestService } from '../../background-requests/request-service.ts';
import { numberIn } from '../quality/quality-settings.ts';
import type { WorkAccess } from '../work-access.ts';
import type { ConsensusRepository, ConsensusSettingsRow } from './consensus-repository.ts';
import { whyNot } from './merge-rules.ts';
import type { Replicas } from './replicas.ts';
import { taskScope } from '../tables/task-table.ts';

export function createConsensusService(
  {
    consensus,
    replicas,
    access,
  }: { readonly consensus: ConsensusRepository; readonly replicas: Replicas; readonly access: WorkAccess },
  requests: RequestService,
) {
  function open(actor: Actor, id: number, action: 'view' | 'update'): ConsensusSettingsRow {
    const row = orNotFound(consensus.settings(id));
    access.task(actor, row.task_id, action);
    return row;
  }

  return {
    start(actor: Actor, body: z.output<typeof consensusMergeRequestSchema>): { rq_id: string } {
      const { task_id: ofTask, job_id: jobId = null } = body;
      if (ofTask !== undefined && jobId !== null) {
        throw invalidField('job_id', 'A merge is for a task or for one job: send task_id or job_id, not both.');
      }
      const taskId = jobId === null ? ofTask : access.job(actor, jobId).task_id;
      if (taskId === undefined) throw invalidField('task_id', 'This field or job_id is required.');
      const task = access.task(actor, taskId, 'view', 'update');
      const why = whyNot(task, replicas.ofTask(taskId), jobId);
      if (why !== null) throw invalidRequest(why);
      return requests.start(actor, {
        key: { action: 'merge', target: jobId === null ? 'task' : 'job', targetId: jobId ?? taskId },
        type: jobId === null ? 'merge:task' : 'merge:job',
        taskId,
        jobId,
        projectId: task.project_id,
        organizationId: task.organization_id,
        parameters: {},
      });
    },
    listSettings(actor: Actor, request: ListRequest): Listing<ConsensusSettings> {
      const taskId = numberIn(request, 'task_id');
      if (taskId === null) consensus.prepareSettings();
      else consensus.settingsOf(access.task(actor, taskId, 'view').id);
      const { count, results } = consensus.listSettings(request, visibleTo(actor, 'task', taskScope));
      return { count, results: [...results] };
    },
    getSettings: (actor: Actor, id: number): ConsensusSettings => open(actor, id, 'view'),
    updateSettings(actor: Actor, id: number, body: z.output<typeof consensusSettingsPatchSchema>): ConsensusSettings {
      open(actor, id, 'update');
      consensus.choose(id, body.iou_threshold ?? null, body.quorum ?? null);
      return open(actor, id, 'view');
    },
  };
}
