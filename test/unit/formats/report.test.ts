import { describe, expect, test } from 'vitest';
import { createFormatReport, maxBadRecords } from '../../../main/formats/kit/report.ts';

describe('the report of an import or export', () => {
  test('counts exported and dropped objects, each as often as reported', () => {
    const report = createFormatReport();
    report.included('rectangle', 'car');
    report.included('rectangle', 'car', 4);
    report.dropped('ellipse', 'car', 'There are none.', 3);
    report.dropped('ellipse', 'car', 'There are none.');
    report.dropped('ellipse', 'car', 'There are none.', 10);
    report.dropped('ellipse', 'person', 'There are none.', 2);
    expect(report.summary()).toMatchObject({
      included: [{ type: 'rectangle', label: 'car', count: 5 }],
      dropped: [
        { type: 'ellipse', label: 'car', rule: 'There are none.', count: 14 },
        { type: 'ellipse', label: 'person', rule: 'There are none.', count: 2 },
      ],
    });
  });

  test('counts every invalid record, and keeps the first thousand', () => {
    const report = createFormatReport();
    for (let number = 0; number < maxBadRecords + 7; number += 1)
      report.invalid('a.json', `[${number}]`, 'It is broken.');
    const { invalid, invalidCount } = report.summary();
    expect(invalidCount).toBe(1007);
    expect(invalid).toHaveLength(1000);
    expect(invalid.at(-1)).toEqual({ file: 'a.json', at: '[999]', reason: 'It is broken.' });
  });
});
