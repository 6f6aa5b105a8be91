import type { RemotePullWrite, RemoteResult } from '../../preload/contract/schema/remotes.ts';
import { RequestFailure, type RequestResult } from '../background-requests/request-end.ts';
import type { RequestRun, RequestRunner } from '../background-requests/request-queue.ts';
import { withGrace } from '../platform/aborting.ts';
import type { Actor } from '../users/access/actor.ts';
import { requester } from '../users/accounts/requester.ts';
import { changesOf } from './changes-text.ts';
import type { CheckoutDependencies } from './checkout.ts';
import { noLink, type Exchanged, type ExchangeRun } from './exchange.ts';
import type { LinkRow, ServerRow } from './remote-repository.ts';

export interface ExchangeParameters extends RemotePullWrite {
  readonly linkId: number;
}
/** Result as stored with the request; the state of the job is added when it is read. */
export interface StoredResult extends Exchanged {
  readonly action: RemoteResult['action'];
  readonly linkId: number;
}

/** Time for changes on the server to complete when a request is cancelled, or Limner stops, in the middle of them. */
export const graceMs = 5000;

const tooLate = ' It could not be stopped after the first change was sent.';

export function createExchangeRunner(
  dependencies: CheckoutDependencies,
  action: RemoteResult['action'],
): RequestRunner {
  const { users, remotes, exchange } = dependencies;
  return async (request, run) => {
    const actor = requester(users, request);
    const { linkId, ...body } = JSON.parse(request.parameters) as ExchangeParameters;
    const link = remotes.link(linkId, actor.userId);
    const row = link && remotes.server(link.server_id, actor.userId);
    if (!link || !row) throw noLink();
    const isRest = action === 'push' && remotes.isSending(linkId);
    const resultOf = (done: Exchanged): RequestResult => ({
      message: messageOf(action, body.dry_run, isRest, done) + (run.signal.aborted ? tooLate : ''),
      report: JSON.stringify({ action, linkId, ...done } satisfies StoredResult),
    });
    const { signal, progress } = run;
    const exchanging = { signal, progress, applied: (done: Exchanged) => run.finish(resultOf(done)) };
    if (action === 'push') return resultOf(await pushJob(dependencies, { actor, link, row }, exchanging, body.dry_run));
    const pull = dependencies.open(row, (server) => exchange.pull({ actor, link, server }, body, exchanging), signal);
    return resultOf(await pull);
  };
}

/** Pushes a job on its own connection, which outlasts an abort until changes that were begun are sent. */
export async function pushJob(
  { open, exchange }: Pick<CheckoutDependencies, 'open' | 'exchange'>,
  { actor, link, row }: { readonly actor: Actor; readonly link: LinkRow; readonly row: ServerRow },
  run: ExchangeRun & Pick<RequestRun, 'signal'>,
  isDry = false,
): Promise<Exchanged> {
  let isSending = false;
  const sending = (): void => void (isSending = true);
  const push = (signal: AbortSignal): Promise<Exchanged> =>
    open(row, (server) => exchange.push({ actor, link, server }, { dry_run: isDry }, { ...run, sending }), signal);
  const tell = (): void => {
    if (isSending) run.progress?.(0, `Job ${link.remote_job_id}: completing the cancelled push`);
  };
  run.signal.addEventListener('abort', tell, { once: true });
  try {
    return await withGrace(run.signal, graceMs, push);
  } catch (error) {
    if (!run.signal.aborted || !isSending) throw error;
    throw new RequestFailure(
      `The push of "${link.name}" was cancelled while changes were being sent, and the server may have a part of them. Push again to complete it.`,
    );
  } finally {
    run.signal.removeEventListener('abort', tell);
  }
}

function messageOf(action: RemoteResult['action'], isDry: boolean, isRest: boolean, done: Exchanged): string {
  const { conflicts, changed } = done;
  if (conflicts.length > 0) {
    const count = conflicts.length === 1 ? '1 conflict' : `${conflicts.length} conflicts`;
    return `${count}. Nothing was ${action === 'pull' ? 'changed' : 'sent'}. Choose which version to keep, and pull.`;
  }
  const verb = { pull: ['Pulled', 'Would pull'], push: ['Pushed', 'Would push'] }[action][isDry ? 1 : 0];
  const rest = isRest && !isDry ? 'the rest of an interrupted push: ' : '';
  return `${verb} ${rest}${changesOf(changed) ?? 'nothing'}.`;
}
