import { useEffect, type ReactNode } from 'react';
import { create } from 'zustand';

/** Something that can be run from the command palette while its screen is open. */
export interface ScreenCommand {
  readonly id: string;
  readonly label: string;
  readonly shortcut?: string | undefined;
  readonly icon?: ReactNode;
  readonly run: () => void;
}

export const useScreenCommands = create<{ readonly commands: readonly ScreenCommand[] }>(() => ({ commands: [] }));

/** Offers a screen's commands as long as it is open. Give a stable list. */
export function useOfferCommands(commands: readonly ScreenCommand[]): void {
  useEffect(() => {
    useScreenCommands.setState({ commands });
    return () => {
      if (useScreenCommands.getState().commands === commands) useScreenCommands.setState({ commands: [] });
    };
  }, [commands]);
}

export const useHelp = create<{ readonly open: boolean; readonly set: (open: boolean) => void }>((set) => ({
  open: false,
  set: (open) => set({ open }),
}));
