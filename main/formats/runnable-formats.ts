import type { RegisteredExporter, RegisteredImporter } from './kit/plugin.ts';
import { findExporter, findImporter } from './registry.ts';
import { pluginExporter, pluginImporter, type PluginReference } from './user-plugins/plugin-format.ts';

/** Importer for a worker thread: built-in, or a plug-in in its process. */
export function runnableImporter(name: string, plugin: PluginReference | undefined): RegisteredImporter | undefined {
  return plugin ? pluginImporter(plugin) : findImporter(name);
}

export function runnableExporter(name: string, plugin: PluginReference | undefined): RegisteredExporter | undefined {
  return plugin ? pluginExporter(plugin) : findExporter(name);
}
