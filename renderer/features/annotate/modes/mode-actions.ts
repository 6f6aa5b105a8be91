import { inGroup, type Action } from '../../../canvas/actions.ts';
import { frameIsShown } from '../annotate-state.ts';
import type { AnnotateSession } from '../session.ts';
import { modes, rememberMode, type Mode } from './mode.ts';
import { reviewActions } from './review/review-actions.ts';

/** Actions of these groups change annotations, but for those that only look. */
const editingGroups = ['tools', 'draw', 'edit', 'object', 'label', 'track', 'model'];
const looking = new Set([
  'tool.select',
  'tool.pan',
  'tool.zoom',
  'draw.cancel',
  'edit.selectAll',
  'edit.copy',
  'object.next',
  'object.previous',
  'object.focus',
  'object.hide',
  'object.hideAll',
]);

/** What a review without editing keeps of the screen's actions. */
export function isOfferedInMode(action: Pick<Action, 'id' | 'group'>, { store, review }: AnnotateSession): boolean {
  const looksOnly = store.getState().mode === 'review' && !review.state.getState().editing;
  return !looksOnly || looking.has(action.id) || !editingGroups.includes(action.group);
}

/** Leaves what is half drawn, and starts the mode with nothing armed. */
function setMode(session: AnnotateSession, mode: Mode): void {
  const { store, engine, job } = session;
  if (store.getState().mode === mode) return;
  if (engine.getTool().drawing) engine.finishDrawing();
  engine.setTool('select');
  rememberMode(job, mode);
  store.setState({ mode, panel: mode === 'standard' ? 'objects' : 'mode' });
}

export function modeActions(session: AnnotateSession): Action[] {
  const action = inGroup('mode');
  return [
    ...modes.map((mode, index) =>
      action(`mode.${mode}`, `modes.actions.${mode}`, [`KeyT Digit${index + 1}`], () => setMode(session, mode)),
    ),
    ...reviewActions(session).map((one) => ({
      ...one,
      when: () => frameIsShown(session.store.getState()) && one.when(),
    })),
  ];
}
