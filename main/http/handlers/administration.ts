import type { activityOperations } from '../../../preload/contract/operations/activity.ts';
import type { gitOperations } from '../../../preload/contract/operations/git.ts';
import type { administrationOperations } from '../../../preload/contract/operations/administration.ts';
import type { Services } from '../../composition/services.ts';
import { eventExport } from '../event-export.ts';
import type { HandlersOf } from '../handler.ts';

type AdministrationOperations = typeof activityOperations & typeof gitOperations & typeof administrationOperations;

/** Handlers for analytics, backups, history, logs, settings, storage, SSH keys and Git. */
export function createAdministrationHandlers({
  analytics,
  workbenchBackups: backups,
  history,
  logs,
  settings,
  storage,
  sshKeys,
  git,
}: Services): HandlersOf<AdministrationOperations> {
  return {
    sendEvents: ({ actor, body }) => analytics.log(actor, body),
    exportEvents: ({ actor, query }) => analytics.startExport(actor, eventExport(query)),
    getAnalytics: ({ actor }) => analytics.state(actor),
    updateAnalytics: ({ actor, body }) => analytics.switchTo(actor, body),
    getAnalyticsReport: ({ actor, query }) =>
      analytics.report(actor, {
        from: query.from,
        to: query.to,
        timeZone: query.time_zone,
        projectId: query.project_id,
        userId: query.user_id,
      }),

    getBackups: ({ actor }) => backups.get(actor),
    createBackup: ({ actor, body }) => backups.make(actor, body),
    changeBackupSettings: ({ actor, body }) => backups.change(actor, body),
    restoreBackup: ({ actor, body }) => backups.restore(actor, body),
    cancelBackup: ({ actor }) => backups.cancel(actor),

    listHistory: ({ actor, query }) => history.list(actor, query),
    listLog: ({ actor, query }) => logs.list(actor, query),
    describeReport: ({ actor }) => logs.describe(actor),
    getSettings: ({ actor }) => settings.get(actor),
    changeSettings: ({ actor, body }) => settings.change(actor, body),
    checkForUpdate: ({ actor }) => settings.checkForUpdate(actor),

    getStorage: ({ actor }) => storage.get(actor),
    getVolumeMove: ({ actor }) => storage.move(actor),
    moveVolume: ({ actor, body }) => storage.begin(actor, body),
    cancelVolumeMove: ({ actor }) => storage.cancel(actor),
    relinkImages: ({ actor, body }) => storage.relink(actor, body),

    listSshKeys: ({ actor }) => ({ results: sshKeys.list(actor) }),
    createSshKey: ({ actor, request, body }) => sshKeys.create(actor, request.identity.credentials, body),
    deleteSshKey: ({ actor, request, params }) => sshKeys.remove(actor, request.identity.credentials, params.id),
    getGitHost: ({ request, query }) => git.host(query.address, request.signal),
    confirmGitHost: ({ actor, request, body }) =>
      git.confirmHost(actor, body.address, body.fingerprint, request.signal),
    getTaskGit: ({ actor, params }) => git.tasks.get(actor, params.id),
    bindTaskGit: ({ actor, params, body }) => git.tasks.bind(actor, params.id, body),
    unbindTaskGit: ({ actor, params }) => git.tasks.unbind(actor, params.id),
    pullTaskGit: ({ actor, request, params, body }) => git.tasks.pull(actor, params.id, body, request.signal),
    pushTaskGit: ({ actor, request, params, body }) => git.tasks.push(actor, params.id, body, request.signal),
    getTaskGitHistory: async ({ actor, params }) => ({ results: await git.tasks.history(actor, params.id) }),
    restoreTaskGit: ({ actor, params, body }) => git.tasks.restore(actor, params.id, body.commit),
    getProjectGit: ({ actor, params }) => git.projects.get(actor, params.id),
    bindProjectGit: ({ actor, params, body }) => git.projects.bind(actor, params.id, body),
    unbindProjectGit: ({ actor, params }) => git.projects.unbind(actor, params.id),
    pullProjectGit: ({ actor, request, params, body }) => git.projects.pull(actor, params.id, body, request.signal),
    pushProjectGit: ({ actor, request, params, body }) => git.projects.push(actor, params.id, body, request.signal),
    getProjectGitHistory: async ({ actor, params }) => ({ results: await git.projects.history(actor, params.id) }),
    restoreProjectGit: ({ actor, params, body }) => git.projects.restore(actor, params.id, body.commit),
  };
}
