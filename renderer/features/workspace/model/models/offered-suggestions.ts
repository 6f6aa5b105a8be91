import type { RecordChange, SceneRecord } from '../../../../canvas/types.ts';
import { call } from '../../../../api/client.ts';
import type { OpenSuggestions } from '../../../../../preload/contract/schema/predictions.ts';
import { recordFromShape, recordFromTag } from '../saving/record-codec.ts';
import type { SessionParts } from '../types.ts';
import { marksOf } from './suggestion-records.ts';
import { isSuggestion, type SuggestionStore } from './suggestion-store.ts';
import type { Suggestions } from './suggestions.ts';

/** Between two looks for suggestions that a program has added since. */
const lookAgainMs = 10_000;

interface OfferedParts extends Pick<SessionParts, 'job' | 'engine' | 'store'> {
  readonly suggestionStore: SuggestionStore;
  readonly suggestions: Suggestions;
  readonly whenSaved: () => Promise<void>;
  /** Receives the names of the programs by their prefix. */
  readonly onNames: (names: Readonly<Record<string, string>>) => void;
}

const sourceOf = (setId: number): string => `offered-${setId}`;
/** The set and the object in it that an id refers to; null for suggestions of this window. */
const partsOf = (clientId: string): { source: string; kind: 'shapes' | 'tags'; id: number } | null => {
  const [, source, letter, id] = /^(offered-\d+):([st])(\d+)$/.exec(clientId) ?? [];
  return source === undefined ? null : { source, kind: letter === 's' ? 'shapes' : 'tags', id: Number(id) };
};
export const programOf = (record: SceneRecord, names: Readonly<Record<string, string>>): string | undefined =>
  names[partsOf(record.clientId)?.source ?? ''];

const recordsOf = ({ id, kind, shapes, tags }: OpenSuggestions['results'][number]): SceneRecord[] => [
  ...shapes.map(({ id: shapeId, ...shape }): SceneRecord => ({
    ...recordFromShape(shape, `${sourceOf(id)}:s${shapeId}`),
    ...marksOf(kind),
  })),
  ...tags.map((tag): SceneRecord => ({ ...recordFromTag(tag, `${sourceOf(id)}:t${tag.id}`), suggestion: true })),
];

/**
 * Suggestions of programs, which the service keeps until an annotator decides. They join the suggestions of this window;
 * a decision is reported when the edit is saved, so that a suggestion cannot be lost between the two.
 */
export function createOfferedSuggestions(parts: OfferedParts) {
  const { job, engine, store, suggestionStore, suggestions, whenSaved, onNames } = parts;
  const decided = new Set<string>();
  const unreported = new Set<string>();
  let waiting = false;
  let lastLook = -Infinity;
  let reading: AbortController | null = null;

  async function look(frame: number): Promise<void> {
    reading?.abort();
    const mine = new AbortController();
    reading = mine;
    lastLook = performance.now();
    const input = { params: { id: job.id }, query: { frame }, signal: mine.signal };
    // A missing answer hides nothing: the next frame or look asks again.
    const answer = await call('listSuggestions', input).catch(() => null);
    if (answer === null || mine.signal.aborted) return;
    waiting = answer.frames.length > 0;
    suggestionStore.setOffered(answer.frames, frame);
    if (answer.results.length === 0) return;
    onNames(Object.fromEntries(answer.results.map(({ id, name }) => [sourceOf(id), name])));
    for (const result of answer.results)
      suggestions.offer(
        frame,
        sourceOf(result.id),
        recordsOf(result).filter(({ clientId }) => !decided.has(clientId)),
        'quietly',
      );
  }

  async function report(): Promise<void> {
    await whenSaved();
    const decisions = [...unreported].flatMap((clientId) => partsOf(clientId) ?? []);
    unreported.clear();
    if (decisions.length === 0) return;
    const idsOf = (kind: 'shapes' | 'tags'): number[] =>
      decisions.filter((one) => one.kind === kind).map(({ id }) => id);
    const body = { shapes: idsOf('shapes'), tags: idsOf('tags') };
    // A failed report shows the suggestion again after a reload, where it equals an annotation and is dropped.
    await call('decideSuggestions', { params: { id: job.id }, body }).catch(() => undefined);
  }

  function follow(changes: readonly RecordChange[]): void {
    for (const { clientId, before, after } of changes) {
      if (partsOf(clientId) === null) continue;
      if (isSuggestion(after)) unreported.delete(clientId);
      else if (isSuggestion(before)) {
        decided.add(clientId);
        unreported.add(clientId);
      }
    }
    if (unreported.size > 0) void report();
  }

  const isDue = (): boolean => performance.now() - lastLook >= lookAgainMs;
  const lookHere = (): void => void look(store.getState().frame);
  const stopFrames = store.subscribe((state, before) => {
    if (state.frame !== before.frame && (waiting || isDue())) void look(state.frame);
  });
  const stopCommands = engine.on('command', ({ changes }) => follow(changes));
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') lookHere();
  }, lookAgainMs);
  lookHere();

  return {
    close() {
      clearInterval(timer);
      reading?.abort();
      stopFrames();
      stopCommands();
    },
  };
}
