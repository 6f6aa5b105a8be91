import { create } from 'zustand';
import { messageOf } from '../../api/api-error.ts';
import { wasCancelled } from '../../api/transport.ts';
import { text } from '../../i18n/index.ts';
import { createTask, type CreatedTask, type CreationStep, type NewTask } from './create-task.ts';

export type CreationState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly name: string; readonly step: CreationStep }
  | { readonly phase: 'failed'; readonly name: string; readonly message: string }
  | { readonly phase: 'done'; readonly name: string; readonly created: CreatedTask };

interface CreationStore {
  readonly state: CreationState;
  start(task: NewTask): Promise<CreatedTask | null>;
  cancel(): void;
  dismiss(): void;
}

/** The task that is being made, for the window's progress dialog: one at a time. */
export const useCreation = create<CreationStore>((set, get) => {
  let abort: AbortController | null = null;
  return {
    state: { phase: 'idle' },
    async start(task) {
      if (get().state.phase === 'running') return null;
      const { name } = task.task;
      abort = new AbortController();
      const show = (state: CreationState): void => set({ state });
      show({ phase: 'running', name, step: { kind: 'uploading', sentBytes: 0, totalBytes: 0 } });
      try {
        const onStep = (step: CreationStep): void => show({ phase: 'running', name, step });
        const created = await createTask(task, { signal: abort.signal, onStep });
        show(created.skippedCount > 0 ? { phase: 'done', name, created } : { phase: 'idle' });
        return created;
      } catch (error) {
        const message = wasCancelled(error) ? text('newTask.cancelled') : messageOf(error);
        show(wasCancelled(error) ? { phase: 'idle' } : { phase: 'failed', name, message });
        return null;
      }
    },
    cancel: () => abort?.abort(),
    dismiss: () => set({ state: { phase: 'idle' } }),
  };
});
