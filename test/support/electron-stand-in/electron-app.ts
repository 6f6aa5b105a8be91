import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { preventableEvent } from './preventable-event.ts';

/** The part of Electron's `app` that the shell and the tests use. */
export class StandInApp extends EventEmitter {
  readonly isPackaged = false;
  #name = 'Electron';
  #userData: string | null = null;
  #ready: Promise<void>;
  #closeWindows: () => void = () => undefined;
  #countWindows: () => number = () => 0;
  #quitting = false;

  constructor(ready: Promise<void>, userData: string | null) {
    super();
    this.#ready = ready;
    this.#userData = userData;
    void ready.then(() => this.emit('ready'));
  }

  connectWindows(closeAll: () => void, count: () => number): void {
    this.#closeWindows = closeAll;
    this.#countWindows = count;
  }

  /** Called when a window is gone. */
  windowClosed(): void {
    if (this.#countWindows() > 0) return;
    if (this.#quitting) this.#finishQuit();
    else if (!this.emit('window-all-closed')) this.quit();
  }

  whenReady(): Promise<void> {
    return this.#ready;
  }

  quit(): void {
    const event = preventableEvent({});
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    this.#quitting = true;
    if (this.#countWindows() === 0) this.#finishQuit();
    else this.#closeWindows();
  }

  /** A page that refuses to unload keeps the program open. */
  quitRefused(): void {
    this.#quitting = false;
  }

  #finishQuit(): void {
    const event = preventableEvent({});
    this.emit('will-quit', event);
    if (event.defaultPrevented) return;
    this.emit('quit', {}, 0);
    process.exit(0);
  }

  exit(code = 0): void {
    this.emit('quit', {}, code);
    process.exit(code);
  }

  setName(name: string): void {
    this.#name = name;
  }

  getName(): string {
    return this.#name;
  }

  getVersion(): string {
    return '0.0.0';
  }

  getPath(name: string): string {
    const userData = this.#userData ?? join(homedir(), '.config', this.#name);
    const folder = name === 'userData' ? userData : join(userData, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  setPath(name: string, path: string): void {
    if (name === 'userData') this.#userData = path;
  }

  getLocale(): string {
    return 'en-GB';
  }

  /** A file with the number of the process that holds it. The first one is not told of a second, as Electron would. */
  requestSingleInstanceLock(): boolean {
    const file = join(this.getPath('userData'), 'stand-in.lock');
    try {
      process.kill(Number(readFileSync(file, 'utf8')), 0);
      return false;
    } catch {
      writeFileSync(file, String(process.pid));
      return true;
    }
  }

  enableSandbox(): void {}
  setAboutPanelOptions(): void {}
  showAboutPanel(): void {}
  addRecentDocument(): void {}
}
