import type { Label } from '../../../../preload/contract/schema/labels.ts';
import { stopAll } from '../../../canvas/emitter.ts';
import { bindActions, inGroup, type ActionTable } from '../../../canvas/action-table.ts';
import { labelActionId, overridesOf } from '../../../shared/keys/keymap.ts';
import { useKeymap } from '../../../shared/keys/keymap-store.ts';
import type { AnnotateSession } from '../model/session.ts';

/** Runs the action of a label key in the current mode. */
function pressLabel({ store, drawing, modes }: AnnotateSession, position: number): void {
  const { mode, labels } = store.getState();
  const label = labels[position];
  if (label === undefined || mode === 'attributes') return;
  if (mode === 'tags') modes.tags.toggle(label.id);
  else if (mode === 'single') modes.single.choose(label);
  else drawing.labelKey(position);
}

/** Applies the user's shortcuts and adds an action for each label while the job is open. */
export function followKeys(actions: ActionTable, session: AnnotateSession): () => void {
  const { store } = session;
  const action = inGroup<AnnotateSession>('labelKeys');
  const ofLabel = ({ name }: Label, position: number) =>
    action(labelActionId(name), 'keys.labelNamed', [], (target) => pressLabel(target, position), { name });
  const setLabels = (): void =>
    actions.replaceGroup('labelKeys', bindActions(store.getState().labels.map(ofLabel), session));
  const setKeys = (): void => actions.setOverrides(overridesOf(useKeymap.getState().keymap));
  setLabels();
  setKeys();
  const stops = [
    store.subscribe((state, before) => {
      if (state.labels !== before.labels) setLabels();
    }),
    useKeymap.subscribe(setKeys),
  ];
  return () => stopAll(stops);
}
