import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSandbox } from '../platform/sandbox.ts';
import { openWorkbenchSettings } from '../platform/settings.ts';
import { createFormatCatalog, type FormatCatalog, loadBuiltIn } from './format-catalog.ts';
import { type BrokenPlugin, createUserFormats } from './user-plugins/user-formats.ts';

interface InstalledFormatsOptions {
  readonly dataDirectory: string;
  /** Entry of the worker threads: the one of plug-ins' processes lies beside it. */
  readonly workerUrl: URL;
  /** Told once of each plug-in that cannot be used. */
  readonly onBroken?: (plugin: BrokenPlugin) => void;
}

/** The formats of this installation: built in, and from the plug-in folders of a data directory. */
export function createInstalledFormats({ dataDirectory, workerUrl, onBroken }: InstalledFormatsOptions): FormatCatalog {
  return createFormatCatalog(
    createUserFormats({
      folders: () => pluginFolders(dataDirectory),
      sandbox: () => findSandbox(pluginHostFile(workerUrl), pluginLimits()),
      builtIn: loadBuiltIn,
      ...(onBroken ? { onBroken } : {}),
    }),
  );
}

/** The entry of plug-ins' processes lies beside the worker threads' own, in the sources and in the build. */
function pluginHostFile(workerUrl: URL): string {
  const worker = fileURLToPath(workerUrl);
  return worker.replace(/worker(\.[a-z]+)$/, 'plugin-host$1');
}

/**
 * Folders with plug-ins: `formats` of the data directory, the one that `formatsFolder` of its `settings.json` names,
 * and the one in LIMNER_FORMATS_DIR.
 */
function pluginFolders(dataDirectory: string): readonly string[] {
  const named = openWorkbenchSettings(dataDirectory).get('formatsFolder');
  const fromEnvironment = process.env['LIMNER_FORMATS_DIR'];
  return [join(dataDirectory, 'formats'), named, fromEnvironment].filter(
    (folder): folder is string => folder !== null && folder !== undefined && folder !== '',
  );
}

/** Limits that the environment changes: LIMNER_PLUGIN_MEMORY_MIB and LIMNER_PLUGIN_SILENCE_SECONDS. */
function pluginLimits(): { memoryMiB?: number; silenceMs?: number } {
  const memoryMiB = Number(process.env['LIMNER_PLUGIN_MEMORY_MIB']);
  const silenceSeconds = Number(process.env['LIMNER_PLUGIN_SILENCE_SECONDS']);
  return {
    ...(memoryMiB >= 64 ? { memoryMiB } : {}),
    ...(silenceSeconds > 0 ? { silenceMs: silenceSeconds * 1000 } : {}),
  };
}
