import {
  bindActions,
  createActionTable,
  inGroup,
  type ActionOn,
  type ActionTable,
} from '../../../canvas/action-table.ts';
import { canvasActions } from '../../../canvas/actions.ts';
import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import { isMacKeyboard } from '../../../canvas/shortcuts.ts';
import { toolIds } from '../../../canvas/tool-kinds.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { speeds } from '../model/frames/player.ts';
import { saveDock, saveSwitch, type Dock } from '../model/saved-switches.ts';
import type { AnnotateSession } from '../model/session.ts';
import { firstPanel, frameIsShown, type WorkspaceDialog } from '../model/types.ts';
import { editingActions } from './editing-actions.ts';
import { findActions } from './find-actions.ts';
import { focusInput } from './focus.ts';
import { modeActions } from './mode-actions.ts';
import { isOffered } from './mode-offers.ts';
import { modelActions } from './model-actions.ts';
import { trackActions } from './track-actions.ts';
import { text } from '../../../i18n/index.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { notify } from '../../../ui/notify.ts';

type SessionAction = ActionOn<AnnotateSession>;
type Extra = Partial<SessionAction>;

const isShown = ({ store }: AnnotateSession): boolean => frameIsShown(store.getState());

/** Canvas actions that need the session: undo needs frames, drawing needs labels. */
const adapted: Readonly<Record<string, Extra>> = {
  'edit.undo': { run: ({ history }) => history.undo() },
  'edit.redo': { run: ({ history }) => history.redo() },
  'edit.copy': { run: ({ clipboard }) => void clipboard.copy() },
  'edit.cut': { run: ({ clipboard }) => void clipboard.cut() },
  'edit.paste': {
    run: ({ clipboard }) => void clipboard.paste(false),
    when: (session) => isShown(session) && session.clipboard.isFilled(),
  },
  'draw.again': { run: ({ drawing, engine }) => drawing.use(engine.lastDrawTool()) },
  ...Object.fromEntries(
    toolIds.map((id): [string, Extra] => [`tool.${id}`, { run: ({ drawing }) => drawing.use(id) }]),
  ),
};

/** Actions that show their own frame first. */
const stepping: readonly string[] = ['edit.undo', 'edit.redo'];

const onSession = ({ run, when, ...definition }: ActionOn<CanvasEngine>): SessionAction => ({
  ...definition,
  run: ({ engine }) => run(engine),
  when: (session) => (isShown(session) || stepping.includes(definition.id)) && when?.(session.engine) !== false,
  ...adapted[definition.id],
});

function frameActions(): SessionAction[] {
  const action = inGroup<AnnotateSession>('frame');
  const step = (id: string, label: TextKey, key: string, by: number): SessionAction =>
    action(id, label, [key], ({ navigator }) => void navigator.step(by), { repeats: true });
  const toEnd = (id: string, label: TextKey, key: string, end: 'first' | 'last'): SessionAction =>
    action(id, label, [key], ({ navigator }) => void navigator.toEnd(end), { repeats: true });
  return [
    step('frame.previous', 'annotate.previous', 'KeyD', -1),
    step('frame.next', 'annotate.next', 'KeyF', 1),
    step('frame.back10', 'annotate.back10', 'KeyC', -10),
    step('frame.forward10', 'annotate.forward10', 'KeyV', 10),
    toEnd('frame.first', 'annotate.first', 'Shift+Home', 'first'),
    toEnd('frame.last', 'annotate.last', 'Shift+End', 'last'),
    action('frame.input', 'annotate.frameNumber', ['Backquote'], () => focusInput('frame')),
    action('frame.delete', 'annotate.deleteFrame', ['Alt+Delete'], ({ deletedFrames, store }) => {
      void deletedFrames.toggle(store.getState().wantedFrame);
    }),
    action('frame.showDeleted', 'annotate.showDeleted', [], ({ deletedFrames, store }) =>
      deletedFrames.show(!store.getState().showDeleted),
    ),
  ];
}

/** The Space key acts on release, because holding it pans the image. */
function playerActions(): SessionAction[] {
  const action = (
    id: `player.${'toggle' | 'faster' | 'slower' | 'previousKeyframe' | 'nextKeyframe'}`,
    key: string,
    run: SessionAction['run'],
  ) => inGroup<AnnotateSession>('player')(id, id, [key], run);
  const change =
    (by: 1 | -1) =>
    ({ player, store }: AnnotateSession): void => {
      const next = speeds[speeds.findIndex((speed) => speed === store.getState().speed) + by];
      if (next !== undefined) player?.setSpeed(next);
    };
  return [
    action('player.toggle', 'Space', ({ player }) => player?.toggle()),
    action('player.faster', 'Shift+Period', change(1)),
    action('player.slower', 'Shift+Comma', change(-1)),
    action('player.previousKeyframe', 'Alt+Comma', ({ player }) => void player?.toKeyframe(-1)),
    action('player.nextKeyframe', 'Alt+Period', ({ player }) => void player?.toKeyframe(1)),
  ];
}

function viewActions(): SessionAction[] {
  const action = inGroup<AnnotateSession>('view');
  const toggleDock =
    (wanted: Dock) =>
    ({ store, player }: AnnotateSession): void => {
      const dock = store.getState().dock === wanted ? null : wanted;
      saveDock(player !== null, dock);
      store.setState({ dock });
    };
  const toggleGuide = ({ store }: AnnotateSession): void => {
    const { panel, mode, inspectorOpen } = store.getState();
    const isOpen = panel === 'guide' && inspectorOpen;
    store.setState(isOpen ? { panel: firstPanel(mode) } : { panel: 'guide', inspectorOpen: true });
  };
  const toggleInspector = ({ store }: AnnotateSession): void => {
    const inspectorOpen = !store.getState().inspectorOpen;
    // Both kinds of jobs share the setting.
    saveSwitch('inspectorFolded', false, !inspectorOpen);
    store.setState({ inspectorOpen });
  };
  return [
    action('timeline.toggle', 'timeline.toggle', ['Mod+KeyJ'], toggleDock('timeline')),
    action('strip.toggle', 'strip.toggle', ['Alt+KeyS'], toggleDock('frames')),
    action('guide.toggle', 'guide.toggle', ['Alt+KeyG'], toggleGuide, { when: ({ job }) => job.guide_id !== null }),
    action('inspector.toggle', 'view.toggle', ['Mod+Backslash'], toggleInspector),
  ];
}

function labelActions(): SessionAction[] {
  const action = inGroup<AnnotateSession>('label');
  const numbers = Array.from({ length: 9 }, (_, index) => index + 1);
  const relabel =
    (number: number) =>
    ({ drawing, engine, store }: AnnotateSession): void => {
      const label = store.getState().labels[number - 1];
      if (label !== undefined) drawing.relabel(engine.selection.ids(), label.id);
    };
  return [
    action('label.type', 'annotate.drawingLabel', ['Digit0'], () => focusInput('label')),
    action('label.tag', 'annotate.addTag', ['Alt+KeyT'], ({ drawing }) => drawing.use('tag')),
    ...numbers.map((number) =>
      action(
        `label.${number}`,
        'annotate.labelNumber',
        [`Digit${number}`],
        ({ drawing }) => drawing.labelKey(number - 1),
        { number },
      ),
    ),
    ...[...numbers, 10].map((number) =>
      action(`label.set${number}`, 'annotate.labelSet', [`Mod+Digit${number % 10}`], relabel(number), {
        number,
        scope: 'selection',
        when: ({ engine }) => engine.selection.ids().length > 0,
      }),
    ),
  ];
}

async function saveScreenshot({ engine, store, job }: AnnotateSession, kind: 'png' | 'svg'): Promise<void> {
  const { frame, picture } = store.getState();
  if (picture.kind !== 'ready') {
    notify.failure(text('view.saveFailed'), text('view.noPicture'));
    return;
  }
  const name = `${(job.task_name ?? 'limner').replaceAll(/[\\/:*?"<>|]+/g, ' ').trim()} ${frame}.${kind}`;
  try {
    saveFile(name, await (kind === 'png' ? engine.snapshot() : engine.snapshotSvg()));
    notify.success(text('view.saved', { name }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notify.failure(text('view.saveFailed'), text('view.saveFailedText', { reason }));
  }
}

function fileActions(): SessionAction[] {
  const action = inGroup<AnnotateSession>('file');
  const open =
    (dialog: WorkspaceDialog) =>
    ({ store }: AnnotateSession): void =>
      store.setState({ dialog });
  return [
    // Edits are saved automatically. Mod+S sends them at once and suppresses the browser's save dialog.
    action('file.save', 'annotate.saveNow', ['Mod+KeyS'], ({ saving }) => saving.queue.retry()),
    action('file.export', 'annotate.export', [], open('export')),
    action('file.savePng', 'view.savePng', [], (session) => void saveScreenshot(session, 'png')),
    action('file.saveSvg', 'view.saveSvg', [], (session) => void saveScreenshot(session, 'svg')),
    action('file.import', 'annotate.import', [], open('import')),
    action('file.statistics', 'statistics.open', [], open('statistics')),
  ];
}

function isOfferedInMode(action: SessionAction, { store, review, modes }: AnnotateSession): boolean {
  const { mode } = store.getState();
  const { editing } = review.state.getState();
  const { tool } = modes.single.state.getState();
  return isOffered(action, { mode, editing, tool, canCancel: modes.single.canCancel() });
}

/** All actions of the annotation screen: the settings and the key reference list them, an open job runs them. */
export const sessionActions: readonly SessionAction[] = [
  ...canvasActions.map(onSession),
  ...frameActions(),
  ...findActions,
  ...playerActions(),
  ...viewActions(),
  ...editingActions,
  ...trackActions,
  ...labelActions(),
  ...fileActions(),
  ...modelActions,
  ...modeActions,
].map((action) => ({
  ...action,
  when: (session) => isOfferedInMode(action, session) && action.when?.(session) !== false,
}));

/** Actions of an open job, shared by the rail, keys, palette and help page. */
export function createSessionActions(session: AnnotateSession): ActionTable {
  const actions = sessionActions.filter(({ group }) => group !== 'player' || session.player !== null);
  return createActionTable({ actions: bindActions(actions, session), isMac: isMacKeyboard() });
}
