import { inGroup, type Action } from '../../../canvas/actions.ts';
import { firstPanel, frameIsShown } from '../annotate-state.ts';
import type { AnnotateSession } from '../session.ts';
import { attributeActions } from './attributes/attribute-actions.ts';
import { isOffered } from './mode-offers.ts';
import { modes, rememberMode, type Mode } from './mode.ts';
import { reviewActions } from './review/review-actions.ts';
import { singleActions } from './single/single-actions.ts';
import { tagActions } from './tags/tag-actions.ts';

/** What the mode keeps of the screen's actions. */
export function isOfferedInMode(
  action: Pick<Action, 'id' | 'group'>,
  { store, review, modes }: AnnotateSession,
): boolean {
  const { mode } = store.getState();
  const { editing } = review.state.getState();
  const { tool } = modes.single.state.getState();
  return isOffered(action, { mode, editing, tool, canCancel: modes.single.canCancel() });
}

/** Leaves what is half drawn, and starts the mode with nothing armed. */
function setMode(session: AnnotateSession, mode: Mode): void {
  const { store, engine, job } = session;
  if (store.getState().mode === mode) return;
  if (engine.getTool().drawing) engine.finishDrawing();
  engine.setTool('select');
  rememberMode(job, mode);
  store.setState({ mode, panel: firstPanel(mode) });
}

export function modeActions(session: AnnotateSession): Action[] {
  const action = inGroup('mode');
  return [
    ...modes.map((mode, index) =>
      action(`mode.${mode}`, `modes.actions.${mode}`, [`KeyT Digit${index + 1}`], () => setMode(session, mode)),
    ),
    ...[...reviewActions(session), ...singleActions(session)].map((one) => ({
      ...one,
      when: () => frameIsShown(session.store.getState()) && one.when(),
    })),
    ...attributeActions(session),
    ...tagActions(session),
  ];
}
