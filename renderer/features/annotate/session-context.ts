import { createContext, useContext, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { ActionTable } from '../../canvas/actions.ts';
import type { SceneRecord } from '../../canvas/types.ts';
import type { AnnotateState } from './annotate-state.ts';
import type { AnnotateSession } from './session.ts';

export interface Workspace {
  readonly session: AnnotateSession;
  readonly actions: ActionTable;
  readonly openDialog: (dialog: 'export' | 'import') => void;
}

export const WorkspaceContext = createContext<Workspace | null>(null);

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('This part stands only inside an opened job.');
  return workspace;
}

export const useSession = (): AnnotateSession => useWorkspace().session;

export function useAnnotate<Value>(select: (state: AnnotateState) => Value): Value {
  return useStore(useSession().store, select);
}

/** All records of the frame; changes with every edit, never on pointer moves. */
export function useRecords(): readonly SceneRecord[] {
  const { scene } = useSession().engine;
  useSyncExternalStore(scene.subscribe, () => scene.version);
  return scene.all();
}

export function useSelection(): readonly string[] {
  const { selection } = useSession().engine;
  return useSyncExternalStore(selection.subscribe, () => selection.ids());
}

/** Whether the pointer or the list hovers this object: only the rows concerned are drawn anew. */
export function useIsHovered(id: string): boolean {
  const { engine } = useSession();
  return useSyncExternalStore(
    (changed) => engine.on('hover', changed),
    () => engine.getHover() === id,
  );
}
