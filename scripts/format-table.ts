import type { ObjectKind, SupportTable } from '../main/formats/kit/plugin.ts';
import { createFormatRegistry } from '../main/formats/registry.ts';

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

/** The table of docs/formats.md, from the declarations of the plug-ins. */
export function formatTable(): string {
  const { importers, exporters } = createFormatRegistry();
  const formats = new Map<string, { reads: boolean; writes: boolean; support: SupportTable }>();
  const entry = (name: string) => formats.get(name) ?? { reads: false, writes: false, support: {} };
  for (const { display_name: name, support } of exporters) {
    formats.set(name, { ...entry(name), writes: true, support: support ?? {} });
  }
  for (const { display_name: name, support } of importers) {
    formats.set(name, { ...entry(name), reads: true, support: { ...support, ...entry(name).support } });
  }
  const rows = [...formats].map(([name, { reads, writes, support }]) => {
    const kinds = columns.map(([, kind]) => (support[kind] ? symbols[support[kind]] : ''));
    return `| ${[name, reads ? 'yes' : '', writes ? 'yes' : '', ...kinds].join(' | ')} |`;
  });
  const headings = ['Format', 'Import', 'Export', ...columns.map(([heading]) => heading)];
  return [`| ${headings.join(' | ')} |`, `|${headings.map(() => '---').join('|')}|`, ...rows].join('\n');
}

export function withFormatTable(page: string): string {
  return page.replace(/(<!-- formats -->\n)[\s\S]*?(\n<!-- \/formats -->)/, `$1${formatTable()}$2`);
}
