import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { DataMeta, Job } from '../../../../preload/contract/schema/resources.ts';
import type { Issue } from '../../../../preload/contract/schema/review.ts';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { stopAll } from '../../../canvas/emitter.ts';
import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import { createEngine } from '../../../canvas/engine.ts';
import { canvasText } from '../../../i18n/canvas-text.ts';
import { text } from '../../../i18n/index.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { notify } from '../../../ui/notify.ts';
import { initialState, isSkipped, type AnnotateState } from './types.ts';
import { describeCommand } from './command-text.ts';
import { createDrawing } from './labels/drawing.ts';
import { createUnnamedShapes } from './labels/unnamed-shapes.ts';
import { createBulkController } from './editing/bulk-controller.ts';
import { createEditController } from './editing/edit-controller.ts';
import { createFindController } from './find/find-controller.ts';
import { createDeletedFrames } from './frames/deleted-frames.ts';
import { createDisplayFacts, createFrameDisplay, displayQuery, type ReadDisplayFacts } from './frames/frame-display.ts';
import { createFrameLoader, type FrameLoader } from './frames/frame-loader.ts';
import {
  createFrameNavigator,
  frameMetas,
  frameSizes,
  jobFrames,
  type FrameNavigator,
} from './frames/frame-navigator.ts';
import { createFrameSource, createVideoSource, createVideoTimes } from './frames/frame-source.ts';
import { createTiledFrames } from './frames/tiled-frames.ts';
import { createHistoryNavigator } from './frames/history-navigator.ts';
import { canvasLabels } from './labels/label-rules.ts';
import { drawsTracks } from './saved-switches.ts';
import { saveAppearance, saveToolOptions } from './display-settings.ts';
import { createConflictController } from './remote-changes/conflict-controller.ts';
import { followRemoteChanges } from './remote-changes/follow-remote-changes.ts';
import { createLabelTotals } from './labels/label-totals.ts';
import { createLabelService } from './labels/label-service.ts';
import { createModelController } from './models/model-controller.ts';
import { createSavedSuggestions } from './models/saved-suggestions.ts';
import { createSuggestionStore } from './models/suggestion-store.ts';
import { createDraftController } from './autosave/draft-controller.ts';
import { startAutosave } from './autosave/autosave.ts';
import type { FoundWork } from './autosave/take-over.ts';
import type { AutosaveStore } from './autosave/autosave-store.ts';
import { createRecordStore, type RecordStore } from './record-store.ts';
import type { Mode } from './modes/mode.ts';
import { createModeControllers } from './modes/mode-controllers.ts';
import { createReviewController } from './review/review-controller.ts';
import { bindReviewPointer } from './review/review-pointer.ts';
import { openPlayer } from './frames/player.ts';
import { showSavedIds } from './saving/saved-ids.ts';
import type { JobSaving } from './saving/job-saving.ts';
import { tellDeletedTracks } from './tracks/deleted-tracks.ts';
import { createTrackController } from './tracks/track-controller.ts';

export interface SessionInput {
  readonly host: HTMLElement;
  readonly job: Job;
  readonly meta: DataMeta;
  readonly labels: readonly Label[];
  readonly startFrame: number;
  readonly saving: JobSaving;
  /** Storage of undo histories and drafts, and the work of the job's last window. */
  readonly kept: { readonly store: AutosaveStore; readonly found: FoundWork | null };
  readonly startMode: Mode;
  readonly issues: () => readonly Issue[];
  readonly onIssues: () => void;
  readonly onLabels: (labels: readonly Label[]) => void;
}

type AnnotateStore = StoreApi<AnnotateState>;
const frameOf = (store: AnnotateStore): number => store.getState().wantedFrame;

/** Loads annotations after the change stream is open, so no later change is missed. */
const annotationsOf = (id: number, ready: () => Promise<void>) => ({
  async load(first: number, last: number) {
    await ready();
    const range = last > first ? { frame: first, to_frame: last } : { frame: first };
    return call('getJobAnnotations', { params: { id }, query: { ...range, without: 'tracks' } });
  },
  async loadTracks() {
    await ready();
    return (await call('listJobTracks', { params: { id } })).tracks;
  },
});

interface NewsParts {
  readonly engine: CanvasEngine;
  readonly store: AnnotateStore;
  readonly records: RecordStore;
  readonly onNews: () => void;
  readonly readLabels: () => Promise<void>;
}

const hearOthers = ({ job, saving }: SessionInput, { engine, store, records, onNews, readLabels }: NewsParts) =>
  followRemoteChanges({
    jobId: job.id,
    window: saving.window,
    onReach: (hearsOthers) => store.setState({ hearsOthers }),
    onTaken: saving.queue.saw,
    takeIn: async (news) => {
      onNews();
      void readLabels();
      await records.takeIn(news, frameOf(store), engine.showChanges);
    },
  });

const savedSuggestions = (jobId: number, labels: () => readonly Label[]) =>
  createSavedSuggestions({
    store: sessionStorage,
    jobId,
    hasLabel: (id) => labels().some((label) => label.id === id),
    onFull: () => notify.hint('suggestions', text('assist.notKept')),
  });

function openLabels({ job, labels: given, onLabels }: SessionInput, engine: CanvasEngine, store: AnnotateStore) {
  const labelService = createLabelService(job);
  const setLabels = (labels: readonly Label[]): void => {
    store.setState({ labels });
    engine.setLabels(canvasLabels(labels));
    onLabels(labels);
  };
  const unnamed = createUnnamedShapes(engine);
  const drawing = createDrawing({ engine, unnamed, store, labelService, setLabels });
  engine.setLabels(canvasLabels(given));
  const recolorLabel = async (id: number, color: string): Promise<void> => {
    try {
      setLabels(await labelService.recolor(id, color));
    } catch (error) {
      notify.failure(text('annotate.labelFailed'), messageOf(error));
    }
  };
  /** Reloads the labels, which may have changed elsewhere. */
  const readNow = async (): Promise<void> => {
    const before = store.getState();
    const now = await labelService.list().catch(() => null);
    if (now === null || JSON.stringify(now) === JSON.stringify(before.labels)) return;
    setLabels(now);
    const { activeLabelId } = store.getState();
    if (activeLabelId === null || now.some(({ id }) => id === activeLabelId)) return;
    const name = before.labels.find(({ id }) => id === activeLabelId)?.name ?? '';
    store.setState({ activeLabelId: null });
    engine.setTool('select');
    notify.hint('labels', text('saving.labelGone', { name }));
  };
  let reading: Promise<void> | null = null;
  const readLabels = (): Promise<void> => (reading ??= readNow().finally(() => (reading = null)));
  // A deleted label is the most frequent reason for a rejection.
  store.subscribe(({ save }, before) => save.refused > before.save.refused && void readLabels());
  return { labelService, setLabels, readLabels, unnamed, drawing, recolorLabel };
}

/** Frame images and timestamps; the latter are null for image jobs. */
function openFrames(job: Job, metaOf: ReturnType<typeof frameMetas>, store: AnnotateStore, closed: AbortSignal) {
  const isVideo = job.mode === 'interpolation';
  const facts = createDisplayFacts(job.id, (frame) => metaOf(frame)?.name);
  const displayOf = async (frame: number): Promise<string> => {
    const { display } = store.getState();
    return Object.keys(display).length === 0 ? '' : displayQuery(display, await facts(frame));
  };
  const service = createFrameSource(job.id, metaOf, isVideo ? null : createTiledFrames(job.id), displayOf);
  const times = isVideo ? createVideoTimes(job.id, closed) : null;
  const source = times === null ? service : createVideoSource(job.id, service, times, closed);
  return { times, facts, frames: createFrameLoader(source) };
}

interface DisplayParts {
  readonly store: AnnotateStore;
  readonly facts: ReadDisplayFacts;
  readonly frames: FrameLoader;
  readonly navigator: FrameNavigator;
}

const openDisplay = ({ store, facts, frames, navigator }: DisplayParts) =>
  createFrameDisplay({
    facts,
    shown: () => store.getState().display,
    show(display) {
      store.setState({ display });
      frames.renew();
      // The frame itself reports a failure.
      void navigator.reload();
    },
  });

const refuse = (why: TextKey): void => notify.hint('refused', canvasText(why));

const showSaving = ({ queue, journalKept }: JobSaving, store: AnnotateStore) =>
  queue.subscribe((save) => {
    const isNew = save.conflicts.length > store.getState().save.conflicts.length;
    store.setState({ save, journalKept: journalKept(), ...(isNew ? { inspectorOpen: true } : {}) });
  });

const firstState = ({ job, meta, labels, startFrame, startMode }: SessionInput): AnnotateState => ({
  ...initialState(startFrame, labels, job.mode === 'interpolation', startMode),
  deleted: new Set(meta.deleted_frames),
});

/** State and controllers of an open job, independent of React: canvas, records, saving, navigation. */
export function createAnnotateSession(input: SessionInput) {
  const { host, job, saving, issues, onIssues } = input;
  const store = createStore<AnnotateState>(() => firstState(input));
  const update = (change: Partial<AnnotateState>): void => store.setState(change);
  const metaOf = frameMetas(job, input.meta);
  const engine = createEngine({ host, describeCommand, frames: frameSizes(job, metaOf) });
  const closed = new AbortController();
  const { times, facts, frames } = openFrames(job, metaOf, store, closed.signal);
  const suggestions = savedSuggestions(job.id, () => store.getState().labels);
  const suggestionStore = createSuggestionStore(suggestions);
  const records = createRecordStore({
    ...annotationsOf(job.id, () => others.ready),
    onTracks: (tracks) => engine.setTracks(tracks, store.getState().deleted),
    tracksNow: () => engine.tracks.all(),
    queue: saving.queue,
    suggestionStore,
  });
  const onNews = (): void => find.matches.forget();
  const others = hearOthers(input, { engine, store, records, onNews, readLabels: () => readLabels() });
  const draft = createDraftController({ engine, store, arm: (tool, labelId) => drawing.resume(tool, labelId) });
  const navigator = createFrameNavigator({
    job,
    draft,
    engine,
    frames,
    records,
    metaOf,
    update,
    wanted: () => frameOf(store),
    isSkipped: (frame) => isSkipped(store.getState(), frame),
  });
  const player = times === null ? null : openPlayer({ job, store, navigator, times });
  const trackController = createTrackController({ job, engine, store, navigator, refuse });
  const { labelService, setLabels, readLabels, unnamed, drawing, recolorLabel } = openLabels(input, engine, store);
  const review = createReviewController({ job, engine, store, navigator, issues, onIssues });
  const history = createHistoryNavigator({ engine, navigator, frame: () => store.getState().frame });
  const find = createFindController({ ...input, engine, store, navigator, metaOf });
  const modes = createModeControllers({ job, engine, store, navigator, find, tagFrame: drawing.tagFrame });

  const reload = async (): Promise<void> => {
    records.forget();
    find.matches.forget();
    await navigator.reload();
  };
  const refresh = async (): Promise<void> => {
    engine.history.clear();
    setLabels(await labelService.list());
    await reload();
  };
  const models = createModelController({
    job,
    engine,
    store,
    suggestionStore,
    size: () => metaOf(store.getState().frame) ?? { width: 1, height: 1 },
    whenSaved: saving.queue.whenSaved,
    refresh: async (cleanup) => (cleanup ? refresh() : saving.queue.whenSaved().then(reload)),
  });
  window.addEventListener('pagehide', suggestions.flush, { signal: closed.signal });

  const autosave = startAutosave({
    ...input.kept,
    jobId: job.id,
    owner: saving.window,
    engine,
    queue: saving.queue,
    records,
    draft,
    unnamed,
    askForNames: drawing.restore,
  });
  if (input.kept.found !== null) autosave.resume(input.kept.found);

  const stops = [
    autosave.close,
    draft.close,
    engine.on('command', (command) => records.apply(command)),
    engine.on('toolChange', (tool, toolOptions) => update({ tool, toolOptions })),
    showSaving(saving, store),
    showSavedIds({ engine, queue: saving.queue }),
    saveAppearance(engine),
    saveToolOptions(engine),
    bindReviewPointer({ host, engine, controller: review }),
    tellDeletedTracks({ engine, undo: history.undo }),
    ...[trackController, review, modes, models, find].map(({ close }) => close),
    suggestions.flush,
    frames.close,
    others.close,
  ];
  update({ save: saving.queue.status(), asTrack: drawsTracks(job) });
  const own = { job, engine, store, navigator };
  const frameParts = { ...own, history, frames: jobFrames(job, metaOf), onChange: find.matches.forget };

  return {
    job,
    engine,
    store,
    saving,
    navigator,
    drawing,
    deletedFrames: createDeletedFrames(frameParts),
    display: openDisplay({ store, facts, frames, navigator }),
    /** Null for image jobs. */
    player,
    trackController,
    review,
    modes,
    find,
    conflicts: createConflictController({ queue: saving.queue, records, engine, recheck: others.hear }),
    bulk: createBulkController({ engine, store, records, find, metaOf }),
    labelTotals: createLabelTotals(engine.scene),
    ...createEditController({ jobId: job.id, engine, store, metaOf }),
    history,
    metaOf,
    recolorLabel,
    /** Drops the loaded records after an import and shows the frame again. */
    refresh,
    models,
    close() {
      closed.abort();
      player?.close();
      stopAll(stops);
      engine.destroy();
    },
  };
}

export type AnnotateSession = ReturnType<typeof createAnnotateSession>;
