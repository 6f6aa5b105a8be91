import { stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type AnnotationAdder, createAnnotationAdder } from '../kit/add-annotation.ts';
import { ShapeError } from '../kit/frame-guard.ts';
import type { ExportOptions, FormatRun, ImportOptions, RegisteredExporter, RegisteredImporter } from '../kit/plugin.ts';
import type { FormatReport } from '../kit/report.ts';
import { withTidyNames } from '../kit/tidy-names.ts';
import type { TaskData } from '../kit/task-data.ts';
import { checkedLabel, checkedShape, checkedTag, checkedTrack } from './checked-objects.ts';
import type { Frame } from './message-frames.ts';
import type { DescribedFormat, StartMessage } from './messages.ts';
import { type Answer, pluginFault, runPluginProcess } from './plugin-process.ts';
import type { Sandbox } from '../../platform/sandbox.ts';
import { createTaskAnswers } from './task-answers.ts';

/** A plug-in's format and the data to run it. Serializable, because it is sent to worker threads. */
export interface PluginReference extends DescribedFormat {
  readonly module: string;
  /** Files and folders of the plug-in that its process may read. */
  readonly readable: readonly string[];
  readonly sandbox: Sandbox;
}

const kept = {
  import: 'Nothing was imported.',
  export: 'No file was written.',
} as const;

/** Serializable options: functions cannot be sent to a plug-in's process. */
function plainOptions(options: ImportOptions | ExportOptions): Record<string, unknown> {
  const { report: _report, signal: _signal, progress: _progress, ...rest } = options;
  return JSON.parse(JSON.stringify(rest)) as Record<string, unknown>;
}

interface Work {
  readonly reference: PluginReference;
  readonly command: 'import' | 'export';
  readonly file: { readonly path: string; readonly name: string };
  readonly task_data: TaskData;
  readonly options: ImportOptions | ExportOptions;
}

async function runFormat({ reference, command, file, task_data, options }: Work): Promise<void> {
  const { module, sandbox, readable } = reference;
  if (/[*\0]/.test(file.path)) throw pluginFault(module, 'cannot read a file whose path contains a *', kept[command]);
  const start: StartMessage = {
    command,
    module,
    format: reference.display_name,
    file,
    options: plainOptions(options),
    meta: task_data.meta,
    labels: task_data.meta.labels,
    frameCount: task_data.frame_count,
    takesLabels: task_data.declare_label !== undefined,
  };
  const conversation = createConversation({ command, file, task_data, options, module });
  try {
    await runPluginProcess({
      sandbox,
      module,
      start,
      grants: { read: [...readable, file.path], write: command === 'export' ? [file.path] : [] },
      kept: kept[command],
      signal: options.signal,
      tick: conversation.tick,
      onFrame: conversation.onFrame,
    });
  } finally {
    conversation.close();
  }
}

function createConversation({
  command,
  file,
  task_data: given,
  options,
  module,
}: Omit<Work, 'reference'> & { module: string }) {
  const task_data = withTidyNames(given);
  const report = createBoundedReport(options.report);
  const adder = createAnnotationAdder(task_data, report, file.name);
  let fraction = 0;
  let count = 0;
  const wrong = (what: string) => pluginFault(module, what, kept[command]);
  const answers = createTaskAnswers(task_data, wrong);

  async function addAll(items: unknown): Promise<void> {
    if (command !== 'import') throw wrong('is an exporter and tried to add objects');
    if (!Array.isArray(items)) throw wrong('sent an invalid message');
    for (const item of items as unknown[]) {
      if (!Array.isArray(item)) throw wrong('sent an invalid message');
      count += 1;
      addOne(item, count, adder, report, file.name);
    }
    await task_data.backpressure?.();
  }

  const statements: Readonly<Record<string, (message: Readonly<Record<string, unknown>>) => Promise<void> | void>> = {
    add: ({ items }) => addAll(items),
    report: ({ items }) => takeReport(items, report, command),
    label: ({ label }) => task_data.declare_label?.(checkedLabel(label)),
    progress(message) {
      const next = Number(message['fraction']);
      if (next >= 0 && next <= 1) fraction = next;
    },
  };

  return {
    /** Reporting progress also detects a cancelled request. */
    tick: () => options.progress(Math.min(0.999, fraction)),
    close: answers.closeAll,
    onFrame(frame: Frame): Promise<Answer | 'done' | undefined> | Answer | 'done' | undefined {
      const message = (frame.message ?? {}) as Readonly<Record<string, unknown>>;
      if ('ask' in message) return answers.answer(message);
      const { say } = message;
      if (say === 'done') return 'done';
      const take = typeof say === 'string' && Object.hasOwn(statements, say) ? statements[say] : undefined;
      if (!take) throw wrong('sent an invalid message');
      const taken = take(message);
      return taken?.then(() => undefined);
    },
  };
}

function addOne(
  [kind, item, at]: readonly unknown[],
  number: number,
  adder: AnnotationAdder,
  report: FormatReport,
  fileName: string,
): void {
  const place = typeof at === 'string' && at !== '' ? at.slice(0, 200) : `object ${number}`;
  try {
    if (kind === 'shape') adder.shape(checkedShape(item), place);
    else if (kind === 'track') adder.track(checkedTrack(item), place);
    else if (kind === 'tag') adder.tag(checkedTag(item), place);
    else throw new ShapeError('it is neither a shape nor a track nor a tag');
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    report.invalid(fileName, place, error.message);
  }
}

function takeReport(items: unknown, report: FormatReport, command: 'import' | 'export'): void {
  const text = (value: unknown) => String(value).slice(0, 500);
  const number = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 1);
  for (const item of Array.isArray(items) ? (items as unknown[]) : []) {
    const [kind, first, second, third, fourth] = Array.isArray(item) ? (item as unknown[]) : [];
    if (kind === 'included' && command === 'export') report.included(text(first), text(second), number(third));
    else if (kind === 'dropped') report.dropped(text(first), text(second), text(third), number(fourth));
    else if (kind === 'invalid') report.invalid(text(first), text(second), text(third));
    else if (kind === 'warn') report.warn(text(first));
  }
}

const maxDistinct = 2000;

/** Limits a report so that a plug-in cannot exhaust memory. */
function createBoundedReport(report: FormatReport): FormatReport {
  const seen = new Set<string>();
  const isNew = (key: string): boolean => {
    if (seen.has(key)) return true;
    if (seen.size >= maxDistinct) return false;
    seen.add(key);
    return true;
  };
  const others = 'other kinds than the first 2000';
  return {
    ...report,
    included(type, label, count) {
      if (isNew(`included ${type} ${label}`)) report.included(type, label, count);
      else report.included(type, others, count);
    },
    dropped(type, label, rule, count) {
      if (isNew(`lost ${type} ${label} ${rule}`)) report.dropped(type, label, rule, count);
      else report.dropped('object', others, 'The plug-in reported more rules than can be listed.', count);
    },
    warn(message) {
      if (isNew(`warn ${message}`)) report.warn(message);
    },
  };
}

/** Creates an importer that runs in a separate process. */
export function pluginImporter(reference: PluginReference): RegisteredImporter {
  return {
    ...descriptionOf(reference),
    kind: 'importer',
    run: (file, task_data, options) =>
      runFormat({ reference, command: 'import', file: { path: file.path, name: file.name }, task_data, options }),
  };
}

/** Creates an exporter that runs in a separate process and may write one file. */
export function pluginExporter(reference: PluginReference): RegisteredExporter {
  return {
    ...descriptionOf(reference),
    kind: 'exporter',
    async run({ path }, task_data, options) {
      // Permissions can only be granted for an existing file.
      await writeFile(path, '');
      const file = { path, name: basename(path) };
      await runFormat({ reference, command: 'export', file, task_data, options });
      await requireAccount(path, options);
    },
  };
}

async function requireAccount(path: string, { report }: FormatRun): Promise<void> {
  if ((await stat(path)).size === 0) report.warn('The plug-in wrote nothing: the file is empty.');
  const { included, dropped } = report.summary();
  if (included.length === 0 && dropped.length === 0) {
    report.warn('The plug-in did not report which objects it wrote or left out.');
  }
}

function descriptionOf({ name, version, ext, display_name, dimension, enabled, options }: PluginReference) {
  return { name, version, ext, display_name, dimension, enabled, options };
}
