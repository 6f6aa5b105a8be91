/** Ends what is still open for people who may not go on: event streams, and requests whose answer takes its time. */
export function createOpenRequests() {
  const people = new Map<number, AbortController>();
  return {
    /** Aborted when the person is shut out. */
    signalOf(userId: number): AbortSignal {
      const known = people.get(userId) ?? new AbortController();
      people.set(userId, known);
      return known.signal;
    },
    /** After the change is stored: who asks again is refused by then. */
    end(userId: number): void {
      people.get(userId)?.abort();
      people.delete(userId);
    },
  };
}

export type OpenRequests = ReturnType<typeof createOpenRequests>;
