import { openSync, closeSync, writeSync, fstatSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { redact, redactText } from './redact.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log. Masks secrets in messages and fields before writing. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  child(fields: LogFields): Logger;
  /** Closes the file temporarily; the next line opens it in the folder's current location. */
  letGo(): void;
  /** Closes the file. Later lines still reach the console. */
  close(): void;
}

export interface LoggerOptions {
  /** Folder of `limner.log`; without it nothing is written to disk. */
  readonly directory?: string;
  /** Receives one line for people, without its line break. `null` keeps the console quiet. */
  readonly console?: ((line: string) => void) | null;
  readonly consoleLevel?: LogLevel;
  readonly fileLevel?: LogLevel;
  /** The file is rotated before it grows beyond this. */
  readonly maxSizeBytes?: number;
  /** Number of rotated files to keep: `limner.1.log` is the newest. */
  readonly keptFiles?: number;
  readonly now?: () => Date;
}

const rank: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

export function createLogger(options: LoggerOptions = {}): Logger {
  const {
    directory,
    console: writeConsole = (line: string) => process.stderr.write(`${line}\n`),
    consoleLevel = 'info',
    fileLevel = 'debug',
    now = () => new Date(),
  } = options;
  const file = directory === undefined ? null : openLogFile(directory, options);

  const make = (bound: LogFields): Logger => {
    const write = (level: LogLevel, message: string, fields: LogFields = {}): void => {
      const time = now();
      const safeMessage = redactText(message);
      const safeFields = redact({ ...bound, ...fields });
      if (file && rank[level] >= rank[fileLevel]) {
        file.append(`${toJson({ time: time.toISOString(), level, message: safeMessage, ...safeFields })}\n`);
      }
      if (writeConsole && rank[level] >= rank[consoleLevel]) {
        writeConsole(`${clock(time)} ${level.padEnd(5)} ${safeMessage}${humanFields(safeFields)}`);
      }
    };
    return {
      debug: (message, fields) => write('debug', message, fields),
      info: (message, fields) => write('info', message, fields),
      warn: (message, fields) => write('warn', message, fields),
      error: (message, fields) => write('error', message, fields),
      child: (fields) => make({ ...bound, ...fields }),
      letGo: () => file?.letGo(),
      close: () => file?.close(),
    };
  };
  return make({});
}

/** A logger for tests and libraries that writes nowhere. */
export function createSilentLogger(): Logger {
  return createLogger({ console: null });
}

function clock(time: Date): string {
  return time.toTimeString().slice(0, 8);
}

function humanFields(fields: LogFields): string {
  const parts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : toJson(value)}`);
  return parts.length === 0 ? '' : ` (${parts.join(' ')})`;
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? String(item) : item)) ?? 'null';
  } catch {
    return '"[not representable]"';
  }
}

interface LogFile {
  append(line: string): void;
  letGo(): void;
  close(): void;
}

/**
 * Writes each line with one system call, so that a killed process leaves complete lines. Not synced: a power failure
 * may lose the last lines.
 */
function openLogFile(directory: string, options: LoggerOptions): LogFile {
  const { maxSizeBytes = 5 * 1024 * 1024, keptFiles = 4 } = options;
  const path = (index: number): string => join(directory, index === 0 ? 'limner.log' : `limner.${index}.log`);
  let descriptor: number | null = null;
  let sizeBytes = 0;

  const open = (): void => {
    makeFolder(directory);
    descriptor = openSync(path(0), 'a', 0o600);
    sizeBytes = fstatSync(descriptor).size;
  };
  const close = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  const closeQuietly = (): void => {
    try {
      close();
    } catch {
      descriptor = null;
    }
  };
  const rotate = (): void => {
    close();
    rmSync(path(keptFiles), { force: true });
    for (let index = keptFiles - 1; index >= 0; index -= 1) {
      try {
        renameSync(path(index), path(index + 1));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    open();
  };

  let closed = false;
  return {
    append(line) {
      if (closed) return;
      const bytes = Buffer.from(line);
      // A full disk or a removed folder must never stop the program because of its log.
      try {
        if (descriptor === null) open();
        if (sizeBytes > 0 && sizeBytes + bytes.length > maxSizeBytes) rotate();
        if (descriptor !== null) sizeBytes += writeSync(descriptor, bytes);
      } catch {
        closeQuietly();
      }
    },
    letGo: closeQuietly,
    close() {
      closed = true;
      close();
    },
  };
}
