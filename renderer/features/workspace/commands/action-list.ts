import { createActionTable, inGroup, type Action, type ActionTable } from '../../../canvas/action-table.ts';
import { canvasActions } from '../../../canvas/actions.ts';
import { isMacKeyboard } from '../../../canvas/shortcuts.ts';
import type { ToolId } from '../../../canvas/types.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { firstPanel, frameIsShown, type WorkspaceDialog } from '../model/types.ts';
import { saveDock, saveSwitch, type Dock } from '../model/saved-switches.ts';
import { isOfferedInMode, modeActions } from './mode-actions.ts';
import { modelActions } from './model-actions.ts';
import { speeds } from '../model/frames/player.ts';
import { findActions } from './find-actions.ts';
import { editingActions } from './editing-actions.ts';
import type { AnnotateSession } from '../model/session.ts';
import { saveScreenshot } from './save-screenshot.ts';
import { trackActions } from './track-actions.ts';

interface ScreenActionParts {
  readonly session: AnnotateSession;
  readonly focusFrameInput: () => void;
  readonly focusLabelInput: () => void;
  readonly openDialog: (dialog: WorkspaceDialog) => void;
}

/** Adapts canvas actions that need the session: drawing needs labels, undo needs frames. */
function adapted(given: Action, session: AnnotateSession): Action {
  const { clipboard, drawing, history, engine, store } = session;
  if (given.id === 'edit.undo') return { ...given, run: history.undo };
  if (given.id === 'edit.redo') return { ...given, run: history.redo };
  const action = { ...given, when: () => frameIsShown(store.getState()) && given.when() };
  if (action.id === 'edit.copy') return { ...action, run: clipboard.copy };
  if (action.id === 'edit.cut') return { ...action, run: clipboard.cut };
  if (action.id === 'edit.paste') {
    return {
      ...action,
      when: () => frameIsShown(store.getState()) && clipboard.isFilled(),
      run: () => void clipboard.paste(false),
    };
  }
  if (action.id === 'draw.again') return { ...action, run: () => drawing.use(engine.lastDrawTool()) };
  if (action.id.startsWith('tool.')) return { ...action, run: () => drawing.use(action.id.slice(5) as ToolId) };
  return action;
}

function frameActions({ session, focusFrameInput }: ScreenActionParts): Action[] {
  const { navigator, store, deletedFrames } = session;
  const action = inGroup('frame');
  const step = (id: string, label: TextKey, shortcut: string, run: () => void): Action =>
    action(id, label, [shortcut], run, { repeats: true });
  return [
    step('frame.previous', 'annotate.previous', 'KeyD', () => void navigator.step(-1)),
    step('frame.next', 'annotate.next', 'KeyF', () => void navigator.step(1)),
    step('frame.back10', 'annotate.back10', 'KeyC', () => void navigator.step(-10)),
    step('frame.forward10', 'annotate.forward10', 'KeyV', () => void navigator.step(10)),
    step('frame.first', 'annotate.first', 'Shift+Home', () => void navigator.toEnd('first')),
    step('frame.last', 'annotate.last', 'Shift+End', () => void navigator.toEnd('last')),
    action('frame.input', 'annotate.frameNumber', ['Backquote'], focusFrameInput),
    action('frame.delete', 'annotate.deleteFrame', ['Alt+Delete'], () => {
      void deletedFrames.toggle(store.getState().wantedFrame);
    }),
    action('frame.showDeleted', 'annotate.showDeleted', [], () => deletedFrames.show(!store.getState().showDeleted)),
  ];
}

/** The Space key acts on release, because holding it pans the image. */
function playerActions({ player, store }: AnnotateSession): Action[] {
  if (player === null) return [];
  const action = inGroup('player');
  const change = (by: 1 | -1) => (): void => {
    const next = speeds[speeds.findIndex((speed) => speed === store.getState().speed) + by];
    if (next !== undefined) player.setSpeed(next);
  };
  return [
    action('player.toggle', 'player.toggle', ['Space'], player.toggle),
    action('player.faster', 'player.faster', ['Shift+Period'], change(1)),
    action('player.slower', 'player.slower', ['Shift+Comma'], change(-1)),
    action('player.previousKeyframe', 'player.previousKeyframe', ['Alt+Comma'], () => void player.toKeyframe(-1)),
    action('player.nextKeyframe', 'player.nextKeyframe', ['Alt+Period'], () => void player.toKeyframe(1)),
  ];
}

function labelActions({ session, focusLabelInput }: ScreenActionParts): Action[] {
  const { drawing, engine, store } = session;
  const action = inGroup('label');
  const numbers = Array.from({ length: 9 }, (_, index) => index + 1);
  const relabel = (number: number): void => {
    const label = store.getState().labels[number - 1];
    if (label !== undefined) drawing.relabel(engine.selection.ids(), label.id);
  };
  return [
    action('label.type', 'annotate.drawingLabel', ['Digit0'], focusLabelInput),
    action('label.tag', 'annotate.addTag', ['Alt+KeyT'], () => drawing.use('tag')),
    ...numbers.map((number) =>
      action(`label.${number}`, 'annotate.labelNumber', [`Digit${number}`], () => drawing.labelKey(number - 1), {
        number,
      }),
    ),
    ...[...numbers, 10].map((number) =>
      action(`label.set${number}`, 'annotate.labelSet', [`Mod+Digit${number % 10}`], () => relabel(number), {
        number,
        scope: 'selection',
        when: () => engine.selection.ids().length > 0,
      }),
    ),
  ];
}

function fileActions({ session, openDialog }: ScreenActionParts): Action[] {
  const action = inGroup('file');
  return [
    // Edits are saved automatically. Mod+S sends them at once and suppresses the browser's save dialog.
    action('file.save', 'annotate.saveNow', ['Mod+KeyS'], () => session.saving.queue.retry()),
    action('file.export', 'annotate.export', [], () => openDialog('export')),
    action('file.savePng', 'view.savePng', [], () => void saveScreenshot(session, 'png')),
    action('file.saveSvg', 'view.saveSvg', [], () => void saveScreenshot(session, 'svg')),
    action('file.import', 'annotate.import', [], () => openDialog('import')),
    action('file.statistics', 'statistics.open', [], () => openDialog('statistics')),
  ];
}

function toggleDock({ store, player }: AnnotateSession, wanted: Dock): void {
  const dock = store.getState().dock === wanted ? null : wanted;
  saveDock(player !== null, dock);
  store.setState({ dock });
}

function toggleInspector({ store }: AnnotateSession): void {
  const inspectorOpen = !store.getState().inspectorOpen;
  // Both kinds of jobs share the setting.
  saveSwitch('inspectorFolded', false, !inspectorOpen);
  store.setState({ inspectorOpen });
}

function toggleGuide({ store }: AnnotateSession): void {
  const { panel, mode, inspectorOpen } = store.getState();
  const isShown = panel === 'guide' && inspectorOpen;
  store.setState(isShown ? { panel: firstPanel(mode) } : { panel: 'guide', inspectorOpen: true });
}

function screenActions(parts: ScreenActionParts): Action[] {
  const { session } = parts;
  return [
    ...canvasActions(session.engine).map((action) => adapted(action, session)),
    ...frameActions(parts),
    ...findActions(session),
    ...playerActions(session),
    inGroup('view')('timeline.toggle', 'timeline.toggle', ['Mod+KeyJ'], () => toggleDock(session, 'timeline')),
    inGroup('view')('strip.toggle', 'strip.toggle', ['Alt+KeyS'], () => toggleDock(session, 'frames')),
    inGroup('view')('guide.toggle', 'guide.toggle', ['Alt+KeyG'], () => toggleGuide(session), {
      when: () => session.job.guide_id !== null,
    }),
    inGroup('view')('inspector.toggle', 'view.toggle', ['Mod+Backslash'], () => toggleInspector(session)),
    ...editingActions(session, parts.openDialog),
    ...trackActions(session, parts.openDialog),
    ...labelActions(parts),
    ...fileActions(parts),
    ...modelActions(session),
    ...modeActions(session),
  ].map((action) => ({ ...action, when: () => isOfferedInMode(action, session) && action.when() }));
}

/** Actions of an open job, shared by the rail, keys, palette and help page. */
export const createScreenActions = (parts: ScreenActionParts): ActionTable =>
  createActionTable({ actions: screenActions(parts), isMac: isMacKeyboard() });

/**
 * The same actions without an open job, for the settings, which list and never run them. Reads of the session return a
 * placeholder.
 */
export function actionCatalogue(): readonly Action[] {
  const nothing: object = new Proxy(() => nothing, {
    get: (_, name) => (name === Symbol.toPrimitive ? () => '' : nothing),
    apply: () => nothing,
  });
  // Replaces every part. No action is run, so none of the types matters.
  return screenActions(nothing as ScreenActionParts);
}

/** Text fields and dialogs take all keys while they have the focus. */
export function keyBelongsElsewhere(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  // A permanent listbox of the screen takes only its own keys.
  if (target.closest('[role="dialog"], [role="menu"], [role="listbox"]:not([data-keeps-keys])') !== null) return true;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  if (event.code === 'Tab') return walksControls(target);
  // Space toggles a switch that got its focus from the keyboard. After a click, Space belongs to the canvas again.
  if (event.code === 'Space' && target instanceof HTMLInputElement && target.matches(':focus-visible')) return true;
  if (target instanceof HTMLInputElement) return !takesNoText(target);
  if (target.getAttribute('role') === 'slider') return event.code.startsWith('Arrow');
  return target instanceof HTMLButtonElement && (event.code === 'Enter' || event.code === 'Space');
}

const takesNoText = ({ type }: HTMLInputElement): boolean => ['checkbox', 'radio', 'button', 'range'].includes(type);

/**
 * Tab moves through controls in a panel, and through objects on the canvas. Focus from the keyboard stays with the
 * controls. After a click on a control without text input, Tab belongs to the canvas again.
 */
function walksControls(target: HTMLElement): boolean {
  if (target instanceof HTMLInputElement && !takesNoText(target)) return true;
  const isOnPicture = target === document.body || target.closest('[data-canvas]') !== null;
  if (isOnPicture) return target.matches('button:focus-visible');
  const isSwitch = target instanceof HTMLInputElement || target.role === 'slider';
  return !isSwitch || target.matches(':focus-visible');
}

export function focusPicture(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

export const keepFocus = (event: { target: EventTarget; preventDefault: () => void }): void => {
  const { target } = event;
  if (target instanceof Element && target.closest('button') !== null) event.preventDefault();
};
