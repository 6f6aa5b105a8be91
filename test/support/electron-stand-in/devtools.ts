/** A client of Chromium's debugging protocol: one socket, one session per page. */
export interface DevTools {
  send(method: string, params?: object, sessionId?: string): Promise<Record<string, unknown>>;
  on(listener: (event: DevToolsEvent) => void): void;
  readonly closed: Promise<void>;
}

export interface DevToolsEvent {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly sessionId?: string;
}

interface Answer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

export async function connectDevTools(address: string): Promise<DevTools> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`No connection to ${address}`)), { once: true });
  });
  const waiting = new Map<number, { resolve(result: Record<string, unknown>): void; reject(error: Error): void }>();
  const listeners: ((event: DevToolsEvent) => void)[] = [];
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Answer & DevToolsEvent;
    if (message.id === undefined) {
      for (const listener of listeners) listener(message);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) call?.reject(new Error(message.error.message));
    else call?.resolve(message.result ?? {});
  });
  const closed = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => {
      for (const call of waiting.values()) call.reject(new Error('Chromium is gone.'));
      waiting.clear();
      resolve();
    });
  });
  return {
    closed,
    on: (listener) => void listeners.push(listener),
    send(method, params = {}, sessionId) {
      return new Promise((resolve, reject) => {
        if (socket.readyState !== WebSocket.OPEN) {
          reject(new Error('Chromium is gone.'));
          return;
        }
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        socket.send(JSON.stringify({ id: lastId, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
      });
    },
  };
}
