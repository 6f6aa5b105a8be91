import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSandbox } from '../platform/sandbox.ts';
import { openWorkbenchSettings } from '../platform/settings.ts';
import { createFormatCatalog, type FormatCatalog, loadBuiltIn } from './format-catalog.ts';
import { type BrokenPlugin, createUserFormats } from './user-plugins/user-formats.ts';

interface InstalledFormatsOptions {
  readonly dataDirectory: string;
  /** Entry of the worker threads. The entry of the plug-in processes is in the same folder. */
  readonly workerUrl: URL;
  /** Called once for each plug-in that cannot be used. */
  readonly onBroken?: (plugin: BrokenPlugin) => void;
}

/** Formats of this installation: built-in, and from the plug-in folders. */
export function createInstalledFormats({ dataDirectory, workerUrl, onBroken }: InstalledFormatsOptions): FormatCatalog {
  return createFormatCatalog(
    createUserFormats({
      folders: () => pluginFolders(dataDirectory),
      sandbox: () => findSandbox(pluginHostFile(workerUrl), pluginLimits()),
      builtIn: loadBuiltIn,
      onBroken,
    }),
  );
}

/** Entry of the plug-in processes. It is beside the worker's entry in the sources and in the build. */
function pluginHostFile(workerUrl: URL): string {
  const worker = fileURLToPath(workerUrl);
  return worker.replace(/worker(\.[a-z]+)$/, 'plugin-host$1');
}

/** Plug-in folders: `formats` of the data directory, `formatsFolder` of its `settings.json`, and LIMNER_FORMATS_DIR. */
function pluginFolders(dataDirectory: string): readonly string[] {
  const named = openWorkbenchSettings(dataDirectory).get('formatsFolder');
  const fromEnvironment = process.env['LIMNER_FORMATS_DIR'];
  return [join(dataDirectory, 'formats'), named, fromEnvironment].filter(
    (folder): folder is string => folder !== null && folder !== undefined && folder !== '',
  );
}

/** Limits from the environment: LIMNER_PLUGIN_MEMORY_MIB and LIMNER_PLUGIN_SILENCE_SECONDS. */
function pluginLimits(): { memoryMiB?: number; silenceMs?: number } {
  const memoryMiB = Number(process.env['LIMNER_PLUGIN_MEMORY_MIB']);
  const silenceSeconds = Number(process.env['LIMNER_PLUGIN_SILENCE_SECONDS']);
  return {
    memoryMiB: memoryMiB >= 64 ? memoryMiB : undefined,
    silenceMs: silenceSeconds > 0 ? silenceSeconds * 1000 : undefined,
  };
}
