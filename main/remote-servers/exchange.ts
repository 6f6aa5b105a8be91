import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  RemoteComparison,
  RemoteConflict,
  RemoteDifference,
  RemotePullWrite,
  RemotePushWrite,
  RemoteResult,
} from '../../preload/contract/schema/remotes.ts';
import { objectOf } from '../git-sync/annotation-objects.ts';
import { merge, versionOf, type Conflict, type Decision, type State } from '../git-sync/merge.ts';
import { newUid } from '../git-sync/task-objects.ts';
import { unlessAborted } from '../platform/aborting.ts';
import { AppError, notFound } from '../platform/errors.ts';
import { atOnce } from '../platform/portions.ts';
import { applyLocally } from './apply-locally.ts';
import type { ExchangeDependencies, OpenLink, Sides } from './exchange-parts.ts';
import { readLocal, readRemote, type RemoteContent } from './job-content.ts';
import {
  isAnnotation,
  kindOfText,
  localSide,
  looseText,
  remoteSide,
  reviewOf,
  stateOfSide,
  stepUid,
  type Side,
  type SideObject,
} from './job-sides.ts';
import type { ObjectRow } from './remote-repository.ts';
import { sendChanges } from './send-changes.ts';
import { jobAnswer } from './server-answers.ts';

const shownConflicts = 1000;
const shownConflictCharacters = 8e6;
const maxAttempts = 3;
/** Share of the progress for reading the server. */
const readShare = 0.6;

/** Changes of the end that was written to, changes of others that stay, and objects without a decision. */
export type Exchanged = Pick<RemoteResult, 'changed' | 'kept' | 'conflicts'>;

export interface ExchangeRun {
  readonly signal?: AbortSignal;
  readonly progress?: (fraction: number, message: string) => void;
  /** Called before the first change is sent. */
  readonly sending?: () => void;
  /** Called in the transaction that completes the exchange. */
  readonly applied?: (done: Exchanged) => void;
}

export type RemoteExchange = ReturnType<typeof createRemoteExchange>;

/** Compares, pulls and pushes one job. Each object is compared with its state at the last exchange. */
export function createRemoteExchange(dependencies: ExchangeDependencies) {
  const { database, clock, remotes } = dependencies;

  /** Stores what an interrupted push has done. Call it in a transaction. */
  function settle(linkId: number, rows: readonly ObjectRow[], there: Side): ObjectRow[] {
    return rows.flatMap((row) => {
      if (row.sending === null) return [row];
      const next = settled(row, there.get(row.uid));
      if (next === null) remotes.removeObject(linkId, row.uid);
      else remotes.putObject(linkId, next);
      return next === null ? [] : [next];
    });
  }

  function sidesOf({ actor, link }: OpenLink, content: RemoteContent): Sides {
    if (!remotes.link(link.id, actor.userId)) throw noLink();
    const there = remoteSide(content, remotes.objects(link.id));
    const rows = settle(link.id, remotes.objects(link.id), there);
    const here = localSide(readLocal(dependencies, actor, link).content, rows);
    const byUid = new Map(rows.map((row) => [row.uid, row]));
    const mine = [...here].map(([uid, { text }]): [string, string] => {
      const row = byUid.get(uid);
      // The ends may store the same object differently, so an unchanged object has the server's text.
      return [uid, row !== undefined && row.there !== null && row.here === text ? row.there : text];
    });
    const base = new Map(rows.flatMap(({ uid, there: text }) => (text === null ? [] : [[uid, text]])));
    const theirs = stateOfSide(there);
    return { rows, here, there, base, ...withDiscussed(base, new Map(mine), theirs) };
  }

  async function compare(open: OpenLink) {
    const content = await readRemote(open.server, open.link);
    const { base, mine, theirs } = database.write(() => sidesOf(open, content));
    const { conflicts } = atOnce(merge({ base, mine, theirs }, new Map(), newUid));
    const [here, there] = [differenceOf(base, mine), differenceOf(base, theirs)];
    return { here, there, state: stateOf(here, there), conflicts: shown(conflicts) };
  }

  /** @param initially decides for the server where both ends differ without a common state */
  async function pull(
    open: OpenLink,
    { decisions: given, dry_run: isDry }: RemotePullWrite,
    run: ExchangeRun,
    initially = false,
  ): Promise<Exchanged> {
    const content = await readAll(open, run);
    return database.write(() => {
      applyLocally.labels(dependencies, open, content);
      const sides = sidesOf(open, content);
      const decisions = decisionsOf(given, sides, initially);
      const { state: target, conflicts } = atOnce(merge(sides, decisions, newUid));
      if (conflicts.length > 0) return { changed: nothing, kept: nothing, conflicts: shown(conflicts) };
      const done = { changed: differenceOf(sides.mine, target), kept: nothing, conflicts: [] };
      if (isDry) return done;
      applyLocally.objects(dependencies, open, { sides, target, decisions });
      remotes.pulled(open.link.id, clock());
      run.applied?.(done);
      return done;
    });
  }

  /** Can be cancelled until the first change is sent. What has begun then is completed, so that no job is half changed. */
  async function push(open: OpenLink, { dry_run: isDry }: RemotePushWrite, run: ExchangeRun): Promise<Exchanged> {
    const { server, link } = open;
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const content = await readAll(open, run);
      const { sides, target, conflicts, ...planned } = database.write(() => plan(open, content));
      if (conflicts.length > 0) return { ...planned, changed: nothing, conflicts: shown(conflicts) };
      const done = { ...planned, conflicts: [] };
      if (isDry || isNothing(done.changed)) return done;
      // Nothing may have changed since it was read: between this answer and the first change is the only gap.
      const latest = server.read(jobAnswer, `/api/jobs/${link.remote_job_id}`);
      const { updated_date: date } = await unlessAborted(latest, run.signal);
      if (date !== content.job.updated_date) continue;
      // Noted before anything is sent, so that an interrupted push is continued and never repeated.
      database.write(() => note(link.id, sides, target));
      run.sending?.();
      const progress = (fraction: number, message: string): void =>
        run.progress?.(readShare + (1 - readShare) * fraction, message);
      await sendChanges({ ...open, remotes, database, content, sides, target, progress });
      database.write(() => {
        remotes.pushed(link.id, clock());
        run.applied?.(done);
      });
      return done;
    }
    const message = `"${link.name}" keeps changing on ${server.host}, so nothing was sent. Push again later.`;
    throw new AppError('conflict', message);
  }

  /** The server's job. An abort ends the wait for it at once. */
  async function readAll({ server, link }: OpenLink, { signal, progress }: ExchangeRun): Promise<RemoteContent> {
    const reading = readRemote(server, link, (fraction, step) =>
      progress?.(readShare * fraction, `Job ${link.remote_job_id}: reading the ${step} from ${server.host}`),
    );
    const content = await unlessAborted(reading, signal);
    progress?.(readShare, `Job ${link.remote_job_id}: comparing both ends`);
    // The comparison occupies the thread, so the step is shown before.
    await nextTurn();
    signal?.throwIfAborted();
    return content;
  }

  function plan(open: OpenLink, content: RemoteContent) {
    const sides = sidesOf(open, content);
    const { state: target, conflicts } = atOnce(merge(sides, new Map(), newUid));
    const kept = differenceOf(sides.base, sides.theirs);
    return { sides, target, conflicts, kept, changed: differenceOf(sides.theirs, target) };
  }

  function note(linkId: number, { rows, here, there, theirs }: Sides, target: State): void {
    const byUid = new Map(rows.map((row) => [row.uid, row]));
    for (const [uid, text] of target) {
      if (theirs.get(uid) === text) continue;
      const local = here.get(uid);
      const fresh = { uid, kind: kindOfText(text), remote_id: null, here: null, there: null };
      const row = byUid.get(uid) ?? fresh;
      const remoteId = there.get(uid)?.id ?? row.remote_id;
      remotes.putObject(linkId, { ...row, local_id: local?.id ?? null, remote_id: remoteId, sending: text });
    }
    for (const uid of theirs.keys()) {
      const row = byUid.get(uid);
      if (!target.has(uid) && row)
        remotes.putObject(linkId, { ...row, remote_id: there.get(uid)?.id ?? null, sending: '' });
    }
  }

  const inTurn = createTurns();
  return {
    compare: (open: OpenLink, signal?: AbortSignal) => inTurn(open.link.id, () => compare(open), signal),
    pull: (open: OpenLink, body: RemotePullWrite, run: ExchangeRun = {}, initially?: boolean) =>
      inTurn(open.link.id, () => pull(open, body, run, initially), run.signal),
    push: (open: OpenLink, body: RemotePushWrite, run: ExchangeRun = {}) =>
      inTurn(open.link.id, () => push(open, body, run), run.signal),
  };
}

/** Runs the work for one job one after the other: a comparison must not judge a push that is under way. */
function createTurns() {
  const last = new Map<number, Promise<unknown>>();
  return async function inTurn<Result>(id: number, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const before = last.get(id) ?? Promise.resolve();
    let isWaiting = true;
    const start = (): Promise<Result> => {
      isWaiting = false;
      signal?.throwIfAborted();
      return work();
    };
    const mine = before.then(start, start);
    last.set(id, mine);
    const forget = (): void => {
      if (last.get(id) === mine) last.delete(id);
    };
    mine.then(forget, forget);
    await unlessAborted(before, signal).catch(() => undefined);
    if (isWaiting) signal?.throwIfAborted();
    return mine;
  };
}

/** The row of an object after an interrupted push; null if neither end has it. */
function settled(row: ObjectRow, found: SideObject | undefined): ObjectRow | null {
  if (row.sending === '') return found === undefined ? null : { ...row, sending: null };
  const text = row.sending ?? '';
  if (found !== undefined && looseText(found.text) === looseText(text))
    return { ...row, remote_id: found.id, there: found.text, here: text, sending: null };
  return row.there === null ? null : { ...row, sending: null };
}

/**
 * An issue that one end deleted and the other commented on counts as changed there: it is a conflict, because deleting
 * it would delete the new comment.
 */
function withDiscussed(base: State, mine: State, theirs: State): Pick<Sides, 'mine' | 'theirs'> {
  const discussed = (side: State, other: State): State => {
    const marked = new Map(side);
    for (const [uid, text] of side) {
      if (base.has(uid) || kindOfText(text) !== 'comment') continue;
      const comment = reviewOf(text);
      const issue = comment.kind === 'comment' ? comment.issue : '';
      const old = side.get(issue);
      if (old !== undefined && base.has(issue) && !other.has(issue))
        marked.set(issue, JSON.stringify({ ...reviewOf(old), has_new_comments: true }));
    }
    return marked;
  };
  return { mine: discussed(mine, theirs), theirs: discussed(theirs, mine) };
}

function decisionsOf(
  given: RemotePullWrite['decisions'],
  { mine, theirs }: Sides,
  initially: boolean,
): ReadonlyMap<string, Decision> {
  // A job has one stage, and the comments of an issue have one issue, so there cannot be both.
  const isOne = (uid: string): boolean =>
    ['issue', 'job'].includes(kindOfText(mine.get(uid) ?? theirs.get(uid) ?? '{}'));
  const decisions = new Map<string, Decision>();
  for (const { uid, version, decision } of given) {
    // One end changed after the question, so the conflict is returned again.
    if (version !== versionOf(mine.get(uid), theirs.get(uid))) continue;
    decisions.set(uid, decision === 'both' && mine.has(uid) && isOne(uid) ? 'mine' : decision);
  }
  if (initially) decisions.set(stepUid, 'theirs');
  return decisions;
}

/** A job was released, or its server disconnected, while it was compared. */
export const noLink = (): AppError => notFound('The local job no longer follows a job of a server.');

const nothing: RemoteDifference = { added: 0, changed: 0, removed: 0, issues: 0, stage: null };

function differenceOf(from: State, to: State): RemoteDifference {
  const counts = { added: 0, changed: 0, removed: 0, issues: 0 };
  let stage: string | null = null;
  const count = (text: string, name: 'added' | 'changed' | 'removed'): void => {
    const kind = kindOfText(text);
    if (isAnnotation(kind)) counts[name] += 1;
    else if (kind !== 'job') counts.issues += 1;
    else if (name === 'changed' || name === 'added') stage = stepOf(text);
  };
  for (const [uid, text] of to) {
    const before = from.get(uid);
    if (before === undefined) count(text, 'added');
    else if (before !== text) count(text, 'changed');
  }
  for (const [uid, text] of from) if (!to.has(uid)) count(text, 'removed');
  return { ...counts, stage };
}

function stepOf(text: string): string {
  const step = reviewOf(text);
  return step.kind === 'job' ? `${step.stage}, ${step.state}` : '';
}

const isNothing = ({ added, changed, removed, issues, stage }: RemoteDifference): boolean =>
  added + changed + removed + issues === 0 && stage === null;

function stateOf(here: RemoteDifference, there: RemoteDifference): RemoteComparison['state'] {
  if (isNothing(here)) return isNothing(there) ? 'out' : 'changed_there';
  return isNothing(there) ? 'changed_here' : 'both';
}

/** The first conflicts. A pull with decisions about them returns the next ones. */
function shown(conflicts: readonly Conflict[]): RemoteConflict[] {
  let characters = 0;
  const most = conflicts.slice(0, shownConflicts);
  const end = most.findIndex(({ base, mine, theirs }) => {
    const isFirst = characters === 0;
    for (const text of [base, mine, theirs]) characters += text?.length ?? 0;
    return !isFirst && characters > shownConflictCharacters;
  });
  return (end < 0 ? most : most.slice(0, end)).map(present);
}

function present({ uid, base, mine, theirs }: Conflict): RemoteConflict {
  const some = mine ?? theirs ?? base ?? '';
  const kind = kindOfText(some);
  const object = (text: string | null) => (text === null ? null : (JSON.parse(text) as Record<string, unknown>));
  const review = isAnnotation(kind) ? null : reviewOf(some);
  return {
    uid,
    kind,
    frame: review === null ? objectOf(some).frame : review.kind === 'issue' ? review.frame : null,
    label: review === null ? objectOf(some).label : null,
    base: object(base),
    mine: object(mine),
    theirs: object(theirs),
    version: versionOf(mine, theirs),
  };
}
