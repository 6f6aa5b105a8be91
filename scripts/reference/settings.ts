import { z } from 'zod';
import { defaultSettings, settingsFileSchema } from '../../preload/contract/settings-file.ts';
import { environmentVariables } from '../../main/platform/environment.ts';
import { cell, referencePage, table } from './page.ts';

interface Field {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Field[];
}

const groups = {
  computer: 'This computer',
  backup: 'Backups',
  webhooks: 'Webhooks',
} as const satisfies Record<keyof typeof settingsFileSchema.shape, string>;

function valuesOf(field: Field): string {
  if (field.anyOf) return field.anyOf.map(valuesOf).join(' or ');
  if (field.enum) return field.enum.map((value) => `\`${value}\``).join(', ');
  if (field.minimum !== undefined) return `${field.minimum} to ${field.maximum}`;
  return { boolean: '`true`, `false`', null: '`null`', string: 'text' }[field.type ?? ''] ?? field.type ?? '';
}

export function settingsPage(): string {
  const parts = Object.entries(groups).flatMap(([group, title]) => {
    const defaults: Readonly<Record<string, unknown>> = defaultSettings[group as keyof typeof groups];
    const schema = z.toJSONSchema(settingsFileSchema.shape[group as keyof typeof groups], { io: 'input' });
    const fields = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Field>>);
    const rows = fields.map(([name, field]) => [
      `\`${group}.${name}\``,
      valuesOf(field),
      name in defaults ? `\`${JSON.stringify(defaults[name])}\`` : '',
      cell(descriptionOf(`${group}.${name}`, field)),
    ]);
    return [`## ${title}`, table(['Setting', 'Values', 'Default', 'Meaning'], rows)];
  });
  return referencePage({
    title: 'Settings',
    order: 4,
    source: 'preload/contract/settings-file.ts',
    parts: [
      'These settings belong to the computer. *Settings › Settings file* and `limner settings` save them to a file and ' +
        'apply such a file. Theme, language and keys belong to each window.',
      ...parts,
    ],
  });
}

function descriptionOf(name: string, field: Field): string {
  const description = field.description ?? field.anyOf?.find((one) => one.description)?.description;
  if (description === undefined)
    throw new Error(`The setting ${name} has no description. Add .describe() to its schema.`);
  return description;
}

export const environmentPage = (): string =>
  referencePage({
    title: 'Environment variables',
    order: 5,
    source: 'main/platform/environment.ts',
    parts: [
      table(
        ['Variable', 'Meaning'],
        Object.entries(environmentVariables).map(([name, meaning]) => [`\`${name}\``, cell(meaning)]),
      ),
    ],
  });
