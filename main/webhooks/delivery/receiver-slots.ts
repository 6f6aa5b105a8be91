/** Limits how many requests run at the same time per receiver. Further ones wait in order. */
export function createReceiverSlots(perReceiver: number) {
  interface Receiver {
    running: number;
    readonly waiting: { readonly start: () => void; readonly refuse: (reason: Error) => void }[];
  }
  const receivers = new Map<string, Receiver>();

  return {
    /** Runs `work` when the receiver has a free slot. */
    async run<Result>(origin: string, work: () => Promise<Result>): Promise<Result> {
      const receiver = receivers.get(origin) ?? { running: 0, waiting: [] };
      receivers.set(origin, receiver);
      if (receiver.running < perReceiver) receiver.running += 1;
      else await new Promise<void>((start, refuse) => receiver.waiting.push({ start, refuse }));
      try {
        return await work();
      } finally {
        // A waiting request takes the slot over.
        const next = receiver.waiting.shift();
        if (next) next.start();
        else if ((receiver.running -= 1) === 0) receivers.delete(origin);
      }
    },
    /** Rejects the requests that wait. */
    refuseWaiting(reason: Error): void {
      for (const { waiting } of receivers.values()) for (const { refuse } of waiting.splice(0)) refuse(reason);
    },
  };
}
