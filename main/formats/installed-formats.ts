import { createFormatCatalog, type FormatCatalog, loadBuiltIn } from './format-catalog.ts';
import { pluginFolders, pluginHostFile, pluginLimits } from './user-plugins/plugin-places.ts';
import { findSandbox } from '../platform/sandbox.ts';
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
