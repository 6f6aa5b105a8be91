import { parse } from 'yaml';
import { z } from 'zod';
import { cell, referencePage, table } from './page.ts';

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

type Feature = z.infer<typeof featureSchema>;

export const readFeatures = (text: string): Readonly<Record<string, readonly Feature[]>> =>
  featuresSchema.parse(parse(text));

export function namedTest(test: string): { readonly file: string; readonly name: string } {
  const [file = '', ...name] = test.split(separator);
  return { file, name: name.join(separator) };
}

const stateText: Readonly<Record<Feature['state'], string>> = { works: 'yes', partial: 'in part', missing: 'no' };

export const featuresPage = (text: string): string =>
  referencePage({
    title: 'Features',
    order: 1,
    source: featuresFile,
    parts: [
      'What Limner does, what it does in part, and what it does not do. Each capability names the tests that show it.',
      ...Object.entries(readFeatures(text)).flatMap(([area, features]) => [`## ${area}`, featureTable(features)]),
    ],
  });

const featureTable = (features: readonly Feature[]): string =>
  table(
    ['Capability', 'Limner', 'Limits', 'Test'],
    features.map(({ capability, state, limits = '', tests = [] }) => {
      const files = [...new Set(tests.map((test) => namedTest(test).file))].map((file) => `\`${file}\``);
      return [cell(capability), stateText[state], cell(limits), files.join(', ')];
    }),
  );
