import type {
  FormatOption,
  ObjectKind,
  ObjectSupport,
  RegisteredExporter,
  RegisteredImporter,
  SupportTable,
} from '../../main/formats/kit/plugin.ts';
import { createFormatRegistry } from '../../main/formats/registry.ts';
import { anchorOf } from '../../docs/.vitepress/anchor.ts';
import { cell, referencePage, table } from './page.ts';

const columns: readonly (readonly [heading: string, kind: ObjectKind])[] = [
  ['box', 'rectangle'],
  ['rotated box', 'rotated rectangle'],
  ['polygon', 'polygon'],
  ['polyline', 'polyline'],
  ['points', 'points'],
  ['ellipse', 'ellipse'],
  ['mask', 'mask'],
  ['cuboid', 'cuboid'],
  ['skeleton', 'skeleton'],
  ['tag', 'tag'],
  ['track', 'track'],
  ['attributes', 'attribute'],
];

const symbols = { both: '●', export: '→', import: '←', converted: '◐', partial: '◔' } as const;

interface FormatEntry {
  readonly importer?: RegisteredImporter;
  readonly exporter?: RegisteredExporter;
}

/** Importers and exporters by their visible names, in the order of the registry. */
function formatsByName(): ReadonlyMap<string, FormatEntry> {
  const { importers, exporters } = createFormatRegistry();
  const formats = new Map<string, FormatEntry>();
  for (const exporter of exporters) formats.set(exporter.display_name, { exporter });
  for (const importer of importers)
    formats.set(importer.display_name, { ...formats.get(importer.display_name), importer });
  return formats;
}

const supportOf = ({ importer, exporter }: FormatEntry): SupportTable => ({
  ...importer?.support,
  ...exporter?.support,
});

/** All formats, with what each carries. */
function formatTable(formats: ReadonlyMap<string, FormatEntry>): string {
  const rows = [...formats].map(([name, entry]) => {
    const support = supportOf(entry);
    const kinds = columns.map(([, kind]) => (support[kind] ? symbols[support[kind]] : ''));
    return [`[${name}](#${anchorOf(name)})`, entry.importer ? 'yes' : '', entry.exporter ? 'yes' : '', ...kinds];
  });
  return table(['Format', 'Import', 'Export', ...columns.map(([heading]) => heading)], rows);
}

const supportText: Readonly<Record<ObjectSupport, string>> = {
  both: 'Imports and exports',
  export: 'Exports only',
  import: 'Imports only',
  converted: 'Exports as another kind',
  partial: 'Carries in part',
};

function section(name: string, entry: FormatEntry): string[] {
  const support = supportOf(entry);
  const kinds = (Object.keys(supportText) as ObjectSupport[]).flatMap((one) => {
    const named = columns.filter(([, kind]) => support[kind] === one).map(([heading]) => heading);
    return named.length === 0 ? [] : [`- ${supportText[one]}: ${named.join(', ')}.`];
  });
  const files = [
    ...(entry.importer ? [`- Reads: ${entry.importer.ext}.`] : []),
    ...(entry.exporter ? [`- Writes: ${entry.exporter.ext}.`] : []),
    ...(entry.exporter?.isSequence ? ['- Frames are a sequence: an export has all of them.'] : []),
  ];
  return [
    `### ${name}`,
    [...files, ...kinds].join('\n'),
    ...optionParts('import', entry.importer?.options),
    ...optionParts('export', entry.exporter?.options),
  ];
}

function optionParts(when: string, options: readonly FormatOption[] = []): string[] {
  if (options.length === 0) return [];
  const rows = options.map((option) => [
    `\`${option.name}\``,
    cell(valuesOf(option)),
    cell(option.description === undefined ? option.title : `${option.title}. ${option.description}`),
  ]);
  return [table([`Option of the ${when}`, 'Values', 'Meaning'], rows)];
}

function valuesOf(option: FormatOption): string {
  if (option.kind === 'boolean') return `\`true\`, \`false\`; default: \`${option.default}\``;
  if (option.kind === 'number') {
    const range = `${option.minimum} to ${option.maximum}`;
    return option.default === undefined ? range : `${range}; default: ${option.default}`;
  }
  if (option.kind === 'text') return 'text';
  const [first] = option.choices;
  const choices = option.choices.map(({ value, title }) => (value === '' ? title : `\`${value}\` (${title})`));
  return `${choices.join(', ')}; default: ${first?.value === '' ? first.title : `\`${first?.value}\``}`;
}

export function formatsPage(): string {
  const formats = formatsByName();
  return referencePage({
    title: 'Formats',
    order: 2,
    source: 'the formats in main/formats',
    parts: [
      `Limner has ${formats.size} formats. An export is of a project, a task or a job. An import adds to a task or a ` +
        'job, or brings a dataset as a new task or into a project. Its report counts what was left out or changed.',
      '● import and export · → export only · ← import only · ◐ exported as another kind · ◔ in part · empty: left out',
      formatTable(formats),
      '## Formats and their options',
      'Dialogs ask for these options. On the command line they are `--option name=value`.',
      ...[...formats].flatMap(([name, entry]) => section(name, entry)),
    ],
  });
}
