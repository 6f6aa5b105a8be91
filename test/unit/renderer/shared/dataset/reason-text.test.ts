import i18next from 'i18next';
import { describe, expect, it } from 'vitest';
import de from '../../../../../renderer/i18n/de.json' with { type: 'json' };
import en from '../../../../../renderer/i18n/en.json' with { type: 'json' };
import { reasonText, typeText } from '../../../../../renderer/shared/dataset/report-view.tsx';

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

describe('reasons why a format drops something', () => {
  it.each([
    ['VoTT has no cuboids.', 'VoTT kennt keine Quader.'],
    ['YOLO 1.1 has no drawing order.', 'YOLO 1.1 kennt keine Reihenfolge beim Zeichnen.'],
    [
      'PaddleOCR has no rotated boxes: written as a polygon.',
      'PaddleOCR kennt keine gedrehten Rechtecke: als Polygon geschrieben.',
    ],
    ['MOT has no field for the attribute "a.b (c)".', 'MOT hat kein Feld für das Attribut „a.b (c)“.'],
    [
      'ICDAR Segmentation has no cuboid, and it has no area to paint.',
      'ICDAR Segmentation kennt keine Quader, und das Objekt hat keine Fläche, die sich malen ließe.',
    ],
  ])('%s', (sentence, translated) => {
    expect(reasonText(german, sentence)).toBe(translated);
  });

  it('are shown in a plug-in’s own words if they are not a sentence of Limner’s formats', () => {
    for (const own of ['A box list has boxes, and nothing else.', 'Box list has no time for this.', '']) {
      expect(reasonText(german, own)).toBe(own);
    }
  });

  it('are unchanged in English', () => {
    for (const sentence of [
      'VoTT has no cuboids.',
      'MOT has no "occluded" flag.',
      'It is lost {{count}} $t(app.name).',
    ])
      expect(reasonText(english, sentence)).toBe(sentence);
  });

  it('name objects in the language', () => {
    expect(['rectangle', 'track', 'attribute', 'voxel'].map((type) => typeText(german, type))).toEqual([
      'Rechteck',
      'Track',
      'Attribut',
      'voxel',
    ]);
  });
});
