import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openWorkbenchSettings } from '../../platform/settings.ts';

/** The entry of plug-ins' processes lies beside the worker threads' own, in the sources and in the build. */
export function pluginHostFile(workerUrl: URL): string {
  const worker = fileURLToPath(workerUrl);
  return worker.replace(/worker(\.[a-z]+)$/, 'plugin-host$1');
}

/**
 * Folders with plug-ins: `formats` of the data directory, the one that `formatsFolder` of its `settings.json` names,
 * and the one in LIMNER_FORMATS_DIR.
 */
export function pluginFolders(dataDirectory: string): readonly string[] {
  const named = openWorkbenchSettings(dataDirectory).get('formatsFolder');
  const fromEnvironment = process.env['LIMNER_FORMATS_DIR'];
  return [join(dataDirectory, 'formats'), named, fromEnvironment].filter(
    (folder): folder is string => folder !== null && folder !== undefined && folder !== '',
  );
}

/** Limits that the environment changes: LIMNER_PLUGIN_MEMORY_MIB and LIMNER_PLUGIN_SILENCE_SECONDS. */
export function pluginLimits(): { memoryMiB?: number; silenceMs?: number } {
  const memoryMiB = Number(process.env['LIMNER_PLUGIN_MEMORY_MIB']);
  const silenceSeconds = Number(process.env['LIMNER_PLUGIN_SILENCE_SECONDS']);
  return {
    ...(memoryMiB >= 64 ? { memoryMiB } : {}),
    ...(silenceSeconds > 0 ? { silenceMs: silenceSeconds * 1000 } : {}),
  };
}
