import type { LabeledData } from '../../preload/contract/schema/annotations.ts';
import type { Label } from '../../preload/contract/schema/labels.ts';
import {
  createLabelNames,
  gitObjectSchema,
  objectOf,
  objectsOf,
  type StoredObject,
} from '../git-sync/annotation-objects.ts';
import { pairUp } from '../git-sync/copy/match-objects.ts';
import type { State } from '../git-sync/merge.ts';
import type { Own } from '../git-sync/object-edits.ts';
import { atOnce } from '../platform/portions.ts';
import type { ObjectRow, RemoteKind } from './remote-repository.ts';

/** Content of a job on one end, with ids of that end and local frame numbers. */
export interface JobContent {
  readonly data: LabeledData;
  readonly labels: readonly Label[];
  readonly issues: readonly {
    readonly id: number;
    readonly frame: number;
    readonly position: readonly number[];
    readonly resolved: boolean;
  }[];
  readonly comments: readonly {
    readonly id: number;
    readonly issue: number;
    readonly message: string;
    readonly author: string;
  }[];
  readonly step: { readonly id: number; readonly stage: string; readonly state: string };
}

export interface SideObject {
  readonly kind: RemoteKind;
  readonly id: number;
  readonly text: string;
}
/** Objects of one end by uid. */
export type Side = ReadonlyMap<string, SideObject>;

export interface IssueText {
  readonly kind: 'issue';
  readonly frame: number;
  readonly position: readonly number[];
  readonly resolved: boolean;
}
export interface CommentText {
  readonly kind: 'comment';
  /** Uid of the issue. */
  readonly issue: string;
  readonly message: string;
  /** User name on the server; empty for a local comment. */
  readonly author: string;
}
export interface StepText {
  readonly kind: 'job';
  readonly stage: string;
  readonly state: string;
}
export type ReviewText = IssueText | CommentText | StepText;
export const reviewOf = (text: string): ReviewText => JSON.parse(text) as ReviewText;

export const stepUid = 'job';
const annotationKinds: ReadonlySet<string> = new Set(['tag', 'shape', 'track']);
export const isAnnotation = (kind: RemoteKind): kind is StoredObject['kind'] => annotationKinds.has(kind);
export const kindOfText = (text: string): RemoteKind => (JSON.parse(text) as { kind: RemoteKind }).kind;

const key = (kind: RemoteKind, id: number): string => `${kind} ${id}`;

/** The local end. Objects that no push or pull has seen get a uid from their id, so that it is the same each time. */
export function localSide(content: JobContent, rows: readonly ObjectRow[]): Side {
  const known = new Map(rows.flatMap((row) => (row.local_id === null ? [] : [[key(row.kind, row.local_id), row.uid]])));
  return sideOf(content, 'here', (kind, id) => known.get(key(kind, id)));
}

/**
 * The server's end. CVAT gives changed annotations new ids, so annotations with unknown ids are compared with those
 * that are missing: first for equality, then by the similarity of their outlines.
 */
export function remoteSide(content: JobContent, rows: readonly ObjectRow[]): Side {
  const known = new Map(
    rows.flatMap((row) => (row.remote_id === null ? [] : [[key(row.kind, row.remote_id), row.uid]])),
  );
  const found = annotationsIn(content);
  const review = new Set([
    ...content.issues.map(({ id }) => key('issue', id)),
    ...content.comments.map(({ id }) => key('comment', id)),
  ]);
  const present = new Set(found.map(({ kind, id }) => key(kind, id)));
  const missing = rows.filter(
    ({ kind, remote_id: id }) =>
      kind !== 'job' && (id === null || !(isAnnotation(kind) ? present : review).has(key(kind, id))),
  );
  const unknown = found.filter(({ kind, id }) => !known.has(key(kind, id)));
  for (const [one, uid] of matched(missing, unknown)) known.set(key(one.kind, one.id), uid);
  const waiting = missing.filter(({ kind, sending }) => !isAnnotation(kind) && sending !== null && sending !== '');
  return sideOf(content, 'server', (kind, id) => known.get(key(kind, id)), waiting);
}

/** Finds the rows of annotations whose ids are unknown. */
function* matched(missing: readonly ObjectRow[], unknown: readonly StoredObject[]): Generator<[StoredObject, string]> {
  const rows = new Set(missing.filter(({ kind }) => isAnnotation(kind)));
  const left = new Set(unknown);
  // The content that an interrupted push has sent, then the content of the last exchange.
  for (const textOf of [(row: ObjectRow) => row.sending, (row: ObjectRow) => row.there]) {
    const equals = Map.groupBy(
      [...rows].filter((row) => textOf(row) !== null && textOf(row) !== ''),
      (row) => looseText(textOf(row) ?? ''),
    );
    for (const one of left) {
      const row = equals.get(looseText(one.text))?.shift();
      if (row === undefined) continue;
      rows.delete(row);
      left.delete(one);
      yield [one, row.uid];
    }
  }
  const gone = new Map([...rows].flatMap((row) => (row.there === null ? [] : [[objectOf(row.there), row] as const])));
  const come = new Map([...left].map((one) => [objectOf(one.text), one]));
  for (const [was, is] of pairUp([...gone.keys()], [...come.keys()], minimumSimilarity)) {
    const [row, one] = [gone.get(was), come.get(is)];
    if (row && one && one.kind === row.kind) yield [one, row.uid];
  }
}

/** The same label, and an overlap of 30 %: less is another object. */
const minimumSimilarity = 1.3;

function sideOf(
  content: JobContent,
  prefix: 'here' | 'server',
  known: (kind: RemoteKind, id: number) => string | undefined,
  waiting: readonly ObjectRow[] = [],
): Side {
  const side = new Map<string, SideObject>();
  const open = new Map(waiting.map((row) => [row.uid, row]));
  const nameOf = (kind: RemoteKind, id: number): string => known(kind, id) ?? `${prefix}-${kind}-${id}`;
  function nameOfReview(kind: 'issue' | 'comment', id: number, text: string): string {
    const uid = known(kind, id);
    if (uid !== undefined) return uid;
    const sent = [...open.values()].find(
      (row) => row.kind === kind && looseText(row.sending ?? '') === looseText(text),
    );
    if (sent === undefined) return nameOf(kind, id);
    open.delete(sent.uid);
    return sent.uid;
  }
  for (const { kind, id, text } of annotationsIn(content)) side.set(nameOf(kind, id), { kind, id, text });
  const issues = new Map<number, string>();
  for (const { id, frame, position, resolved } of content.issues) {
    const text = JSON.stringify({ kind: 'issue', frame, position, resolved } satisfies IssueText);
    const uid = nameOfReview('issue', id, text);
    issues.set(id, uid);
    side.set(uid, { kind: 'issue', id, text });
  }
  for (const { id, issue, message, author } of content.comments) {
    const text = JSON.stringify({
      kind: 'comment',
      issue: issues.get(issue) ?? '',
      message,
      author,
    } satisfies CommentText);
    side.set(nameOfReview('comment', id, text), { kind: 'comment', id, text });
  }
  const { id, stage, state } = content.step;
  side.set(stepUid, { kind: 'job', id, text: JSON.stringify({ kind: 'job', stage, state } satisfies StepText) });
  return side;
}

const annotationsIn = ({ data, labels }: JobContent): StoredObject[] =>
  atOnce(objectsOf(data, createLabelNames(labels, 'server')));

/** Text without the author of a comment, and with rounded coordinates: a server may store fewer digits. */
export function looseText(text: string): string {
  const value = JSON.parse(text) as { kind: RemoteKind };
  if (isAnnotation(value.kind)) return JSON.stringify(gitObjectSchema.parse(value), rounded);
  return JSON.stringify({ ...value, author: '' }, rounded);
}

const rounded = (name: string, value: unknown): unknown =>
  name === 'points' || name === 'position' ? (value as number[]).map((one) => Math.round(one * 100) / 100) : value;

export const stateOfSide = (side: Side): State => new Map([...side].map(([uid, { text }]) => [uid, text]));

/** The annotations of a side, for edits. */
export function annotationsOfSide(side: Side): Own {
  const ids = new Map<string, StoredObject>();
  for (const [uid, { kind, id, text }] of side) if (isAnnotation(kind)) ids.set(uid, { kind, id, text });
  return { ids, state: new Map([...ids].map(([uid, { text }]) => [uid, text])) };
}

export const annotationsOfState = (state: State): State =>
  new Map([...state].filter(([, text]) => isAnnotation(kindOfText(text))));
