import { randomUUID } from 'node:crypto';
import { AppError } from '../platform/errors.ts';
import { requireAllowed } from '../people/access/access-rules.ts';
import type { Actor } from '../people/access/actor.ts';
import type { RequestService } from '../requests/request-service.ts';
import { organizationOf } from '../people/access/scope.ts';
import type { WorkAccess } from '../work/work-access.ts';
import type { BackupTarget } from './export/backup-export-job.ts';
import type { BackupExportParameters, BackupRequest } from './export/backup-export.ts';
import type { BackupImportParameters } from './sources/backup/backup-import.ts';

/** Starts backups of projects and tasks, and their return, as background requests. */
export function createBackupService({ access }: { readonly access: WorkAccess }, requests: RequestService) {
  function openTarget(actor: Actor, { kind, id }: BackupTarget) {
    if (kind === 'project') {
      const project = access.project(actor, id, 'export:backup');
      return { projectId: id, taskId: null, organizationId: project.organization_id };
    }
    const task = access.task(actor, id, 'export:backup');
    if (task.media_id === null)
      throw new AppError('invalid', 'The task has no data yet.', ['The task has no data yet.']);
    return { projectId: task.project_id, taskId: id, organizationId: task.organization_id };
  }

  return {
    startExport(actor: Actor, target: BackupTarget, request: BackupRequest): { rq_id: string } {
      const place = openTarget(actor, target);
      const parameters: BackupExportParameters = { ...request, target };
      return requests.start(actor, {
        key: {
          action: 'export',
          target: target.kind,
          targetId: target.id,
          userId: actor.userId,
          subresource: 'backup',
          lightweight: request.lightweight,
        },
        type: 'export:backup',
        ...place,
        parameters: { ...parameters },
      });
    },

    /** Throws when the actor may not make tasks or projects of backups here. */
    requireImport(actor: Actor, kind: BackupTarget['kind']): void {
      requireAllowed(actor, kind, 'import:backup', access.facts.place(actor, organizationOf(actor)));
    },

    startImport(
      actor: Actor,
      kind: BackupTarget['kind'],
      file: { readonly path: string; readonly name: string },
    ): { rq_id: string } {
      this.requireImport(actor, kind);
      const parameters: BackupImportParameters = {
        kind,
        file,
        // Whose words comments are is taken from the file only where that gives nobody away.
        keepsAuthors: actor.group === 'admin',
      };
      return requests.start(actor, {
        key: { action: 'import', target: kind, uuid: randomUUID(), subresource: 'backup' },
        type: 'import:backup',
        organizationId: organizationOf(actor),
        parameters: { ...parameters },
      });
    },
  };
}
