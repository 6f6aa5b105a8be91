import { describe, expect, it } from 'vitest';
import { createProgressBar } from '../../../main/platform/progress-bar.ts';

function recorder(terminal: boolean): {
  written: string[];
  isTTY: boolean;
  columns: number;
  write(text: string): void;
} {
  const written: string[] = [];
  return { written, isTTY: terminal, columns: 60, write: (text) => void written.push(text) };
}

describe('progress outside of a terminal', () => {
  it('is one plain line for each tenth', () => {
    const output = recorder(false);
    const bar = createProgressBar('Importing', output);
    for (let step = 0; step <= 1000; step += 1) bar.update(step / 1000);
    expect(output.written).toHaveLength(11);
    expect(output.written.join('')).not.toContain('\r');
    expect(output.written.join('')).not.toContain('\u001B');
    expect(output.written.at(-1)).toBe('Importing 100 %\n');
  });

  it('says each new message once while the amount is unknown', () => {
    const output = recorder(false);
    const bar = createProgressBar('Importing', output);
    for (const message of ['waiting', 'waiting', 'reading']) bar.update(null, message);
    expect(output.written).toEqual(['Importing: waiting\n', 'Importing: reading\n']);
  });
});

describe('progress on a terminal', () => {
  it('redraws one line that never grows past the width, and ends it', () => {
    let time = 0;
    const output = recorder(true);
    const bar = createProgressBar('Importing', output, () => (time += 100));
    bar.update(0.5, 'a very long message that would not fit into the line of this terminal');
    bar.update(1, 'done');
    bar.finish();
    for (const text of output.written.slice(0, -1)) {
      expect(text.startsWith('\r\u001B[2K')).toBe(true);
      expect(text.length - 5).toBeLessThan(60);
    }
    expect(output.written.at(-2)).toContain('100 %');
    expect(output.written.at(-1)).toBe('\n');
  });

  it('draws at a limited rate, but always the end', () => {
    const output = recorder(true);
    const bar = createProgressBar('Importing', output, () => 0);
    for (let step = 0; step <= 1000; step += 1) bar.update(step / 1000);
    expect(output.written).toHaveLength(2);
  });
});
