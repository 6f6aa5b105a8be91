import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { bindings, pageWorldSource, preloadWorldSource } from './page-worlds.ts';
import { preventableEvent } from './preventable-event.ts';
import type { DevTools, DevToolsEvent } from './devtools.ts';

const preloadWorld = 'electron-stand-in-preload';

export interface WebPreferences {
  readonly preload?: string;
  readonly [name: string]: unknown;
}

export interface FrameFacts {
  url: string;
  readonly parent: null;
}

type InvokeHandler = (event: object, ...args: unknown[]) => unknown;
type OpenHandler = (details: { url: string }) => { action: 'allow' | 'deny' };

export interface WebContentsOptions {
  readonly devTools: DevTools;
  readonly preferences: WebPreferences;
  readonly handlers: ReadonlyMap<string, InvokeHandler>;
  readonly onClosed: () => void;
  readonly onUnloadRefused: () => void;
}

/** One page of Chromium, with the part of Electron's WebContents that the shell and the tests use. */
export class StandInWebContents extends EventEmitter {
  readonly mainFrame: FrameFacts = { url: 'about:blank', parent: null };
  readonly id = 1;
  #options: WebContentsOptions;
  #target: Promise<{ targetId: string; sessionId: string }>;
  #targetId = '';
  #preloadContext: number | null = null;
  #openHandler: OpenHandler = () => ({ action: 'allow' });
  #ownNavigations = new Set<string>();
  #destroyed = false;
  #closing = false;

  constructor(options: WebContentsOptions) {
    super();
    this.#options = options;
    this.#target = this.#attach();
  }

  async #attach(): Promise<{ targetId: string; sessionId: string }> {
    const { devTools, preferences } = this.#options;
    const { targetInfos } = (await devTools.send('Target.getTargets')) as {
      targetInfos: { targetId: string; type: string }[];
    };
    const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId;
    if (targetId === undefined) throw new Error('Chromium opened no page.');
    this.#targetId = targetId;
    const { sessionId } = (await devTools.send('Target.attachToTarget', { targetId, flatten: true })) as {
      sessionId: string;
    };
    devTools.on((event) => {
      if (event.sessionId === sessionId) void this.#handle(event, sessionId);
      if (event.method === 'Target.targetDestroyed' && event.params['targetId'] === targetId) this.#closed();
      if (event.method === 'Target.targetCreated') this.#guardNewTarget(event);
    });
    const send = (method: string, params?: object) => devTools.send(method, params, sessionId);
    await devTools.send('Target.setDiscoverTargets', { discover: true });
    await send('Page.enable');
    await send('Runtime.enable');
    await send('Debugger.enable');
    await send('Runtime.addBinding', { name: bindings.open });
    await send('Runtime.addBinding', { name: bindings.invoke, executionContextName: preloadWorld });
    await send('Page.addScriptToEvaluateOnNewDocument', { source: pageWorldSource() });
    if (preferences.preload !== undefined) {
      const source = preloadWorldSource(readFileSync(preferences.preload, 'utf8'), process.platform);
      await send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: preloadWorld });
    }
    await send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] });
    return { targetId, sessionId };
  }

  async #handle({ method, params }: DevToolsEvent, sessionId: string): Promise<void> {
    const { devTools } = this.#options;
    switch (method) {
      case 'Runtime.executionContextCreated': {
        const context = params['context'] as { id: number; name: string };
        if (context.name === preloadWorld) this.#preloadContext = context.id;
        break;
      }
      case 'Runtime.bindingCalled':
        await this.#bindingCalled(params as { name: string; payload: string; executionContextId: number }, sessionId);
        break;
      case 'Page.frameNavigated': {
        const frame = params['frame'] as { parentId?: string; url: string };
        if (frame.parentId === undefined) this.mainFrame.url = frame.url;
        break;
      }
      case 'Page.loadEventFired':
        this.emit('did-finish-load');
        break;
      case 'Page.javascriptDialogOpening':
        if (params['type'] === 'beforeunload') {
          const event = preventableEvent({});
          this.emit('will-prevent-unload', event);
          if (!event.defaultPrevented) {
            this.#closing = false;
            this.#options.onUnloadRefused();
          }
          await devTools.send('Page.handleJavaScriptDialog', { accept: event.defaultPrevented }, sessionId);
        }
        break;
      case 'Debugger.paused':
        await this.#fillInPath(params, sessionId);
        break;
      case 'Fetch.requestPaused':
        await this.#documentRequested(params, sessionId);
        break;
    }
  }

  /** Chromium knows the path of a user's file, and tells it to the debugger of the page. */
  async #fillInPath(params: Record<string, unknown>, sessionId: string): Promise<void> {
    const send = (method: string, more?: object) => this.#options.devTools.send(method, more, sessionId);
    const [frame] = params['callFrames'] as { callFrameId: string }[];
    const evaluate = (expression: string) =>
      send('Debugger.evaluateOnCallFrame', { callFrameId: frame?.callFrameId, expression });
    try {
      const { result } = (await evaluate('_file')) as { result: { objectId: string } };
      const { path } = (await send('DOM.getFileInfo', { objectId: result.objectId })) as { path: string };
      await evaluate(`path = ${JSON.stringify(path)}`);
    } finally {
      await send('Debugger.resume');
    }
  }

  async #documentRequested(params: Record<string, unknown>, sessionId: string): Promise<void> {
    const { url } = params['request'] as { url: string };
    const isRedirect = params['redirectedRequestId'] !== undefined;
    const event = preventableEvent({ url });
    // Electron does not ask about navigations that the main process starts.
    if (isRedirect) this.emit('will-redirect', event);
    else if (!this.#ownNavigations.delete(url)) this.emit('will-navigate', event);
    const requestId = params['requestId'];
    const { devTools } = this.#options;
    if (event.defaultPrevented) {
      await devTools.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, sessionId);
    } else await devTools.send('Fetch.continueRequest', { requestId }, sessionId);
  }

  async #bindingCalled(
    { name, payload, executionContextId }: { name: string; payload: string; executionContextId: number },
    sessionId: string,
  ): Promise<void> {
    if (name === bindings.open) {
      this.#openHandler({ url: payload });
      return;
    }
    const { id, channel, args } = JSON.parse(payload) as { id: number; channel: string; args: unknown[] };
    const [ok, value] = await this.#invoke(channel, args);
    const expression = `${bindings.receiver}.settle(${id}, ${ok}, ${JSON.stringify(value ?? null)})`;
    await this.#options.devTools.send('Runtime.evaluate', { expression, contextId: executionContextId }, sessionId);
  }

  async #invoke(channel: string, args: unknown[]): Promise<[boolean, unknown]> {
    const handler = this.#options.handlers.get(channel);
    if (handler === undefined) return [false, `No handler registered for '${channel}'`];
    try {
      return [true, await handler({ sender: this, senderFrame: this.mainFrame }, ...args)];
    } catch (error) {
      return [false, `Error invoking remote method '${channel}': ${String(error)}`];
    }
  }

  /** Another page that Chromium opened, for example for a link with a target: the handler decides. */
  #guardNewTarget({ params }: DevToolsEvent): void {
    const info = params['targetInfo'] as { targetId: string; type: string; url: string; openerId?: string };
    if (info.type !== 'page' || info.openerId === undefined || info.targetId === this.#targetId) return;
    const { action } = this.#openHandler({ url: info.url });
    if (action === 'deny') void this.#options.devTools.send('Target.closeTarget', { targetId: info.targetId });
  }

  #closed(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.emit('destroyed');
    this.#options.onClosed();
  }

  async loadURL(url: string): Promise<void> {
    const { sessionId } = await this.#target;
    const loaded = new Promise<void>((resolve) => this.once('did-finish-load', () => resolve()));
    this.#ownNavigations.add(url);
    const { errorText } = await this.#options.devTools.send('Page.navigate', { url }, sessionId);
    if (errorText !== undefined) throw new Error(`${String(errorText)} loading '${url}'`);
    await loaded;
  }

  send(channel: string, ...args: unknown[]): void {
    void this.#target.then(({ sessionId }) => {
      if (this.#preloadContext === null) return undefined;
      const expression = `${bindings.receiver}.receive(${JSON.stringify(channel)}, ${JSON.stringify(args)})`;
      return this.#options.devTools.send(
        'Runtime.evaluate',
        { expression, contextId: this.#preloadContext },
        sessionId,
      );
    });
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }

  /** Chromium ended: after its last page, which may be unreported, or during an open page. */
  chromiumEnded(): void {
    if (this.#closing) this.#closed();
    else this.emit('render-process-gone', {}, { reason: 'killed' });
  }

  /** Runs the page's `beforeunload`, which may keep it open. */
  close(): void {
    this.#closing = true;
    void this.#target.then(({ sessionId }) => this.#options.devTools.send('Page.close', {}, sessionId));
  }

  destroy(): void {
    void this.#options.devTools.send('Target.closeTarget', { targetId: this.#targetId });
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  getURL(): string {
    return this.mainFrame.url;
  }

  getLastWebPreferences(): WebPreferences {
    return this.#options.preferences;
  }

  get devToolsTargetId(): string {
    return this.#targetId;
  }
}
