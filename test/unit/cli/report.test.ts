import { describe, expect, it } from 'vitest';
import { reportLines } from '../../../main/cli/report.ts';

const empty = { included: [], dropped: [], invalid: [], invalidCount: 0, warnings: [] };

describe('the report of an import or export', () => {
  it('counts objects by type and label, in columns', () => {
    const lines = reportLines(
      {
        ...empty,
        included: [
          { type: 'rectangle', label: 'car', count: 12 },
          { type: 'tag', label: 'night', count: 3 },
        ],
      },
      'Exported',
    );
    expect(lines).toEqual(['Exported 15 objects:', '  12  rectangle  car', '   3  tag        night']);
  });

  it('names each loss with its reason, each skipped record with its position, and each warning', () => {
    const lines = reportLines(
      {
        included: [],
        dropped: [{ type: 'ellipse', label: 'wheel', rule: 'YOLO has no ellipses', count: 2 }],
        invalid: [{ file: 'a.json', at: 'annotations[17].bbox', reason: 'four numbers are needed' }],
        invalidCount: 1,
        warnings: ['Two images have one name.'],
      },
      'Imported',
    );
    expect(lines).toEqual([
      'Imported 0 objects.',
      'Not supported by the format:',
      '  2  ellipse  wheel  YOLO has no ellipses',
      '1 invalid record was skipped:',
      '  a.json at annotations[17].bbox: four numbers are needed',
      'Notes:',
      '  Two images have one name.',
    ]);
  });

  it('shows the first of very many invalid records and the number of the others', () => {
    const invalid = Array.from({ length: 1000 }, (_, index) => ({ file: 'a', at: `line ${index}`, reason: 'x' }));
    const lines = reportLines({ ...empty, invalid, invalidCount: 5000 }, 'Imported');
    expect(lines[1]).toBe('5000 invalid records were skipped:');
    expect(lines.at(-1)).toContain('4980 more');
    expect(lines).toHaveLength(23);
  });
});
