import { createLabelNames } from '../git-sync/annotation-objects.ts';
import type { Decision, State } from '../git-sync/merge.ts';
import { editsOf, saveEdits } from '../git-sync/object-edits.ts';
import { backupLabel } from '../import-export/export/backup-task-writer.ts';
import { atOnce } from '../platform/portions.ts';
import type { ExchangeDependencies, LocalWrites, OpenLink, Sides } from './exchange-parts.ts';
import { localJob, missingLabels, readLocal, type RemoteContent } from './job-content.ts';
import {
  annotationsOfSide,
  annotationsOfState,
  isAnnotation,
  kindOfText,
  localSide,
  reviewOf,
  type CommentText,
  type SideObject,
} from './job-sides.ts';
import { jobStages, jobStates } from '../../preload/contract/schema/resources.ts';

interface Applied {
  readonly sides: Sides;
  readonly target: State;
  readonly decisions: ReadonlyMap<string, Decision>;
}

/** Applies the server's state to the local job, with the checks, notifications and undo of a user's edits. */
export const applyLocally = {
  /** Adds labels and attributes that only the server has. */
  labels(dependencies: ExchangeDependencies, { actor, link }: OpenLink, { labels }: RemoteContent): void {
    const { content, task } = readLocal(dependencies, actor, link);
    const missing = missingLabels(labels.map(backupLabel), content.labels);
    if (missing.length === 0) return;
    if (task.project_id === null) dependencies.taskService.update(actor, task.id, { labels: missing });
    else dependencies.projectService.update(actor, task.project_id, { labels: missing });
  },

  /** Call it in a transaction. */
  objects(dependencies: ExchangeDependencies, open: OpenLink, applied: Applied): void {
    const ids = new Map<string, number>();
    saveAnnotations(dependencies, open, applied, ids);
    saveReview(dependencies, open, applied, ids);
    remember(dependencies, open, applied, ids);
  },
};

/** The target in the local form: objects that stay have the local text. */
function localTarget({ sides: { here, mine }, target }: Applied): State {
  return new Map(
    [...target].map(([uid, text]) => [uid, mine.get(uid) === text ? (here.get(uid)?.text ?? text) : text]),
  );
}

function saveAnnotations(
  { annotations, tasks, jobs, issues, labelRows }: ExchangeDependencies,
  { actor, link }: OpenLink,
  applied: Applied,
  ids: Map<string, number>,
): void {
  const { content } = readLocal({ annotations, tasks, jobs, issues, labelRows }, actor, link);
  const own = annotationsOfSide(applied.sides.here);
  const target = annotationsOfState(localTarget(applied));
  const edits = atOnce(editsOf(own, target, createLabelNames(content.labels, 'server')));
  const saved = saveEdits(own, target, edits, (action, data) =>
    annotations.changeJob(actor, localJob(link), action, data),
  );
  for (const [uid, { id }] of saved) ids.set(uid, id);
}

function saveReview(
  { issueService, jobService }: ExchangeDependencies,
  { actor, link }: OpenLink,
  applied: Applied,
  ids: Map<string, number>,
): void {
  const { here } = applied.sides;
  const target = localTarget(applied);
  const changed = [...target].filter(([uid, text]) => !isAnnotation(kindOfText(text)) && here.get(uid)?.text !== text);
  const gone = [...here].filter(([uid, { kind }]) => !isAnnotation(kind) && !target.has(uid));
  for (const [uid, { kind, id }] of here) if (!isAnnotation(kind)) ids.set(uid, id);
  for (const [uid, text] of changed) {
    const one = reviewOf(text);
    const id = ids.get(uid);
    if (one.kind === 'job') {
      const stage = jobStages.find((name) => name === one.stage);
      const state = jobStates.find((name) => name === one.state);
      jobService.update(actor, localJob(link), { ...(stage && { stage }), ...(state && { state }) });
    } else if (one.kind === 'issue' && id !== undefined) {
      issueService.updateIssue(actor, id, { position: [...one.position], resolved: one.resolved });
    } else if (one.kind === 'issue') {
      const { frame, position, resolved } = one;
      const body = { frame, position: [...position], resolved, job: localJob(link), message: '' };
      ids.set(uid, issueService.createIssue(actor, body).id);
    }
  }
  // Comments come after the issues that they belong to.
  const created = new Set(
    changed.flatMap(([uid, text]) => (kindOfText(text) === 'issue' && !here.has(uid) ? [uid] : [])),
  );
  for (const [uid, text] of changed) {
    const one = reviewOf(text);
    const issue = one.kind === 'comment' ? ids.get(one.issue) : undefined;
    if (one.kind !== 'comment' || issue === undefined) continue;
    const id = ids.get(uid);
    const message = localMessage(one);
    if (id === undefined) ids.set(uid, issueService.createComment(actor, { issue, message }).id);
    else issueService.updateComment(actor, id, { message });
  }
  for (const uid of created) removeEmptyComment(issueService, actor, ids.get(uid));
  for (const [, { id }] of gone.filter(([, { kind }]) => kind === 'comment')) issueService.removeComment(actor, id);
  for (const [, { id }] of gone.filter(([, { kind }]) => kind === 'issue')) issueService.removeIssue(actor, id);
}

/** An issue is created with a comment; that of the server follows. */
function removeEmptyComment(
  { listComments, removeComment }: LocalWrites['issueService'],
  actor: OpenLink['actor'],
  issue: number | undefined,
): void {
  if (issue === undefined) return;
  const { results } = listComments(actor, { page: 1, pageSize: 'all', equals: { issue_id: String(issue) } });
  for (const { id, message } of results) if (message === '') removeComment(actor, id);
}

/** Local comments belong to the user who pulls, so those of other users begin with their name. */
const localMessage = ({ message, author }: CommentText): string => (author === '' ? message : `${author}: ${message}`);

/** Stores the common state of both ends. */
function remember(
  dependencies: ExchangeDependencies,
  { actor, link }: OpenLink,
  { sides, target, decisions }: Applied,
  ids: ReadonlyMap<string, number>,
): void {
  const { remotes } = dependencies;
  const { rows, there, base } = sides;
  const second = secondUids({ sides, target, decisions });
  const byUid = new Map(rows.map((row) => [row.uid, row]));
  // Read again, because the store completes objects, for example by default values.
  const named = [...ids].flatMap(([uid, id]) => {
    const text = target.get(uid);
    return text === undefined ? [] : [{ ...noRow, uid, kind: kindOfText(text), local_id: id }];
  });
  const texts = textsById(localSide(readLocal(dependencies, actor, link).content, named));
  const textOf = (kind: SideObject['kind'], id: number | null): string =>
    id === null ? '' : (texts.get(`${kind} ${id}`) ?? '');
  for (const uid of byUid.keys()) if (!there.has(uid)) remotes.removeObject(link.id, uid);
  for (const [uid, { kind, id, text }] of there) {
    const name = second.get(uid) ?? uid;
    const localId = ids.get(name) ?? null;
    const row = byUid.get(uid);
    const common = { uid: name, kind, local_id: localId, remote_id: id, there: text, sending: null };
    if (name !== uid) remotes.removeObject(link.id, uid);
    if (target.get(name) === sides.theirs.get(uid))
      remotes.putObject(link.id, { ...common, here: textOf(kind, localId) });
    // The local object differs: always after a decision, otherwise as long as it is not changed back.
    else remotes.putObject(link.id, { ...common, here: base.get(uid) === text ? (row?.here ?? '') : '' });
  }
}

const noRow = { remote_id: null, here: null, there: null, sending: null };

/** Uids of the second object where both are kept, by the uid of the first, which is the local one. */
function secondUids({ sides: { mine, theirs }, target, decisions }: Applied): ReadonlyMap<string, string> {
  const added = [...target].filter(([uid]) => !mine.has(uid) && !theirs.has(uid));
  const second = new Map<string, string>();
  for (const [uid, decision] of decisions) {
    if (decision !== 'both' || !mine.has(uid) || !theirs.has(uid) || mine.get(uid) === theirs.get(uid)) continue;
    const at = added.findIndex(([, text]) => text === theirs.get(uid));
    const [name] = added[at] ?? [];
    if (name === undefined) continue;
    added.splice(at, 1);
    second.set(uid, name);
  }
  return second;
}

const textsById = (side: ReadonlyMap<string, SideObject>): ReadonlyMap<string, string> =>
  new Map([...side.values()].map(({ kind, id, text }) => [`${kind} ${id}`, text]));
