/**
 * Scripts that run inside the page. Each function is sent as text, so it cannot use anything outside itself. Functions
 * of the bridge have numbers. The two worlds call each other by DOM events, whose `detail` is cloned.
 */

type Encoded = { readonly kind: string; readonly value?: unknown };
interface WorldCodec {
  encode(value: unknown): Encoded;
  decode(encoded: Encoded): unknown;
}
/** `prefix` separates the events of the two worlds: each world answers calls to its own functions. */
function createWorldCodec(own: string, other: string): WorldCodec {
  const functions = new Map<number, (...args: unknown[]) => unknown>();
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const results = new Map<number, Encoded>();
  let last = 0;

  function dispatch(name: string, detail: unknown): void {
    window.dispatchEvent(new CustomEvent(`stand-in:${name}`, { detail }));
  }
  function encode(value: unknown): Encoded {
    if (typeof value === 'function') {
      last += 1;
      functions.set(last, value as (...args: unknown[]) => unknown);
      return { kind: 'function', value: last };
    }
    if (value instanceof Promise) {
      last += 1;
      const id = last;
      value.then(
        (result: unknown) => dispatch(`${other}:settle`, { id, ok: true, value: encode(result) }),
        (error: unknown) => dispatch(`${other}:settle`, { id, ok: false, message: String((error as Error).message) }),
      );
      return { kind: 'promise', value: id };
    }
    if (Array.isArray(value)) return { kind: 'array', value: value.map(encode) };
    if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
      return { kind: 'object', value: Object.entries(value).map(([key, item]) => [key, encode(item)]) };
    }
    return { kind: 'clone', value };
  }
  function decode({ kind, value }: Encoded): unknown {
    switch (kind) {
      case 'function':
        return (...args: unknown[]) => {
          last += 1;
          const call = last;
          dispatch(`${other}:call`, { fn: value, call, args: args.map(encode) });
          const result = results.get(call);
          results.delete(call);
          return result === undefined ? undefined : decode(result);
        };
      case 'promise':
        return new Promise((resolve, reject) => void pending.set(value as number, { resolve, reject }));
      case 'array':
        return (value as Encoded[]).map(decode);
      case 'object':
        return Object.fromEntries((value as [string, Encoded][]).map(([key, item]) => [key, decode(item)]));
      default:
        return value;
    }
  }
  function listen(name: string, listener: (detail: Record<string, unknown>) => void): void {
    window.addEventListener(`stand-in:${own}:${name}`, (event) => listener((event as CustomEvent).detail));
  }
  listen('call', ({ fn, call, args }) => {
    const result = functions.get(fn as number)?.(...(args as Encoded[]).map(decode));
    dispatch(`${other}:result`, { call, value: encode(result) });
  });
  listen('result', ({ call, value }) => void results.set(call as number, value as Encoded));
  listen('settle', ({ id, ok, value, message }) => {
    const promise = pending.get(id as number);
    pending.delete(id as number);
    if (ok) promise?.resolve(decode(value as Encoded));
    else promise?.reject(new Error(message as string));
  });
  return { encode, decode };
}

/** Runs in the main world before the page's scripts, and receives the objects that the preload script exposes. */
function preparePageWorld(codec: WorldCodec, openBinding: string): void {
  window.addEventListener('stand-in:expose', (event) => {
    const { name, api } = (event as CustomEvent<{ name: string; api: Encoded }>).detail;
    Object.defineProperty(window, name, { value: Object.freeze(codec.decode(api)), enumerable: true });
  });
  const report = (window as unknown as Record<string, (payload: string) => void>)[openBinding];
  window.open = (url = '') => {
    report?.(String(new URL(String(url), location.href)));
    return null;
  };
}

function createPreloadModule(codec: WorldCodec, invokeBinding: string, receiver: string): object {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const listeners = new Map<string, ((event: object, ...args: unknown[]) => void)[]>();
  const world = window as unknown as Record<string, unknown>;
  let last = 0;
  world[receiver] = {
    settle(id: number, ok: boolean, value: unknown) {
      const call = waiting.get(id);
      waiting.delete(id);
      if (ok) call?.resolve(value);
      else call?.reject(new Error(String(value)));
    },
    receive(channel: string, args: unknown[]) {
      for (const listener of listeners.get(channel) ?? []) listener({}, ...args);
    },
  };
  return {
    contextBridge: {
      exposeInMainWorld(name: string, api: unknown) {
        window.dispatchEvent(new CustomEvent('stand-in:expose', { detail: { name, api: codec.encode(api) } }));
      },
    },
    ipcRenderer: {
      invoke(channel: string, ...args: unknown[]) {
        last += 1;
        const id = last;
        return new Promise((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          (world[invokeBinding] as (payload: string) => void)(JSON.stringify({ id, channel, args }));
        });
      },
      on(channel: string, listener: (event: object, ...args: unknown[]) => void) {
        listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      },
    },
    webUtils: {
      /** A page does not know paths. The stand-in pauses the page here and fills the path in. */
      getPathForFile(_file: unknown) {
        // oxlint-disable-next-line prefer-const -- the stand-in assigns it
        let path = '';
        // oxlint-disable-next-line no-debugger -- the way to wait for an answer from outside without giving way
        debugger;
        return path;
      },
    },
  };
}

export const bindings = { open: 'standInOpen', invoke: 'standInInvoke', receiver: 'standInReceiver' } as const;

export function pageWorldSource(): string {
  return `if (window === window.top) (${preparePageWorld})((${createWorldCodec})('page', 'preload'), '${bindings.open}');`;
}

/** Source for the isolated world: the preload script as CommonJS, with `electron` as its only module. */
export function preloadWorldSource(preloadScript: string, platform: string): string {
  return `if (window === window.top) {
    const electron = (${createPreloadModule})((${createWorldCodec})('preload', 'page'), '${bindings.invoke}', '${bindings.receiver}');
    const require = (name) => {
      if (name === 'electron') return electron;
      throw new Error('A sandboxed preload script cannot load ' + name);
    };
    const process = { platform: '${platform}', type: 'renderer', sandboxed: true, contextIsolated: true };
    const module = { exports: {} };
    (function (require, module, exports, process) { ${preloadScript}
    })(require, module, module.exports, process);
  }`;
}
