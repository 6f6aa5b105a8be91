import type { remoteOperations } from '../../../preload/contract/operations/remotes.ts';
import type { Services } from '../../composition/services.ts';
import type { HandlersOf } from '../handler.ts';

export function createRemoteHandlers({ remotes }: Services): HandlersOf<typeof remoteOperations> {
  return {
    listRemoteServers: ({ actor }) => ({ results: remotes.list(actor) }),
    createRemoteServer: ({ actor, request, body }) =>
      remotes.create(actor, request.identity.credentials, body, request.signal),
    updateRemoteServer: ({ actor, request, params, body }) =>
      remotes.update(actor, request.identity.credentials, params.id, body, request.signal),
    deleteRemoteServer: ({ actor, request, params }) => remotes.remove(actor, request.identity.credentials, params.id),
    checkRemoteServer: ({ actor, request, params }) => remotes.check(actor, params.id, request.signal),
    browseRemoteServer: ({ actor, request, params, query }) => remotes.browse(actor, params.id, query, request.signal),
    checkOutRemote: ({ actor, params, body }) => remotes.checkOut(actor, params.id, body),
    publishToRemote: ({ actor, params, body }) => remotes.publish(actor, params.id, body),
    listRemoteJobs: ({ actor, query }) => ({
      results: remotes.jobs(actor, query.server_id === undefined ? null : Number(query.server_id)),
    }),
    compareRemoteJob: ({ actor, request, params }) => remotes.compare(actor, params.id, request.signal),
    pullRemoteJob: ({ actor, params, body }) => remotes.pull(actor, params.id, body),
    pushRemoteJob: ({ actor, params, body }) => remotes.push(actor, params.id, body),
    getRemoteResult: ({ actor, params }) => remotes.result(actor, params.id),
    deleteRemoteJob: ({ actor, params }) => remotes.release(actor, params.id),
  };
}
