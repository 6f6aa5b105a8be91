import { describe, expect, test } from 'vitest';
import { commandLines } from '../../../../../renderer/features/settings/command-lines.ts';

const target = { address: 'http://127.0.0.1:8080', token: 'abc.def', organization: '' };
const textOf = (lines: ReturnType<typeof commandLines>, step: string): string =>
  lines.find((line) => line.step === step)?.text ?? '';

describe('command lines', () => {
  test('name the complete address, scheme and port, because cvat-cli uses https for a bare host', () => {
    const use = textOf(commandLines('cli', 'unix', target), 'use');
    expect(use.split('\n').every((line) => line.startsWith('cvat-cli --server-host http://127.0.0.1:8080 task '))).toBe(
      true,
    );
  });

  test('omit the token in every line except the one that sets the variable', () => {
    for (const tool of ['cli', 'sdk', 'curl'] as const) {
      for (const shell of ['unix', 'windows'] as const) {
        const lines = commandLines(tool, shell, target);
        expect(lines.filter(({ text }) => text.includes('abc.def')).map(({ step }) => step)).toEqual(['signIn']);
      }
    }
    expect(textOf(commandLines('curl', 'windows', target), 'signIn')).toBe("$env:CVAT_ACCESS_TOKEN = 'abc.def'");
  });

  test('name the current organization', () => {
    const inside = { ...target, organization: 'harbour' };
    expect(textOf(commandLines('cli', 'unix', inside), 'use')).toContain('--org harbour task ls');
    expect(textOf(commandLines('sdk', 'unix', inside), 'use')).toContain('client.organization_slug = "harbour"');
    expect(textOf(commandLines('curl', 'unix', inside), 'use')).toContain('-H "X-Organization: harbour"');
  });
});
