import { useEffect, type ReactNode } from 'react';
import { create } from 'zustand';
import type { ActionTable } from '../canvas/action-table.ts';

interface ScreenCommand {
  readonly id: string;
  readonly label: string;
  readonly shortcut?: string | undefined;
  readonly icon?: ReactNode;
  readonly run: () => void;
}

export const useScreenCommands = create<{ readonly commands: readonly ScreenCommand[] }>(() => ({ commands: [] }));

/** Registers a screen's commands while it is open. Pass a stable list. */
export function useOfferCommands(commands: readonly ScreenCommand[]): void {
  useEffect(() => {
    useScreenCommands.setState({ commands });
    return () => {
      if (useScreenCommands.getState().commands === commands) useScreenCommands.setState({ commands: [] });
    };
  }, [commands]);
}

interface HelpStore {
  readonly open: boolean;
  readonly actions: ActionTable | null;
  set(open: boolean): void;
  setActions(actions: ActionTable | null): void;
}

export const useHelp = create<HelpStore>((set) => ({
  open: false,
  actions: null,
  set: (open) => set({ open }),
  setActions: (actions) => set({ actions }),
}));
