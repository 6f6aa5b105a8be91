import { createStore } from 'zustand/vanilla';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { DataMeta, Job } from '../../../../preload/contract/schema/resources.ts';
import type { Issue } from '../../../../preload/contract/schema/review.ts';
import { call } from '../../../api/client.ts';
import { stopAll } from '../../../canvas/emitter.ts';
import type { CommandSummary } from '../../../canvas/types.ts';
import { createEngine } from '../../../canvas/engine.ts';
import { canvasText } from '../../../i18n/canvas-text.ts';
import { text } from '../../../i18n/index.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { imageInWindow, sendImageNow } from '../../../shared/files/sent-images.ts';
import { notify } from '../../../ui/notify.ts';
import { initialState, type AnnotateState, type AnnotateStore, type Mode, type SessionParts } from './types.ts';
import { createBulkController } from './editing/bulk-controller.ts';
import { createEditController } from './editing/edit-controller.ts';
import { createFindController } from './find/find-controller.ts';
import { createDeletedFrames } from './frames/deleted-frames.ts';
import { createDisplayFacts, createFrameDisplay, displayQuery } from './frames/frame-display.ts';
import { createFrameLoader } from './frames/frame-loader.ts';
import { createFrameList, type FrameList } from './frames/frame-list.ts';
import { createFrameNavigator } from './frames/frame-navigator.ts';
import { createFrameSource, createVideoSource, createVideoTimes } from './frames/frame-source.ts';
import { createImageDecoder } from './frames/image-decoder.ts';
import { createTiledFrames } from './frames/tiled-frames.ts';
import { createHistoryNavigator } from './frames/history-navigator.ts';
import { drawsTracks } from './saved-switches.ts';
import { saveAppearance, saveToolOptions } from './display-settings.ts';
import { createConflictController } from './remote-changes/conflict-controller.ts';
import { followRemoteChanges } from './remote-changes/follow-remote-changes.ts';
import { createJobLabels } from './labels/job-labels.ts';
import { createLabelTotals } from './labels/label-totals.ts';
import { createModelController } from './models/model-controller.ts';
import { createSavedSuggestions } from './models/saved-suggestions.ts';
import { createSuggestionStore } from './models/suggestion-store.ts';
import { createDraftController } from './autosave/draft-controller.ts';
import { startAutosave, type KeptWork } from './autosave/autosave.ts';
import { createRecordStore } from './record-store.ts';
import { createModeControllers } from './modes/mode-controllers.ts';
import { createReviewController } from './review/review-controller.ts';
import { bindReviewPointer } from './review/review-pointer.ts';
import { openPlayer } from './frames/player.ts';
import { reportEvents } from './report-events.ts';
import { type JobSaving, showSavedIds } from './saving/job-saving.ts';
import { createTrackController, tellDeletedTracks } from './tracks/track-controller.ts';

export interface SessionInput {
  readonly host: HTMLElement;
  readonly job: Job;
  readonly meta: DataMeta;
  /** The first frame that `meta` lists. */
  readonly listedFrom: number;
  readonly labels: readonly Label[];
  readonly startFrame: number;
  readonly saving: JobSaving;
  readonly kept: KeptWork;
  readonly startMode: Mode;
  readonly issues: () => readonly Issue[];
  readonly onIssues: () => void;
  readonly onLabels: (labels: readonly Label[]) => void;
}

/** Loads annotations after the change stream is open, so no later change is missed. */
const annotationsOf = (id: number, ready: Promise<void>) => ({
  async load(first: number, last: number) {
    await ready;
    const range = last > first ? { frame: first, to_frame: last } : { frame: first };
    return call('getJobAnnotations', { params: { id }, query: { ...range, without: 'tracks' } });
  },
  async loadTracks() {
    await ready;
    return (await call('listJobTracks', { params: { id } })).tracks;
  },
});

const savedSuggestions = (jobId: number, store: AnnotateStore) =>
  createSavedSuggestions({
    store: sessionStorage,
    jobId,
    hasLabel: (id) => store.getState().labels.some((label) => label.id === id),
    onFull: () => notify.hint('suggestions', text('assist.notKept')),
  });

interface FrameParts extends Pick<SessionParts, 'job' | 'store' | 'engine'> {
  readonly list: FrameList;
}

/** Frame images and timestamps; the latter are null for image jobs. */
function openFrames({ job, store, engine, list }: FrameParts, closed: AbortSignal) {
  const isVideo = job.mode === 'interpolation';
  const facts = createDisplayFacts(job.id, (frame) => list.metaOf(frame)?.name);
  const displayOf = async (frame: number): Promise<string> => {
    const { display } = store.getState();
    return Object.keys(display).length === 0 ? '' : displayQuery(display, await facts(frame));
  };
  const decoder = createImageDecoder();
  closed.addEventListener('abort', decoder.close, { once: true });
  const service = createFrameSource({
    jobId: job.id,
    decoder,
    levelOf: engine.frames.levelOf,
    readMeta: list.read,
    tiles: isVideo ? null : createTiledFrames(job.id),
    displayOf,
    inWindow: {
      fileOf: (name) => imageInWindow(job.task_id, name),
      sendNow: (frame) => sendImageNow(job.task_id, frame),
    },
  });
  const times = isVideo ? createVideoTimes(job.id, closed) : null;
  const source = times === null ? service : createVideoSource(job.id, service, times, closed);
  const frames = createFrameLoader(source);
  // A window in the background leaves its memory to others.
  document.addEventListener('visibilitychange', () => document.hidden && frames.release(), { signal: closed });
  return { times, facts, frames };
}

function describeCommand({ kind, count, type, labelName }: CommandSummary): string {
  const name = type === null ? text('annotate.anObject') : text(`annotate.shape.${type}`).toLowerCase();
  const what = labelName === null ? name : text('annotate.commandWhat', { type: name, label: labelName });
  return text(`annotate.command.${kind}`, { count, what });
}

const refuse = (why: TextKey, values?: Parameters<typeof canvasText>[1]): void =>
  notify.hint('refused', canvasText(why, values));

const showSaving = ({ queue, journalKept }: JobSaving, store: AnnotateStore) =>
  queue.subscribe((save) => {
    const isNew = save.conflicts.length > store.getState().save.conflicts.length;
    store.setState({ save, journalKept: journalKept(), ...(isNew ? { inspectorOpen: true } : {}) });
  });

const firstState = ({ job, meta, labels, startFrame, startMode }: SessionInput): AnnotateState => ({
  ...initialState(startFrame, labels, job.mode === 'interpolation', startMode),
  asTrack: drawsTracks(job),
  deleted: new Set(meta.deleted_frames),
});

/**
 * State and controllers of an open job, independent of React: canvas, records, saving, navigation. Each part is built
 * from earlier ones.
 */
export function createAnnotateSession(input: SessionInput) {
  const { host, job, saving, kept, issues, onIssues, onLabels } = input;
  const { queue } = saving;
  const store: AnnotateStore = createStore<AnnotateState>(() => firstState(input));
  const closed = new AbortController();
  const { meta, listedFrom } = input;
  const list = createFrameList({ job, meta, listedFrom, store, closed: closed.signal });
  const { metaOf } = list;
  const engine = createEngine({ host, describeCommand, frames: list.sizes });
  const { times, facts, frames } = openFrames({ job, store, engine, list }, closed.signal);
  const suggestions = savedSuggestions(job.id, store);
  const suggestionStore = createSuggestionStore(suggestions);
  const others = followRemoteChanges({
    jobId: job.id,
    window: saving.window,
    onReach: (hearsOthers) => store.setState({ hearsOthers }),
    onTaken: queue.saw,
  });
  const { load, loadTracks } = annotationsOf(job.id, others.ready);
  const records = createRecordStore({
    load,
    loadTracks,
    onTracks: (tracks) => engine.setTracks(tracks, store.getState().deleted),
    tracksNow: () => engine.tracks.all(),
    queue,
    suggestionStore,
  });
  const labels = createJobLabels({ job, engine, store, onLabels });
  const { drawing } = labels;
  const draft = createDraftController({ engine, store, arm: drawing.resume });
  const navigator = createFrameNavigator({ job, engine, store, metaOf, frames, records, draft });
  const player = times === null ? null : openPlayer({ job, store, navigator, times });
  const trackController = createTrackController({ job, engine, store, navigator, refuse });
  const review = createReviewController({ job, engine, store, navigator, issues, onIssues });
  const history = createHistoryNavigator({ engine, navigator, frame: () => store.getState().frame });
  const find = createFindController({ job, engine, store, navigator, metaOf, saving });
  const modes = createModeControllers({ job, engine, store, navigator, find, tagFrame: drawing.tagFrame });
  others.start(async (changes) => {
    find.matches.forget();
    void labels.read();
    await records.takeIn(changes, store.getState().wantedFrame, engine.showChanges);
  });

  const reload = async (): Promise<void> => {
    records.forget();
    find.matches.forget();
    await navigator.reload();
  };
  const refresh = async (): Promise<void> => {
    engine.history.clear();
    await labels.reload();
    await reload();
  };
  const models = createModelController({
    job,
    engine,
    store,
    metaOf,
    suggestionStore,
    whenSaved: queue.whenSaved,
    refresh: async (cleanup) => (cleanup ? refresh() : queue.whenSaved().then(reload)),
  });
  window.addEventListener('pagehide', suggestions.flush, { signal: closed.signal });

  const autosave = startAutosave({ kept, job, saving, engine, records, draft, labels });

  const stops = [
    autosave.close,
    draft.close,
    engine.on('command', (command) => records.apply(command)),
    engine.on('toolChange', (tool, toolOptions) => store.setState({ tool, toolOptions })),
    engine.on('refused', refuse),
    showSaving(saving, store),
    showSavedIds({ engine, queue }),
    saveAppearance(engine),
    saveToolOptions(engine),
    bindReviewPointer({ host, engine, controller: review }),
    tellDeletedTracks({ engine, undo: history.undo }),
    reportEvents({ job, engine, store }),
    ...[trackController, review, modes, models, find].map(({ close }) => close),
    suggestions.flush,
    frames.close,
    others.close,
  ];
  store.setState({ save: queue.status() });

  return {
    job,
    engine,
    store,
    saving,
    navigator,
    drawing,
    deletedFrames: createDeletedFrames({ job, engine, store, metaOf, navigator, history, matches: find.matches }),
    display: createFrameDisplay({ store, navigator, facts, frames }),
    /** Null for image jobs. */
    player,
    trackController,
    review,
    modes,
    find,
    conflicts: createConflictController({ queue, records, engine, recheck: others.hear }),
    bulk: createBulkController({ engine, store, records, find, sizeOf: list.read }),
    labelTotals: createLabelTotals(engine.scene),
    ...createEditController({ job, engine, store, metaOf }),
    history,
    metaOf,
    /** Images used in place: their files may change. */
    hasFilesInPlace: meta.storage === 'share' && job.mode !== 'interpolation',
    recolorLabel: labels.recolor,
    addAttribute: labels.addAttribute,
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
