/** Typed listeners by event name. A throwing listener does not block the others. */
export interface Emitter<Events extends Record<keyof Events, (...args: never[]) => void>> {
  on<Name extends keyof Events>(event: Name, listener: Events[Name]): () => void;
  emit<Name extends keyof Events>(event: Name, ...args: Parameters<Events[Name]>): void;
  clear(): void;
}

export function createEmitter<Events extends Record<keyof Events, (...args: never[]) => void>>(): Emitter<Events> {
  const listeners = new Map<keyof Events, Set<(...args: never[]) => void>>();
  return {
    on(event, listener) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set);
      set.add(listener);
      return () => void set.delete(listener);
    },
    emit(event, ...args) {
      for (const listener of listeners.get(event) ?? []) callSafely(() => listener(...(args as never[])));
    },
    clear: () => listeners.clear(),
  };
}

/** The error reaches the window's error handler after the canvas has finished its step. */
function callSafely(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

export function createListeners<Args extends readonly unknown[] = []>() {
  const listeners = new Set<(...args: Args) => void>();
  return {
    tell(...args: Args) {
      for (const listener of listeners) listener(...args);
    },
    /** Calls the listener synchronously. Returns the unsubscribe function. */
    subscribe(listener: (...args: Args) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    clear: () => listeners.clear(),
  };
}

export const stopAll = (stops: readonly (() => void)[]): void => {
  for (const stop of stops) stop();
};
