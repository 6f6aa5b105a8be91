import { createContext, useContext, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { ActionTable } from '../../../canvas/action-table.ts';
import { labelActionId } from '../../../shared/keys/keymap.ts';
import { shortcutText, useKeymap } from '../../../shared/keys/keymap-store.ts';
import type { AnnotateState } from '../model/types.ts';
import type { AnnotateSession } from '../model/session.ts';

export interface Workspace {
  readonly session: AnnotateSession;
  readonly actions: ActionTable;
}

export const WorkspaceContext = createContext<Workspace | null>(null);

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('This component needs an open job.');
  return workspace;
}

/** Shortcut text of an action for the current keyboard layout; follows changes of shortcuts. */
export function useShortcuts(): (actionId: string) => string | undefined {
  const { actions } = useWorkspace();
  useSyncExternalStore(actions.subscribe, () => actions.version);
  useKeymap((state) => state.layout);
  return (actionId) => {
    const [shortcut] = actions.shortcutsOf(actionId);
    return shortcut === undefined ? undefined : shortcutText(shortcut);
  };
}

/** Key of a label: its own, or the digit of its position among the first nine. */
export function useLabelKeys(): (name: string, position: number) => string | undefined {
  const keyOf = useShortcuts();
  return (name, position) => keyOf(labelActionId(name)) ?? keyOf(`label.${position + 1}`);
}

export const useSession = (): AnnotateSession => useWorkspace().session;

export function useAnnotate<Value>(select: (state: AnnotateState) => Value): Value {
  return useStore(useSession().store, select);
}
