import { setImmediate as nextTurn } from 'node:timers/promises';
import { atOnce, inPortions } from '../platform/portions.ts';
import type { AnnotationDigests } from '../work/annotations/annotation-digest-repository.ts';
import { filesOf, headFile, ownFile } from './annotation-files.ts';
import type { ExchangeDependencies } from './exchange-parts.ts';
import type { FileChanges } from './git-store.ts';
import type { Own } from './object-edits.ts';
import type { Place, Prepared } from './push-parts.ts';

/**
 * Prepares the first push of a task to a folder without annotations. Nothing must be compared, so that the objects are
 * sent frame by frame: a million of them do not fit into memory.
 */
export function createPrepareFirst({ objects }: Pick<ExchangeDependencies, 'objects'>) {
  return async ({ actor, bound, there, signal }: Place): Promise<Prepared | null> => {
    const { binding, projectId, store } = bound;
    if (projectId !== null || binding.format !== null || binding.base !== null) return null;
    const isFree = async (commit: string) =>
      (await store.list(commit, binding.folder, (path) => ownFile.test(path))).size === 0;
    if (there !== null && !(await isFree(there))) return null;
    const [task] = bound.tasksOf(actor, 'update:annotations');
    if (!task) return null;
    const facts = objects.facts(task);
    const reading = objects.readFramewise(actor, task);
    const first = await firstPart(reading, signal);
    // Without annotations there is nothing to send.
    if (first.done === true && there !== null) return null;
    let added = 0;
    let digests: AnnotationDigests | undefined;

    /** Uids are stored before their objects are sent: an interrupted push leaves the same ones on both sides. */
    async function* sentFiles(own: Own): FileStream {
      await inPortions(objects.rememberChanges(task!.id, own), signal);
      added += own.state.size;
      const files = await inPortions(filesOf(own.state, facts), signal);
      for (const file of files) if (file[0] !== headFile) yield file;
    }
    async function* changes(): FileStream {
      try {
        yield* atOnce(filesOf(new Map(), facts));
        for (let step = first; ; step = reading.next()) {
          if (step.done === true) return void (digests = step.value);
          if (step.value) yield* sentFiles(step.value);
          await nextTurn();
          signal.throwIfAborted();
        }
      } finally {
        reading.return(undefined as never);
      }
    }
    const sent = { changes: changes() satisfies FileChanges, counted: () => ({ added, changed: 0, removed: 0 }) };
    const rest = { remember: async () => undefined, bind: () => undefined };
    const compared = { taskId: task.id, folder: '', facts, digests: () => digests!, sent, ...rest };
    return { tasks: [compared], losses: [], needsAcceptance: false, skipped: [] };
  };
}

type FileStream = AsyncGenerator<readonly [path: string, content: string]>;

async function firstPart<Part, Result>(reading: Generator<Part | null, Result>, signal: AbortSignal) {
  for (;;) {
    const step = reading.next();
    if (step.done === true || step.value !== null) return step;
    await nextTurn();
    signal.throwIfAborted();
  }
}
