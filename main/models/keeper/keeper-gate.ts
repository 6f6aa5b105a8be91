/** Which calls of a function are under way, and whether others may begin. */
export function createKeeperGate(onQuiet: () => void) {
  let calls = 0;
  let shut: PromiseWithResolvers<undefined> | null = null;
  let quiet: (() => void) | null = null;

  return {
    calls: () => calls,
    isShut: () => shut !== null,
    /** Calls that come from now on wait until it opens. */
    shut(): void {
      shut ??= Promise.withResolvers<undefined>();
    },
    open(): void {
      shut?.resolve(undefined);
      shut = null;
    },
    opened: async (): Promise<void> => void (await shut?.promise),
    enter(): void {
      calls += 1;
    },
    leave(): void {
      calls -= 1;
      if (calls > 0) return;
      quiet?.();
      onQuiet();
    },
    /** Once the calls that are under way have ended. */
    async quiet(): Promise<void> {
      if (calls === 0) return;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      quiet = () => resolve(undefined);
      await promise;
      quiet = null;
    },
  };
}
