import { create } from 'zustand';
import { messageOf } from '../../api/api-error.ts';
import { wasCancelled } from '../../api/transport.ts';
import { createTask, fillTask, type CreatedTask, type CreationStep, type NewTask } from './create-task.ts';

type CreationState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly name: string; readonly step: CreationStep; readonly isNew: boolean }
  | { readonly phase: 'failed'; readonly name: string; readonly message: string; readonly isNew: boolean }
  | { readonly phase: 'done'; readonly name: string; readonly created: CreatedTask };

interface CreationStore {
  readonly state: CreationState;
  start(task: NewTask): Promise<CreatedTask | null>;
  /** Brings images to a task that has none. */
  fill(task: { readonly id: number; readonly name: string }, what: Omit<NewTask, 'task'>): Promise<CreatedTask | null>;
  cancel(): void;
  dismiss(): void;
}

/** The task that is being made, for the window's progress dialog: one at a time. */
export const useCreation = create<CreationStore>((set, get) => {
  let abort: AbortController | null = null;
  const run = async (
    of: { readonly name: string; readonly isNew: boolean },
    work: (options: Parameters<typeof createTask>[1]) => Promise<CreatedTask>,
  ): Promise<CreatedTask | null> => {
    if (get().state.phase === 'running') return null;
    abort = new AbortController();
    const show = (state: CreationState): void => set({ state });
    const onStep = (step: CreationStep): void => show({ phase: 'running', ...of, step });
    onStep({ kind: 'uploading', sentBytes: 0, totalBytes: 0 });
    try {
      const created = await work({ signal: abort.signal, onStep });
      show(created.skippedCount > 0 ? { phase: 'done', name: of.name, created } : { phase: 'idle' });
      return created;
    } catch (error) {
      show(wasCancelled(error) ? { phase: 'idle' } : { phase: 'failed', ...of, message: messageOf(error) });
      return null;
    }
  };
  return {
    state: { phase: 'idle' },
    start: (task) => run({ name: task.task.name, isNew: true }, (options) => createTask(task, options)),
    fill: ({ id, name }, what) => run({ name, isNew: false }, (options) => fillTask(id, what, options)),
    cancel: () => abort?.abort(),
    dismiss: () => set({ state: { phase: 'idle' } }),
  };
});
