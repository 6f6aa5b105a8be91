import { EventEmitter } from 'node:events';
import { preventableEvent } from './preventable-event.ts';
import type { StandInWebContents, WebPreferences } from './web-contents.ts';

interface WindowOptions {
  readonly width?: number;
  readonly height?: number;
  readonly show?: boolean;
  readonly title?: string;
  readonly backgroundColor?: string;
  readonly webPreferences?: WebPreferences;
}

export interface WindowHost {
  createContents(preferences: WebPreferences, onClosed: () => void): StandInWebContents;
  opened(window: StandInWindow): void;
  closed(window: StandInWindow): void;
  all(): readonly StandInWindow[];
}

let host: WindowHost | null = null;
export function connectWindowHost(value: WindowHost): void {
  host = value;
}

function connectedHost(): WindowHost {
  if (host === null) throw new Error('Cannot create a BrowserWindow before the app is ready');
  return host;
}

/** The part of Electron's BrowserWindow that the shell and the tests use. */
export class StandInWindow extends EventEmitter {
  readonly webContents: StandInWebContents;
  #options: WindowOptions;
  #destroyed = false;
  #visible: boolean;
  #background: string;

  constructor(options: WindowOptions = {}) {
    super();
    this.#options = options;
    this.#visible = options.show ?? true;
    this.#background = options.backgroundColor ?? '#ffffff';
    this.webContents = connectedHost().createContents(options.webPreferences ?? {}, () => this.#closed());
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'));
    connectedHost().opened(this);
  }

  static getAllWindows(): readonly StandInWindow[] {
    return connectedHost().all();
  }

  static fromWebContents(contents: StandInWebContents | null): StandInWindow | null {
    return StandInWindow.getAllWindows().find((window) => window.webContents === contents) ?? null;
  }

  #closed(): void {
    this.#destroyed = true;
    this.emit('closed');
    connectedHost().closed(this);
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }

  close(): void {
    const event = preventableEvent({});
    this.emit('close', event);
    if (!event.defaultPrevented) this.webContents.close();
  }

  destroy(): void {
    this.webContents.destroy();
  }

  show(): void {
    this.#visible = true;
    this.emit('show');
  }

  isVisible(): boolean {
    return this.#visible;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  getTitle(): string {
    return this.#options.title ?? '';
  }

  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    return { x: 0, y: 0, width: this.#options.width ?? 800, height: this.#options.height ?? 600 };
  }

  setBackgroundColor(color: string): void {
    this.#background = color;
  }

  getBackgroundColor(): string {
    return this.#background;
  }

  maximize(): void {}
  restore(): void {}
  focus(): void {}
  isMaximized(): boolean {
    return false;
  }
  isMinimized(): boolean {
    return false;
  }
}
