import { create } from 'zustand';

/** A backup that was opened with or dropped on the program; the settings ask to restore it. */
export const useOpenedBackup = create<{
  readonly file: string | null;
  readonly set: (file: string | null) => void;
}>()((set) => ({ file: null, set: (file) => set({ file }) }));

export const isBackup = (name: string): boolean => name.toLowerCase().endsWith('.limner');
