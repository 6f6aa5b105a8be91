import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createZipWriter } from '../../io/zip-writer.ts';
import {
  exporter,
  type ExportOptions,
  importer,
  type ImportOptions,
  type RegisteredExporter,
  type RegisteredImporter,
  type SourceFile,
} from '../../kit/plugin.ts';
import type { FormatReport } from '../../kit/report.ts';
import type { DescribedFormat, StartMessage } from '../messages.ts';
import { type Batches, createBatches, createRemoteTask } from './remote-task.ts';
import { openChannel, type Channel } from './channel.ts';
import { installModuleRules, lockDown } from './lock-down.ts';

type Registered = (Omit<RegisteredImporter, 'detect'> | Omit<RegisteredExporter, 'detect'>) & {
  /** A user's plug-in opens the file itself. */
  readonly detect?: (file_object: SourceFile) => unknown;
};

function isRegistered(value: unknown): value is Registered {
  const { kind, run } = (value ?? {}) as Partial<Registered>;
  return (kind === 'importer' || kind === 'exporter') && typeof run === 'function';
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 2000);

/** Importers and exporters that a module exports under any name. */
async function loadFormats(file: string): Promise<Registered[]> {
  const module = (await import(isAbsolute(file) ? pathToFileURL(file).href : file)) as Record<string, unknown>;
  return Object.values(module).filter(isRegistered);
}

function described(format: Registered): DescribedFormat {
  const { kind, name, version, ext, display_name, dimension, enabled, options = [], detect } = format;
  const detects = kind === 'importer' && detect !== undefined;
  return { kind, name, version, ext, display_name, dimension, enabled, options: [...options], detects };
}

async function detectFormat(
  { module, format, file }: Extract<StartMessage, { command: 'detect' }>,
  channel: Channel,
): Promise<void> {
  const formats = await loadFormats(module);
  const importer = formats.find(({ kind, display_name }) => kind === 'importer' && display_name === format);
  channel.say({ say: 'detected', found: (await importer?.detect?.(file)) ?? null });
}

/** Limner counts imported objects itself, so an importer's own counts are not sent. */
function createRemoteReport(command: 'import' | 'export', batches: Batches): FormatReport {
  return {
    included(type, label, count = 1) {
      if (command === 'export') batches.report(['included', type, label, count]);
    },
    dropped: (type, label, rule, count = 1) => batches.report(['dropped', type, label, rule, count]),
    invalid: (file, at, reason) => batches.report(['invalid', file, at, reason]),
    warn: (message) => batches.report(['warn', message]),
    summary: () => ({ included: [], dropped: [], invalid: [], invalidCount: 0, warnings: [] }),
  };
}

const progressIntervalMs = 50;

async function runFormat(
  start: Extract<StartMessage, { command: 'import' | 'export' }>,
  channel: Channel,
): Promise<void> {
  const formats = await loadFormats(start.module);
  const kind = start.command === 'import' ? 'importer' : 'exporter';
  const format = formats.find((one) => one.kind === kind && one.display_name === start.format);
  if (!format) throw new Error(`The module no longer registers the ${kind} "${start.format}".`);
  const batches = createBatches(channel);
  const task = createRemoteTask(start, channel, batches);
  let saidMs = 0;
  const options = {
    ...start.options,
    report: createRemoteReport(start.command, batches),
    // Cancelling a run ends its process.
    signal: new AbortController().signal,
    progress(fraction: number) {
      const now = Date.now();
      if (now - saidMs < progressIntervalMs) return;
      saidMs = now;
      batches.flush();
      channel.say({ say: 'progress', fraction });
    },
  };
  // Limner sends the complete options for both kinds.
  await (format.kind === 'importer'
    ? format.run(start.file, task, options as unknown as ImportOptions)
    : format.run(start.file, task, options as unknown as ExportOptions));
  batches.flush();
}

/** Main function of a plug-in's process: handles one command and exits. */
export async function runPlugin(): Promise<void> {
  const channel = openChannel();
  const start = channel.receive().message as StartMessage;
  lockDown();
  installModuleRules({ importer, exporter, createZipWriter });
  try {
    if (start.command === 'describe') {
      channel.say({ say: 'described', formats: (await loadFormats(start.module)).map(described) });
    } else if (start.command === 'detect') {
      await detectFormat(start, channel);
    } else {
      await runFormat(start, channel);
    }
    channel.say({ say: 'done' });
  } catch (error) {
    channel.say({ say: 'failed', message: sentenceOf(error) });
  }
  process.exit(0);
}
