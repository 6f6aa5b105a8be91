import { z } from 'zod';
import { labeledDataSchema, type LabeledData } from '../../preload/contract/schema/annotations.ts';
import type { Store } from '../db/store.ts';
import { createLabelNames, objectOf, objectsOf } from '../git-sync/annotation-objects.ts';
import type { State } from '../git-sync/merge.ts';
import { editsOf } from '../git-sync/object-edits.ts';
import { AppError } from '../platform/errors.ts';
import { atOnce } from '../platform/portions.ts';
import type { OpenLink, Sides } from './exchange-parts.ts';
import { createFrameNumbers } from './frame-numbers.ts';
import type { RemoteContent } from './job-content.ts';
import {
  annotationsOfSide,
  annotationsOfState,
  isAnnotation,
  kindOfText,
  reviewOf,
  type CommentText,
  type IssueText,
} from './job-sides.ts';
import type { ObjectRow, RemoteRepository } from './remote-repository.ts';
import { commentAnswer, createdAnswer } from './server-answers.ts';

interface Sending extends OpenLink {
  readonly remotes: RemoteRepository;
  readonly database: Store;
  readonly content: RemoteContent;
  readonly sides: Sides;
  readonly target: State;
  /** `fraction` is that of the sent changes. */
  readonly progress: (fraction: number, message: string) => void;
}

interface Saved {
  readonly uid: string;
  readonly id: number;
  /** The text that the server stores. */
  readonly text: string;
}

/**
 * Sends the noted changes: objects that the server has and this workbench did not change are not sent. Each answer is
 * stored at once. After a lost connection the notes stay, and the next exchange finds out what has arrived.
 */
export async function sendChanges(sending: Sending): Promise<void> {
  const next = createSteps(sending);
  await sendAnnotations(sending, next);
  await sendReview(sending, next);
}

type NextStep = (count: number, changes: string) => void;

/** Tells the progress before each step, which sends some changes. */
function createSteps({ sides: { theirs }, target, server, link, progress }: Sending): NextStep {
  const sent = [...target].filter(([uid, text]) => theirs.get(uid) !== text).length;
  const total = sent + [...theirs.keys()].filter((uid) => !target.has(uid)).length;
  let done = 0;
  return (count, changes) => {
    progress(done / total, `Job ${link.remote_job_id}: sending ${changes} to ${server.host}`);
    done += count;
  };
}

function createNotes({ remotes, database, link }: Sending) {
  const rowsByUid = (): Map<string, ObjectRow> => new Map(remotes.objects(link.id).map((row) => [row.uid, row]));
  return {
    saved: (all: readonly Saved[]): void =>
      database.write(() => {
        const rows = rowsByUid();
        for (const { uid, id, text } of all) {
          const row = rows.get(uid);
          if (row) remotes.putObject(link.id, { ...row, remote_id: id, there: text, here: row.sending, sending: null });
        }
      }),
    removed: (uids: readonly string[], target: State): void =>
      database.write(() => {
        const rows = rowsByUid();
        for (const uid of uids) {
          const row = rows.get(uid);
          // A replaced object was deleted, and is created again by the next change.
          if (row && target.has(uid)) remotes.putObject(link.id, { ...row, remote_id: null, there: null, here: null });
          else remotes.removeObject(link.id, uid);
        }
      }),
  };
}

async function sendAnnotations(sending: Sending, next: NextStep): Promise<void> {
  const { server, link, content, sides, target: all } = sending;
  const frames = createFrameNumbers(link);
  const names = createLabelNames(content.labels, 'local job');
  const own = annotationsOfSide(sides.there);
  const target = annotationsOfState(all);
  const { removals, updates, creations, gone, kept, made } = atOnce(editsOf(own, target, names));
  const notes = createNotes(sending);
  const change = (action: 'create' | 'update' | 'delete', data: LabeledData) =>
    server.send(labeledDataSchema, {
      method: 'PATCH',
      path: `/api/jobs/${link.remote_job_id}/annotations/`,
      query: { action },
      json: frames.dataToRemote(data),
    });
  const save = async (action: 'create' | 'update', uids: readonly string[], data: LabeledData): Promise<void> => {
    const answer = frames.dataToLocal(await change(action, data));
    const objects = atOnce(objectsOf(answer, names));
    const queues = Map.groupBy(objects, ({ kind }) => kind);
    // Answers list the objects of each kind in the order in which they were sent.
    const saved = uids.flatMap((uid): Saved[] => {
      const one = queues.get(objectOf(target.get(uid) ?? '').kind)?.shift();
      return one === undefined || one.id === 0 ? [] : [{ uid, id: one.id, text: one.text }];
    });
    notes.saved(saved);
  };
  if (gone.length > 0) {
    next(gone.length, 'deletions');
    await change('delete', removals);
    notes.removed(gone, target);
  }
  if (kept.length > 0) {
    next(kept.length, 'changed objects');
    await save('update', kept, updates);
  }
  if (made.length > 0) {
    next(made.length, 'new objects');
    await save('create', made, creations);
  }
}

async function sendReview(sending: Sending, next: NextStep): Promise<void> {
  const { server, link, sides, target } = sending;
  const { there, theirs } = sides;
  const notes = createNotes(sending);
  const ids = new Map([...there].map(([uid, { id }]) => [uid, id]));
  const changed = [...target].filter(([uid, text]) => !isAnnotation(kindOfText(text)) && theirs.get(uid) !== text);
  const comments = changed.flatMap(([uid, text]) => {
    const one = reviewOf(text);
    return one.kind === 'comment' ? [{ uid, one }] : [];
  });
  const isSent = new Set<string>();
  for (const [uid, text] of changed) {
    const one = reviewOf(text);
    if (one.kind !== 'issue') continue;
    next(1, 'issues');
    const id = ids.get(uid);
    if (id !== undefined) {
      await server.send(createdAnswer, { method: 'PATCH', path: `/api/issues/${id}`, json: issueBody(one) });
      notes.saved([{ uid, id, text }]);
      continue;
    }
    const first = comments.find((comment) => comment.one.issue === uid);
    ids.set(uid, await createIssue(sending, { uid, text, one, first }, isSent));
  }
  for (const { uid, one } of comments) {
    next(1, 'comments');
    if (isSent.has(uid)) continue;
    const { message } = one;
    const id = ids.get(uid);
    const issue = ids.get(one.issue);
    const answer =
      id === undefined
        ? await server.send(commentAnswer, { method: 'POST', path: '/api/comments', json: { issue, message } })
        : await server.send(commentAnswer, { method: 'PATCH', path: `/api/comments/${id}`, json: { message } });
    notes.saved([savedComment(uid, one.issue, answer)]);
  }
  await removeReview(sending);
  for (const [uid, text] of changed) {
    const one = reviewOf(text);
    if (one.kind !== 'job') continue;
    next(1, 'the stage');
    const json = { stage: one.stage, state: one.state };
    const answer = await server.send(createdAnswer, { method: 'PATCH', path: `/api/jobs/${link.remote_job_id}`, json });
    notes.saved([{ uid, id: answer.id, text }]);
  }
}

async function createIssue(
  sending: Sending,
  issue: {
    readonly uid: string;
    readonly text: string;
    readonly one: IssueText;
    readonly first: { readonly uid: string; readonly one: CommentText } | undefined;
  },
  isSent: Set<string>,
): Promise<number> {
  const { server, link } = sending;
  const { uid, text, one, first } = issue;
  const notes = createNotes(sending);
  const frame = createFrameNumbers(link).toRemote(one.frame);
  // A server demands a comment.
  const message = first?.one.message ?? '-';
  const { id } = await server.send(createdAnswer, {
    method: 'POST',
    path: '/api/issues',
    json: { ...issueBody(one), frame, job: link.remote_job_id, message },
  });
  notes.saved([{ uid, id, text }]);
  if (first === undefined) return id;
  const [comment] = await server.list(commentAnswer, '/api/comments', { issue_id: id });
  isSent.add(first.uid);
  if (comment) notes.saved([savedComment(first.uid, uid, comment)]);
  return id;
}

const issueBody = ({ position, resolved }: IssueText) => ({ position, resolved });

const savedComment = (uid: string, issue: string, { id, message, owner }: z.output<typeof commentAnswer>): Saved => ({
  uid,
  id,
  text: JSON.stringify({ kind: 'comment', issue, message, author: owner?.username ?? '' } satisfies CommentText),
});

/** Deletes issues with their comments, and single comments. */
async function removeReview(sending: Sending): Promise<void> {
  const { server, sides, target } = sending;
  const notes = createNotes(sending);
  const gone = [...sides.there].filter(([uid, { kind }]) => !isAnnotation(kind) && !target.has(uid));
  const issues = new Set(gone.flatMap(([uid, { kind }]) => (kind === 'issue' ? [uid] : [])));
  // Issues first: their comments are deleted with them.
  for (const [uid, { kind, id, text }] of gone.toSorted(
    ([, a], [, b]) => Number(a.kind !== 'issue') - Number(b.kind !== 'issue'),
  )) {
    const one = reviewOf(text);
    const isWithIssue = one.kind === 'comment' && issues.has(one.issue);
    if (!isWithIssue) await remove(server, `/api/${kind}s/${id}`);
    notes.removed([uid], target);
  }
}

/** An object that is missing is deleted already. */
async function remove(server: OpenLink['server'], path: string): Promise<void> {
  try {
    await server.send(z.undefined(), { method: 'DELETE', path });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
  }
}
