export type PauseGate = ReturnType<typeof createPauseGate>;

/** A change that waits for the bytes of an upload is not waited for longer: what is not whole is in no store yet. */
const patienceMs = 10_000;

/** What writes goes through here, and waits while somebody needs everything to stand still for a moment. */
export function createPauseGate() {
  let inside = 0;
  let opened: Promise<void> | null = null;
  let open = (): void => undefined;
  let onEmpty = (): void => undefined;

  return {
    /** Answers what has to be called at the end. */
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
    /** Nobody comes in from now on. Ends when those who were inside have left. */
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
