import { createStore } from 'zustand/vanilla';
import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import type { Issue } from '../../../../../preload/contract/schema/review.ts';
import { call } from '../../../../api/client.ts';
import { stopAll } from '../../../../canvas/emitter.ts';
import { boundsOf } from '../../../../canvas/shapes/shape-behaviours.ts';
import type { Box } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import type { SessionParts } from '../types.ts';
import { boxOfIssue, positionOf, stepIssue } from './issue-places.ts';
import { keep } from '../saved-switches.ts';

export interface IssueDraft {
  readonly frame: number;
  readonly box: Box;
  readonly message: string;
}

export interface ReviewState {
  /** Waits for a click or box that places an issue. A null `message` opens the text input then. */
  readonly armed: { readonly message: string | null } | null;
  readonly draft: IssueDraft | null;
  readonly chosen: number | null;
  readonly conflict: number | null;
  readonly editing: boolean;
  readonly showResolved: boolean;
  /** Last short texts, newest first. */
  readonly last: readonly string[];
}

/** Frequent texts: built-in ones, then the last ones of this user. */
const storeKey = 'limner.quickIssues';
const keptCount = 3;
const longest = 40;

/** The last short texts, newest first, without duplicates and built-in ones. */
export function withLast(last: readonly string[], message: string, standard: readonly string[]): readonly string[] {
  const text = message.trim();
  if (text === '' || text.length > longest || text.includes('\n') || standard.includes(text)) return last;
  return [text, ...last.filter((one) => one !== text)].slice(0, keptCount);
}

function lastIssues(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(globalThis.localStorage?.getItem(storeKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string').slice(0, keptCount) : [];
  } catch {
    return [];
  }
}

const keepLastIssues = (last: readonly string[]): void => keep(storeKey, JSON.stringify(last));

interface ReviewParts extends Pick<SessionParts, 'engine' | 'store' | 'navigator'> {
  readonly job: Pick<Job, 'id'>;
  readonly issues: () => readonly Issue[];
  readonly onIssues: () => void;
}

/** Built-in texts in the order of their number keys. */
const standardIssues = (): readonly string[] => [
  text('modes.review.quick.label'),
  text('modes.review.quick.position'),
  text('modes.review.quick.attribute'),
  text('modes.review.quick.missing'),
];

/** Issues of the open job, and the edit state of the review. */
export function createReviewController({ job, engine, store, navigator, issues, onIssues }: ReviewParts) {
  const state = createStore<ReviewState>(() => ({
    armed: null,
    draft: null,
    chosen: null,
    conflict: null,
    editing: false,
    showResolved: false,
    last: lastIssues(),
  }));
  const update = (change: Partial<ReviewState>): void => state.setState(change);
  const followMode = (): void => engine.setReadOnly(store.getState().mode === 'review' && !state.getState().editing);
  followMode();
  const stops = [
    store.subscribe((now, before) => {
      if (now.mode !== before.mode) update({ armed: null, draft: null, editing: false });
      // An unsent text belongs to the frame it was begun on.
      if (now.frame !== before.frame && state.getState().draft !== null) update({ draft: null });
      if (now.mode !== before.mode) followMode();
    }),
    state.subscribe((now, before) => {
      if (now.editing !== before.editing) followMode();
    }),
  ];

  /** If sending fails, the draft keeps its text. */
  const open = async (frame: number, box: Box, message: string): Promise<boolean> => {
    try {
      const made = await call('createIssue', { body: { job: job.id, frame, position: positionOf(box), message } });
      const last = withLast(state.getState().last, message, standardIssues());
      keepLastIssues(last);
      update({ draft: null, last, chosen: made.id });
      onIssues();
      return true;
    } catch (error) {
      notify.failure(text('modes.review.openFailed'), error);
      update({ draft: { frame, box, message } });
      return false;
    }
  };

  /** Handles the chosen place: a quick text creates the issue at once. */
  const place = (box: Box): void => {
    const { armed } = state.getState();
    const { frame } = store.getState();
    update({ armed: null, chosen: null });
    if (typeof armed?.message === 'string') void open(frame, box, armed.message);
    else update({ draft: { frame, box, message: '' } });
  };

  /** Places the issue on the selection, else waits for the pointer; a second call takes the whole frame. */
  const begin = (message: string | null, size: { readonly width: number; readonly height: number }): void => {
    const selected = engine.selection.ids().flatMap((id) => engine.scene.getShape(id) ?? []);
    const [shape] = selected;
    const { armed } = state.getState();
    update({ armed: { message }, draft: null, chosen: null });
    if (shape !== undefined) place(boundsOf(shape));
    else if (armed !== null && armed.message === message) {
      place({ left: 0, top: 0, right: size.width, bottom: size.height });
    }
  };

  const choose = async (id: number | null): Promise<void> => {
    const issue = issues().find((one) => one.id === id);
    update({ chosen: issue?.id ?? null, draft: null, armed: null });
    if (issue === undefined) return;
    if (issue.frame !== store.getState().wantedFrame) await navigator.goTo(issue.frame);
    engine.selection.clear();
    const { left, top, right, bottom } = boxOfIssue(issue);
    const { width = 0, height = 0 } = document.querySelector('[data-canvas]')?.getBoundingClientRect() ?? {};
    const isSeen = [engine.toScreen({ x: left, y: top }), engine.toScreen({ x: right, y: bottom })].every(
      ({ x, y }) => x >= 0 && y >= 0 && x <= width && y <= height,
    );
    if (!isSeen) engine.zoomTo({ left, top, right, bottom });
  };

  /** Shows a conflict of a quality report on its frame. */
  const lookAt = async (conflict: { readonly id: number; readonly frame: number }): Promise<void> => {
    update({ conflict: conflict.id, chosen: null, draft: null, armed: null });
    if (conflict.frame !== store.getState().wantedFrame) await navigator.goTo(conflict.frame);
  };

  return {
    state,
    lookAt,
    open,
    place,
    begin,
    choose,
    step(by: 1 | -1): void {
      const { chosen, showResolved } = state.getState();
      const shown = issues().filter(({ resolved }) => showResolved || !resolved);
      const id = stepIssue(shown, { frame: store.getState().wantedFrame, chosen }, by);
      if (id === null) notify.hint('issues', text('modes.review.noneLeft'));
      else void choose(id);
    },
    quickTexts: (): readonly string[] => [...standardIssues(), ...state.getState().last],
    /** True if the pointer places an issue or no shape may be moved. */
    takesPointer(): boolean {
      const { mode } = store.getState();
      const { armed, editing } = state.getState();
      return mode === 'attributes' || mode === 'tags' || (mode === 'review' && (armed !== null || !editing));
    },
    close() {
      stopAll(stops);
      engine.setReadOnly(false);
    },
  };
}

export type ReviewController = ReturnType<typeof createReviewController>;
