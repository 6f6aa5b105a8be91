import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { appendFile, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EventEmitter } from 'node:events';

/** Builds can write without end; the newest output is the useful one. */
const maxLogBytes = 4 * 1024 * 1024;
const maxLineLength = 4000;

export type DeployLogs = ReturnType<typeof createDeployLogs>;
export type DeployLogWriter = ReturnType<DeployLogs['open']>;

/**
 * One text file per function with the log of its last deployment. The file is not synced, so a power cut may lose its
 * end.
 */
export function createDeployLogs(directory: string) {
  const live = new EventEmitter().setMaxListeners(0);
  const running = new Set<string>();
  const fileOf = (name: string) => join(directory, `${name}.log`);

  return {
    /** Opens the log synchronously, so that later readers see only this deployment. */
    open(name: string) {
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        rmSync(fileOf(name), { force: true });
      } catch {
        // A full disk must not end a deployment because of its log.
      }
      running.add(name);
      let written = 0;
      let turn = Promise.resolve();
      return {
        write(line: string): void {
          const text = `${new Date().toISOString().slice(11, 19)} ${line.slice(0, maxLineLength)}\n`;
          live.emit(name, text);
          written += text.length;
          if (written > maxLogBytes) return;
          turn = turn.then(() => appendFile(fileOf(name), text, { mode: 0o600 })).catch(() => undefined);
        },
        async close(): Promise<void> {
          await turn;
          running.delete(name);
          live.emit(`${name} ended`);
        },
      };
    },
    read: (name: string): Promise<string> => readFile(fileOf(name), 'utf8').catch(() => ''),
    remove: (name: string): Promise<void> => rm(fileOf(name), { force: true }),
    /** Yields the stored lines, then new lines while a deployment runs. */
    async *follow(name: string, signal: AbortSignal): AsyncGenerator<string> {
      const waiting: string[] = [];
      let wake: () => void = () => undefined;
      let isOver = !running.has(name);
      const take = (text: string) => {
        waiting.push(text);
        wake();
      };
      const end = () => {
        isOver = true;
        wake();
      };
      live.on(name, take);
      live.once(`${name} ended`, end);
      signal.addEventListener('abort', end);
      try {
        if (await stat(fileOf(name)).catch(() => null)) {
          for await (const piece of createReadStream(fileOf(name), 'utf8')) yield String(piece);
        }
        for (;;) {
          while (waiting.length > 0) yield waiting.shift() ?? '';
          if (isOver || signal.aborted) return;
          await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        live.off(name, take);
        live.off(`${name} ended`, end);
        signal.removeEventListener('abort', end);
      }
    },
  };
}
