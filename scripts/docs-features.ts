import { parse } from 'yaml';
import { z } from 'zod';

/** The file that lists what Limner does; its head comment describes the format. */
export const featuresFile = 'docs/features.yaml';

/** Between a test's file and its name. */
const separator = ' › ';

const featureSchema = z.strictObject({
  capability: z.string().min(1),
  state: z.enum(['works', 'partial', 'missing']),
  limits: z.string().min(1).optional(),
  tests: z.array(z.string().includes(separator)).min(1).optional(),
});
const featuresSchema = z.record(z.string(), z.array(featureSchema).min(1));

export type Feature = z.infer<typeof featureSchema>;

export const readFeatures = (text: string): Readonly<Record<string, readonly Feature[]>> =>
  featuresSchema.parse(parse(text));

export function namedTest(test: string): { readonly file: string; readonly name: string } {
  const [file = '', ...name] = test.split(separator);
  return { file, name: name.join(separator) };
}

const stateText: Readonly<Record<Feature['state'], string>> = { works: 'yes', partial: 'in part', missing: 'no' };

/** Escapes what would end a table's cell, begin HTML or be evaluated by the site's template compiler. */
export const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll(/\s*\n\s*/g, ' ');

export function featuresPage(text: string): string {
  const areas = Object.entries(readFeatures(text)).flatMap(([area, features]) => [
    `## ${area}`,
    '',
    '| Capability | Limner | Limits | Test |',
    '|---|---|---|---|',
    ...features.map(({ capability, state, limits = '', tests = [] }) => {
      const files = [...new Set(tests.map((test) => namedTest(test).file))].map((file) => `\`${file}\``);
      return `| ${cell(capability)} | ${stateText[state]} | ${cell(limits)} | ${files.join(', ')} |`;
    }),
    '',
  ]);
  return [
    'Every capability that works names the test that shows it.',
    `Edit \`${featuresFile}\` to change this page.`,
    '',
    ...areas,
  ].join('\n');
}
