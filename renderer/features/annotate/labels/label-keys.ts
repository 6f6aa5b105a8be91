import { stopAll } from '../../../canvas/emitter.ts';
import { inGroup, type ActionTable } from '../../../canvas/action-table.ts';
import { labelActionId, overridesOf } from '../../../parts/keys/keymap.ts';
import { useKeymap } from '../../../parts/keys/keymap-store.ts';
import type { AnnotateSession } from '../session.ts';
import { useShortcuts } from '../session-context.ts';

/** What a label's own key does in the mode that is on. */
function pressLabel({ store, drawing, modes }: AnnotateSession, position: number): void {
  const { mode, labels } = store.getState();
  const label = labels[position];
  if (label === undefined || mode === 'attributes') return;
  if (mode === 'tags') modes.tags.toggle(label.id);
  else if (mode === 'single') modes.single.choose(label);
  else drawing.labelKey(position);
}

/** Gives the table the person's keys, and an action for each label, as long as the job is open. */
export function followKeys(actions: ActionTable, session: AnnotateSession): () => void {
  const { store } = session;
  const action = inGroup('labelKeys');
  const setLabels = (): void =>
    actions.replaceGroup(
      'labelKeys',
      store
        .getState()
        .labels.map(({ name }, position) =>
          action(labelActionId(name), 'keys.labelNamed', [], () => pressLabel(session, position), { name }),
        ),
    );
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

/** The key that a label shows: its own, or else that of its place among the first nine. */
export function useLabelKeys(): (name: string, position: number) => string | undefined {
  const keyOf = useShortcuts();
  return (name, position) => keyOf(labelActionId(name)) ?? keyOf(`label.${position + 1}`);
}
