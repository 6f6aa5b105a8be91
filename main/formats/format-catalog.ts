import type { FormatOptions } from '../../preload/contract/schema/formats.ts';
import type { PluginReference } from './user-plugins/plugin-format.ts';
import type { BrokenPlugin, UserFormats } from './user-plugins/user-formats.ts';
import type { FormatDescription, ListedFormats, ObjectKind, SourceFile, SupportTable } from './kit/plugin.ts';
import type { FormatCandidate } from './kit/detection.ts';
import { detectPluginFormats } from './user-plugins/plugin-detection.ts';

/** A format that a request may name. */
export interface KnownFormat {
  readonly display_name: string;
  readonly ext: string;
  readonly isSequence: boolean;
  readonly lacksSubsets: boolean;
  readonly numbersClasses: boolean;
  /** What the format carries, where it says. */
  readonly support: SupportTable | undefined;
}

/** The formats that are built in, and those of plug-ins that the person brought. */
export interface FormatCatalog {
  importer(name: string): Promise<KnownFormat | undefined>;
  exporter(name: string): Promise<KnownFormat | undefined>;
  /** What a thread needs to run a format that is not built in, as it is now. */
  importerPlugin(name: string): Promise<PluginReference | undefined>;
  exporterPlugin(name: string): Promise<PluginReference | undefined>;
  /** Looks for plug-ins anew, and has the built-in formats at hand. Never fails. */
  refresh(): Promise<void>;
  list(): Promise<ListedFormats & { readonly broken: readonly BrokenPlugin[] }>;
  /** The same formats with what may be chosen for each. */
  described(): Promise<FormatOptions>;
  /** The formats that a file may be in, the likeliest first: by its content, and by what plug-ins say of it. */
  detect(file: SourceFile): Promise<FormatCandidate[]>;
  /** True while plug-ins are looked for the first time. */
  readonly isLooking: boolean;
}

function known(format: Pick<FormatDescription, keyof KnownFormat> | undefined): KnownFormat | undefined {
  if (!format) return undefined;
  const { display_name, ext, isSequence = false, lacksSubsets = false, numbersClasses = false, support } = format;
  return { display_name, ext, isSequence, lacksSubsets, numbersClasses, support };
}

/** Kinds of objects that have a place in the format, as they are or as something else. */
function carriedKinds(support: SupportTable): ObjectKind[] {
  // Keys of a table of the kinds.
  return (Object.keys(support) as ObjectKind[]).filter((kind) => support[kind] !== undefined);
}

function describedFormat(format: FormatDescription): FormatOptions['importers'][number] {
  const { display_name: name, ext, support, options = [], isSequence = false, numbersClasses = false } = format;
  return {
    name,
    ext,
    masks: support ? support.mask !== undefined : null,
    stills: support ? !isSequence : null,
    carries: support ? carriedKinds(support) : null,
    numbers_classes: numbersClasses,
    options: [...options],
  };
}

/** Loaded when somebody asks for a format: all of them are a quarter of the program, and a start needs none. */
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
      // Whoever needs one of them is told why it cannot be loaded.
      await Promise.all([userFormats?.refresh(), loadBuiltIn().catch(() => undefined)]);
    },
    get isLooking() {
      return userFormats?.isLooking ?? false;
    },
    async detect(file) {
      // Content that cannot be opened has no candidates among the built-in formats; a plug-in may know it still.
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
