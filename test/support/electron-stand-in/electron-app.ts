import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, renameSync, watch, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { preventableEvent } from './preventable-event.ts';

interface SecondStart {
  readonly argv: readonly string[];
  readonly workingDirectory: string;
  readonly additionalData: object;
}
const secondFile = 'stand-in.second';

/** Chromium passes switches first, including two that it adds, then words. A value is separate from its switch. */
function sortedByChromium([program = '', ...args]: readonly string[]): string[] {
  const switches = args.filter((argument) => argument.startsWith('-'));
  const words = args.filter((argument) => !argument.startsWith('-'));
  return [program, ...switches, '--allow-file-access-from-files', '--enable-sandbox', ...words];
}

export class StandInApp extends EventEmitter {
  readonly isPackaged = false;
  #name = 'Electron';
  #userData: string | null = null;
  #ready: Promise<void>;
  #isReady = false;
  #closeWindows: () => void = () => undefined;
  #countWindows: () => number = () => 0;
  #quitting = false;

  constructor(ready: Promise<void>, userData: string | null) {
    super();
    this.#ready = ready;
    this.#userData = userData;
    void ready.then(() => {
      this.#isReady = true;
      this.emit('ready');
    });
  }

  connectWindows(closeAll: () => void, count: () => number): void {
    this.#closeWindows = closeAll;
    this.#countWindows = count;
  }

  windowClosed(): void {
    if (this.#countWindows() > 0) return;
    if (this.#quitting) this.#finishQuit();
    else if (!this.emit('window-all-closed')) this.quit();
  }

  isReady(): boolean {
    return this.#isReady;
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

  /** The lock file contains the id of its process. A later process writes its command line beside that file. */
  requestSingleInstanceLock(additionalData: object = {}): boolean {
    const folder = this.getPath('userData');
    const file = join(folder, 'stand-in.lock');
    try {
      process.kill(Number(readFileSync(file, 'utf8')), 0);
    } catch {
      writeFileSync(file, String(process.pid));
      const watcher = watch(folder, (_change, name) => {
        if (name === secondFile) this.#tellOfSecond(join(folder, secondFile));
      });
      watcher.unref();
      return true;
    }
    const second: SecondStart = {
      argv: sortedByChromium(process.argv),
      workingDirectory: process.cwd(),
      additionalData,
    };
    writeFileSync(join(folder, `${secondFile}.new`), JSON.stringify(second));
    renameSync(join(folder, `${secondFile}.new`), join(folder, secondFile));
    return false;
  }

  #tellOfSecond(file: string): void {
    const { argv, workingDirectory, additionalData } = JSON.parse(readFileSync(file, 'utf8')) as SecondStart;
    this.emit('second-instance', {}, argv, workingDirectory, additionalData);
  }

  enableSandbox(): void {}
  setAboutPanelOptions(): void {}
  showAboutPanel(): void {}
  addRecentDocument(): void {}
}
