import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allReadings, recognise } from '../../../main/model-files/recognise/recognise.ts';
import { readOnnx } from '../../../main/model-files/onnx/read-onnx.ts';
import { factsOfForm, forms, formsFolder, verdictOf, type Form } from './form-judge.ts';
import { projectRoot } from '../../support/node-executable.ts';
import { formsTable } from './forms-table.ts';
import { mutated, randomFrom } from './mutate-form.ts';

const wrong = (all: readonly (readonly [Form, ReturnType<typeof verdictOf>])[]) =>
  all
    .filter(([, { verdict }]) => verdict === 'wrong' || verdict === 'refused')
    .map(([{ id }, { verdict, words }]) => `${id}: ${verdict} (${words})`);

test('reads every export form right, or asks, from what its file declares', () => {
  expect(forms).toHaveLength(81);
  expect(wrong(forms.map((form) => [form, verdictOf(form, recognise(factsOfForm(form)))]))).toEqual([]);
});

test('reads every export form right, or asks, from its file', () => {
  const of = (form: Form) => readOnnx(join(formsFolder, 'models', `${form.id}.onnx`), form.id).facts;
  expect(wrong(forms.map((form) => [form, verdictOf(form, recognise(of(form)))]))).toEqual([]);
});

test('never reads a changed file wrongly without a question', () => {
  const count = Number(process.env['LIMNER_MUTATIONS'] ?? 2000);
  const random = randomFrom(Number(process.env['LIMNER_SEED'] ?? 7));
  const found: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const form = forms[index % forms.length]!;
    const { facts, ways } = mutated(factsOfForm(form), random);
    const { verdict, words } = verdictOf(form, recognise(facts), facts.outputs.length);
    if (verdict === 'wrong') found.push(`${form.id} after ${ways.join(', ')}: ${words}`);
  }
  expect(found).toEqual([]);
});

test('gives the same readings in any order of the rules', () => {
  const random = randomFrom(11);
  for (const form of forms) {
    const facts = factsOfForm(form);
    const shuffled = allReadings.map((one) => [random(), one] as const).toSorted(([a], [b]) => a - b);
    expect(
      recognise(
        facts,
        null,
        shuffled.map(([, one]) => one),
      ),
      form.id,
    ).toEqual(recognise(facts));
  }
});

test('asks nothing about files that tell everything', () => {
  const told = forms.filter(({ ask, metadata_props: { names } }) => ask.length === 0 && names !== undefined);
  expect(told.length).toBeGreaterThan(10);
  for (const form of told) expect(recognise(factsOfForm(form)).questions, form.id).toEqual([]);
});

test('the table of the documentation is made from the same forms', () => {
  const path = join(projectRoot, 'docs', 'guide', 'model-files.md');
  const page = readFileSync(path, 'utf8');
  const [before = '', rest = ''] = page.split('<!-- forms -->\n');
  const [, after = ''] = rest.split('<!-- /forms -->');
  const wanted = `${before}<!-- forms -->\n\n${formsTable(forms)}\n\n<!-- /forms -->${after}`;
  if (process.env['LIMNER_WRITE'] === '1') writeFileSync(path, wanted);
  expect(readFileSync(path, 'utf8')).toBe(wanted);
});
