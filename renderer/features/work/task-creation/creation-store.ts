import { create } from 'zustand';
import { acceptDamaged } from '../../../../preload/contract/media-names.ts';
import { messageOf } from '../../../api/api-error.ts';
import { wasCancelled } from '../../../api/client.ts';
import { createTask, fillTask, type CreatedTask, type CreationStep, type NewTask } from './create-task.ts';

type CreationState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly name: string; readonly step: CreationStep; readonly isNew: boolean }
  | { readonly phase: 'failed'; readonly name: string; readonly message: string; readonly isNew: boolean }
  /** Some files are truncated or damaged; `decide` accepts or rejects their readable part. */
  | {
      readonly phase: 'damaged';
      readonly name: string;
      readonly message: string;
      readonly isNew: boolean;
      readonly decide: (take: boolean) => void;
    }
  | { readonly phase: 'done'; readonly name: string; readonly created: CreatedTask };

interface CreationStore {
  readonly state: CreationState;
  /** Last upload of this window per task, for a retry. */
  readonly brought: ReadonlyMap<number, Omit<NewTask, 'task'>>;
  start(task: NewTask): Promise<CreatedTask | null>;
  fill(task: { readonly id: number; readonly name: string }, what: Omit<NewTask, 'task'>): Promise<CreatedTask | null>;
  cancel(): void;
  dismiss(): void;
}

export const useCreation = create<CreationStore>((set, get) => {
  let abort: AbortController | null = null;
  const run = async (
    of: { readonly name: string; readonly isNew: boolean },
    what: Omit<NewTask, 'task'>,
    work: (what: Omit<NewTask, 'task'>, options: Parameters<typeof createTask>[1]) => Promise<CreatedTask>,
  ): Promise<CreatedTask | null> => {
    if (get().state.phase === 'running' || get().state.phase === 'damaged') return null;
    abort = new AbortController();
    const show = (state: CreationState): void => set({ state });
    const onStep = (step: CreationStep): void => show({ phase: 'running', ...of, step });
    onStep({ kind: 'uploading', sentBytes: 0, totalBytes: 0 });
    try {
      const created = await work(what, { signal: abort.signal, onStep });
      show(created.skippedCount > 0 ? { phase: 'done', name: of.name, created } : { phase: 'idle' });
      return created;
    } catch (error) {
      const message = messageOf(error);
      if (!wasCancelled(error) && message.includes(acceptDamaged) && what.data.accept_damaged !== true) {
        const takes = await new Promise<boolean>((decide) => show({ phase: 'damaged', ...of, message, decide }));
        show({ phase: 'idle' });
        return takes ? run(of, { ...what, data: { ...what.data, accept_damaged: true } }, work) : null;
      }
      show(wasCancelled(error) ? { phase: 'idle' } : { phase: 'failed', ...of, message });
      return null;
    }
  };
  return {
    state: { phase: 'idle' },
    brought: new Map(),
    start: ({ task, ...rest }) =>
      run({ name: task.name, isNew: true }, rest, (what, options) => createTask({ task, ...what }, options)),
    fill({ id, name }, rest) {
      set({ brought: new Map(get().brought).set(id, rest) });
      return run({ name, isNew: false }, rest, (what, options) => fillTask(id, what, options));
    },
    cancel: () => abort?.abort(),
    dismiss: () => set({ state: { phase: 'idle' } }),
  };
});
