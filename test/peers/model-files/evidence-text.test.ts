import i18next from 'i18next';
import { expect, test } from 'vitest';
import de from '../../../renderer/i18n/de.json' with { type: 'json' };
import en from '../../../renderer/i18n/en.json' with { type: 'json' };
import { recognise, type Recognised } from '../../../main/model-files/recognise/recognise.ts';
import { evidenceText } from '../../../renderer/features/models/model-files/evidence-text.ts';
import { factsOfForm, forms } from './form-judge.ts';
import { mutated, randomFrom } from './mutate-form.ts';

const texts = i18next.createInstance();
await texts.init({
  resources: { en: { app: en }, de: { app: de } },
  defaultNS: 'app',
  ns: ['app'],
  nsSeparator: false,
  interpolation: { escapeValue: false },
});
const german = texts.getFixedT('de', 'app');
const english = texts.getFixedT('en', 'app');

const sentencesOf = ({ readings }: Recognised): string[] =>
  readings.flatMap((one) => [
    one.name,
    ...one.reasons,
    ...one.against,
    ...one.questions.map(({ text }) => text),
    ...(one.missing === null ? [] : [one.missing]),
  ]);

/** Names that are the same in both languages. */
const names: ReadonlySet<string> = new Set(['MMDetection', 'torchvision', 'CenterFace']);

test('names, reasons and questions of all readings have a German text, and the same English one', () => {
  const random = randomFrom(5);
  const found = new Set<string>();
  for (const form of forms) {
    const facts = factsOfForm(form);
    for (const one of sentencesOf(recognise(facts))) found.add(one);
    for (let index = 0; index < 30; index += 1) {
      for (const one of sentencesOf(recognise(mutated(facts, random).facts))) found.add(one);
    }
  }
  expect(found.size).toBeGreaterThan(100);
  const hasEnglish = /\b(the|are|assumed|and|needs|numbers|labels?)\b/;
  const untranslated = [...found].filter((one) => {
    const text = evidenceText(german, one);
    return (
      (text === one && !names.has(one) && one !== 'Memory attention' && one !== 'Memory encoder') ||
      hasEnglish.test(text.replaceAll(/„[^“]*“/g, ''))
    );
  });
  expect(untranslated).toEqual([]);
  expect([...found].filter((one) => evidenceText(english, one) !== one)).toEqual([]);
});

test('sentences inside of sentences and results of the first run are translated', () => {
  expect(
    evidenceText(
      german,
      'The file does not tell the normalization. ImageNet’s mean and deviation are assumed. Check the result on an image.',
    ),
  ).toBe(
    'Die Datei nennt die Normalisierung nicht. Angenommen werden Mittelwert und Standardabweichung von ImageNet. Bitte das Ergebnis an einem Bild prüfen.',
  );
  expect(evidenceText(german, '3 boxes, best 0.91 dog')).toBe('3 Rechtecke, bestes 0.91 dog');
  expect(evidenceText(german, 'Something else.')).toBe('Something else.');
});
