/** Ends open requests of users who lose access: event streams and long-running requests. */
export function createOpenRequests() {
  const people = new Map<number, AbortController>();
  return {
    /** Aborted when the user loses access. */
    signalOf(userId: number): AbortSignal {
      const known = people.get(userId) ?? new AbortController();
      people.set(userId, known);
      return known.signal;
    },
    /** Call after the change is stored, because only then are repeated requests refused. */
    end(userId: number): void {
      people.get(userId)?.abort();
      people.delete(userId);
    },
  };
}

export type OpenRequests = ReturnType<typeof createOpenRequests>;
