import { z } from 'zod';
import { listedFormat, type ListedFormats } from '../kit/plugin.ts';
import type { PluginReference } from './plugin-format.ts';
import { findPlugins, type FoundPlugin } from './plugin-folder.ts';
import { runPluginProcess } from './plugin-process.ts';
import { type DescribedFormat, describedSchema } from './messages.ts';
import type { Sandbox } from '../../platform/sandbox.ts';

/** A plug-in that provides no formats or only some, and the reason. */
export interface BrokenPlugin {
  readonly file: string;
  readonly reason: string;
}

export interface ListedUserFormats extends ListedFormats {
  readonly broken: readonly BrokenPlugin[];
}

/** Formats of the user's plug-ins: modules in folders, each run in a separate process. */
export interface UserFormats {
  /** Scans the folders; unchanged modules are not loaded again. Never fails. */
  refresh(): Promise<void>;
  list(): ListedUserFormats;
  references(): { readonly importers: readonly PluginReference[]; readonly exporters: readonly PluginReference[] };
  findImporter(name: string): PluginReference | undefined;
  findExporter(name: string): PluginReference | undefined;
  /** True during the first scan, when a missing format may still appear. */
  readonly isLooking: boolean;
}

interface BuiltIn {
  findImporter(name: string): object | undefined;
  findExporter(name: string): object | undefined;
}

export interface UserFormatsOptions {
  readonly folders: () => readonly string[];
  /** Null if no Node is available to run plug-ins. */
  readonly sandbox: () => Sandbox | null;
  /** Built-in formats, whose names are taken. Only called if there are plug-ins. */
  readonly builtIn: () => Promise<BuiltIn>;
  readonly onBroken?: (plugin: BrokenPlugin) => void;
}

interface Described {
  readonly signature: string;
  readonly formats: readonly DescribedFormat[];
  readonly reason: string | null;
}

interface Found {
  readonly importers: ReadonlyMap<string, PluginReference>;
  readonly exporters: ReadonlyMap<string, PluginReference>;
  readonly broken: readonly BrokenPlugin[];
}

const none: Found = { importers: new Map(), exporters: new Map(), broken: [] };

const keyOf = (name: string) => name.trim().toLowerCase();
const noNode = 'Plug-ins need Node, which was not found. Install Node 24 or later, or set LIMNER_NODE.';

/** Loads a module in a separate process to get the formats that it registers. */
async function describePlugin(plugin: FoundPlugin, sandbox: Sandbox): Promise<Described> {
  const { file, readable, signature } = plugin;
  let formats: readonly DescribedFormat[] = [];
  try {
    await runPluginProcess({
      sandbox,
      module: file,
      start: { command: 'describe', module: file },
      grants: { read: readable, write: [] },
      kept: 'Its formats are not available.',
      onFrame({ message }) {
        const { say, formats: said } = (message ?? {}) as { say?: unknown; formats?: unknown };
        if (say === 'done') return 'done';
        if (say === 'described') formats = describedSchema.parse(said);
        return undefined;
      },
    });
  } catch (error) {
    return { signature, formats: [], reason: sentenceOf(error) };
  }
  const reason = formats.length === 0 ? 'It exports neither an importer nor an exporter.' : null;
  return { signature, formats, reason };
}

function sentenceOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return `Its registration is invalid: ${issue?.path.slice(1).join('.')} ${issue?.message}.`;
  }
  return error instanceof Error ? error.message : String(error);
}

export function createUserFormats({ folders, sandbox, builtIn, onBroken }: UserFormatsOptions): UserFormats {
  let described = new Map<string, Described>();
  let found = none;
  let looking: Promise<void> | null = null;
  let isFirst = true;
  let usedSandbox: Sandbox | null = null;
  const told = new Set<string>();

  async function look(): Promise<void> {
    const plugins: FoundPlugin[] = [];
    for (const folder of new Set(folders())) plugins.push(...(await findPlugins(folder)));
    if (plugins.length > 0) usedSandbox ??= sandbox();
    const next = new Map<string, Described>();
    for (const plugin of plugins) {
      const before = described.get(plugin.file);
      if (plugin.problem !== null) next.set(plugin.file, { signature: '', formats: [], reason: plugin.problem });
      else if (!usedSandbox) next.set(plugin.file, { signature: '', formats: [], reason: noNode });
      else if (before?.signature === plugin.signature) next.set(plugin.file, before);
      else next.set(plugin.file, await describePlugin(plugin, usedSandbox));
    }
    described = next;
    found = plugins.length === 0 ? none : collect(plugins, next, usedSandbox, await builtIn());
    for (const plugin of found.broken) {
      const key = `${plugin.file}\0${plugin.reason}`;
      if (!told.has(key)) onBroken?.(plugin);
      told.add(key);
    }
  }

  return {
    get isLooking() {
      return isFirst && looking !== null;
    },
    refresh() {
      looking ??= look()
        .catch(() => undefined)
        .finally(() => {
          looking = null;
          isFirst = false;
        });
      return looking;
    },
    list: () => ({
      importers: [...found.importers.values()].map(listedFormat),
      exporters: [...found.exporters.values()].map(listedFormat),
      broken: found.broken,
    }),
    references: () => ({ importers: [...found.importers.values()], exporters: [...found.exporters.values()] }),
    findImporter: (name) => found.importers.get(keyOf(name)),
    findExporter: (name) => found.exporters.get(keyOf(name)),
  };
}

function collect(
  plugins: readonly FoundPlugin[],
  described: ReadonlyMap<string, Described>,
  sandbox: Sandbox | null,
  builtIn: BuiltIn,
): Found {
  const importers = new Map<string, PluginReference>();
  const exporters = new Map<string, PluginReference>();
  const broken: BrokenPlugin[] = [];
  for (const { file, readable } of plugins) {
    const { formats, reason } = described.get(file) ?? { formats: [], reason: null };
    if (reason !== null) broken.push({ file, reason });
    for (const format of sandbox ? formats : []) {
      const key = keyOf(format.display_name);
      const table = format.kind === 'importer' ? importers : exporters;
      const isBuiltIn = format.kind === 'importer' ? builtIn.findImporter(key) : builtIn.findExporter(key);
      const holder = isBuiltIn ? 'Limner itself' : table.get(key)?.module;
      if (holder === undefined) table.set(key, { ...format, module: file, readable, sandbox: sandbox as Sandbox });
      else
        broken.push({
          file,
          reason: `The name "${format.display_name}" of its ${format.kind} is already used by ${holder}.`,
        });
    }
  }
  return { importers, exporters, broken };
}
