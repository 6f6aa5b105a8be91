import { expect, test } from 'vitest';
import { statisticsCsv } from '../../../../../renderer/shared/statistics/statistics-csv.ts';

test('names with commas and quotes keep to their cell, and none is a formula', () => {
  const kind = { type: 'rectangle', objects: 1, tracks: 0, keyframes: 0, interpolated: 0 } as const;
  const label = (id: number, name: string) => ({ id, name, color: '#ff0000', kinds: [kind], attributes: [] });
  const text = statisticsCsv({
    frames: { total: 3, deleted: 1, with_objects: 2 },
    labels: [label(1, 'a, "b"'), label(2, '=HYPERLINK("x")'), { ...label(3, 'none'), kinds: [] }],
    sources: [{ source: 'manual', count: 2 }],
  });
  expect(text.split('\r\n')).toEqual([
    'section,label,type,attribute,value,objects,tracks,keyframes,interpolated',
    'frames,,,,total,3,,,',
    'frames,,,,with objects,2,,,',
    'frames,,,,without objects,1,,,',
    'frames,,,,deleted,1,,,',
    'label,"a, ""b""",rectangle,,,1,0,0,0',
    'label,"\'=HYPERLINK(""x"")",rectangle,,,1,0,0,0',
    'label,none,,,,0,,,',
    'source,,,,manual,2,,,',
    '',
  ]);
});
