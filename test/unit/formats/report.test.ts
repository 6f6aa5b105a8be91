import { describe, expect, test } from 'vitest';
import { createFormatReport, maxBadRecords } from '../../../main/formats/kit/report.ts';

describe('the report of an import or export', () => {
  test('counts exported and dropped objects, each as often as reported', () => {
    const report = createFormatReport();
    report.carried('rectangle', 'car');
    report.carried('rectangle', 'car', 4);
    report.lost('ellipse', 'car', 'There are none.', 3);
    report.lost('ellipse', 'car', 'There are none.');
    report.lost('ellipse', 'car', 'There are none.', 10);
    report.lost('ellipse', 'person', 'There are none.', 2);
    expect(report.summary()).toMatchObject({
      carried: [{ type: 'rectangle', label: 'car', count: 5 }],
      losses: [
        { type: 'ellipse', label: 'car', rule: 'There are none.', count: 14 },
        { type: 'ellipse', label: 'person', rule: 'There are none.', count: 2 },
      ],
    });
  });

  test('counts every invalid record, and keeps the first thousand', () => {
    const report = createFormatReport();
    for (let number = 0; number < maxBadRecords + 7; number += 1) report.bad('a.json', `[${number}]`, 'It is broken.');
    const { bad, badCount } = report.summary();
    expect(badCount).toBe(1007);
    expect(bad).toHaveLength(1000);
    expect(bad.at(-1)).toEqual({ file: 'a.json', at: '[999]', reason: 'It is broken.' });
  });
});
