export type WriteBarrier = ReturnType<typeof createWriteBarrier>;

/** Maximum wait for running writes. A write that still waits for an upload is not stored yet, so it can be ignored. */
const patienceMs = 10_000;

/** Write barrier: writers pass through it, and wait while a caller needs a consistent state. */
export function createWriteBarrier() {
  let inside = 0;
  let opened: Promise<void> | null = null;
  let open = (): void => undefined;
  let onEmpty = (): void => undefined;

  return {
    /** Returns a function to call at the end of the write. */
    async enter(): Promise<() => void> {
      if (opened !== null) {
        await opened;
        return this.enter();
      }
      inside += 1;
      return () => {
        inside -= 1;
        if (inside === 0) onEmpty();
      };
    },
    /** Holds new writers. Resolves when the running ones have ended. */
    async close(): Promise<void> {
      opened = new Promise((resolve) => {
        open = resolve;
      });
      if (inside === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patienceMs);
        onEmpty = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    open(): void {
      opened = null;
      open();
    },
  };
}
