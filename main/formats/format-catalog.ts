import type { FormatOptions } from '../../preload/contract/schema/formats.ts';
import type { PluginReference } from './user-plugins/plugin-format.ts';
import type { BrokenPlugin, UserFormats } from './user-plugins/user-formats.ts';
import type { FormatDescription, ListedFormats, ObjectKind, SourceFile, SupportTable } from './kit/plugin.ts';
import type { FormatCandidate } from './kit/detection.ts';
import { detectPluginFormats } from './user-plugins/plugin-detection.ts';

export interface KnownFormat {
  readonly display_name: string;
  readonly ext: string;
  readonly isSequence: boolean;
  readonly lacksSubsets: boolean;
  readonly numbersClasses: boolean;
  /** Kinds of objects that the format supports, if it declares them. */
  readonly support: SupportTable | undefined;
}

/** Built-in formats and those of the user's plug-ins. */
export interface FormatCatalog {
  importer(name: string): Promise<KnownFormat | undefined>;
  exporter(name: string): Promise<KnownFormat | undefined>;
  /** Current plug-in reference for a worker thread; undefined for built-in formats. */
  importerPlugin(name: string): Promise<PluginReference | undefined>;
  exporterPlugin(name: string): Promise<PluginReference | undefined>;
  /** Searches for plug-ins again and loads the built-in formats. Never fails. */
  refresh(): Promise<void>;
  /** Refreshes after the first page, from which loading the formats would take the main thread. */
  refreshLater(): void;
  list(): Promise<ListedFormats & { readonly broken: readonly BrokenPlugin[] }>;
  described(): Promise<FormatOptions>;
  /** Candidate formats of a file, most likely first, by content and by the plug-ins' detection. */
  detect(file: SourceFile): Promise<FormatCandidate[]>;
  /** True during the first search for plug-ins. */
  readonly isLooking: boolean;
}

function known(format: Pick<FormatDescription, keyof KnownFormat> | undefined): KnownFormat | undefined {
  if (!format) return undefined;
  const { display_name, ext, isSequence = false, lacksSubsets = false, numbersClasses = false, support } = format;
  return { display_name, ext, isSequence, lacksSubsets, numbersClasses, support };
}

/** Kinds of objects that the format exports, unchanged or converted. */
function supportedKinds(support: SupportTable): ObjectKind[] {
  // All keys are object kinds.
  return (Object.keys(support) as ObjectKind[]).filter((kind) => support[kind] !== undefined);
}

function describedFormat(format: FormatDescription): FormatOptions['importers'][number] {
  const { display_name: name, ext, support, options = [], isSequence = false, numbersClasses = false } = format;
  return {
    name,
    ext,
    masks: support ? support.mask !== undefined : null,
    stills: support ? !isSequence : null,
    carries: support ? supportedKinds(support) : null,
    numbers_classes: numbersClasses,
    options: [...options],
  };
}

/** A request that needs the formats earlier loads them. */
const refreshAfterMs = 3000;

/** Loads the built-in formats on first use: they are a quarter of the code, and the start needs none. */
export const loadBuiltIn = async () => (await import('./registry.ts')).builtInFormats;

/** @param userFormats without them: the built-in formats only */
export function createFormatCatalog(userFormats?: UserFormats): FormatCatalog {
  return {
    importer: async (name) => known((await loadBuiltIn()).findImporter(name) ?? userFormats?.findImporter(name)),
    exporter: async (name) => known((await loadBuiltIn()).findExporter(name) ?? userFormats?.findExporter(name)),
    async importerPlugin(name) {
      if ((await loadBuiltIn()).findImporter(name)) return undefined;
      await userFormats?.refresh();
      return userFormats?.findImporter(name);
    },
    async exporterPlugin(name) {
      if ((await loadBuiltIn()).findExporter(name)) return undefined;
      await userFormats?.refresh();
      return userFormats?.findExporter(name);
    },
    async refresh() {
      // A load error is reported to the first caller that needs a format.
      await Promise.all([userFormats?.refresh(), loadBuiltIn().catch(() => undefined)]);
    },
    refreshLater() {
      setTimeout(() => void this.refresh(), refreshAfterMs).unref();
    },
    get isLooking() {
      return userFormats?.isLooking ?? false;
    },
    async detect(file) {
      // Content that cannot be opened matches no built-in format, but a plug-in may still recognize it.
      const { detectFormat } = await loadBuiltIn();
      const builtIn = await detectFormat(file).catch((): FormatCandidate[] => []);
      await userFormats?.refresh();
      const brought = await detectPluginFormats(file, userFormats?.references().importers ?? []);
      return [...builtIn, ...brought].toSorted((a, b) => b.confidence - a.confidence);
    },
    async described() {
      const { importers, exporters } = await loadBuiltIn();
      const brought = userFormats?.references();
      return {
        importers: [...importers, ...(brought?.importers ?? [])].map(describedFormat),
        exporters: [...exporters, ...(brought?.exporters ?? [])].map(describedFormat),
        broken: [...(userFormats?.list().broken ?? [])],
      };
    },
    async list() {
      const builtIn = (await loadBuiltIn()).listFormats();
      const brought = userFormats?.list();
      return {
        importers: [...builtIn.importers, ...(brought?.importers ?? [])],
        exporters: [...builtIn.exporters, ...(brought?.exporters ?? [])],
        broken: brought?.broken ?? [],
      };
    },
  };
}
