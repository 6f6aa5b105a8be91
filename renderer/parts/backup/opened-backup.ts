import { create } from 'zustand';

/** A backup that the program was opened with, or that was dropped on it: the settings ask whether to restore it. */
export const useOpenedBackup = create<{
  readonly file: string | null;
  readonly set: (file: string | null) => void;
}>()((set) => ({ file: null, set: (file) => set({ file }) }));

export const isBackup = (name: string): boolean => name.toLowerCase().endsWith('.limner');
