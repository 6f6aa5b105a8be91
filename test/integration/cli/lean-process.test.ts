import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leanEnvironment, leanOptions } from '../../../scripts/lib/memory-settings.mjs';
import { nodeExecutable, projectRoot } from '../../support/node-executable.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

interface Told {
  readonly options: readonly string[];
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const folder = sharedFolder();

const script = join(folder, 'tells.mjs');
const module = JSON.stringify(join(projectRoot, 'scripts', 'lib', 'with-node.mjs'));
writeFileSync(
  script,
  `import { pathToFileURL } from 'node:url';
const { ensureNode } = await import(pathToFileURL(${module}).href);
await ensureNode(process.argv[1], { lean: process.argv.includes('--lean') });
const { execArgv: options, argv, env: environment } = process;
console.log(JSON.stringify({ options, args: argv.slice(2), environment }));
`,
);

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Told =>
  // The script above prints exactly this.
  JSON.parse(
    execFileSync(nodeExecutable(), [script, ...args], { encoding: 'utf8', env: { ...process.env, ...env } }),
  ) as Told;

describe.skipIf(process.platform === 'win32')('a start of the program itself', () => {
  it('sets the memory options and the environment once, and keeps its own arguments', () => {
    const told = run(['serve', '--lean']);
    expect(told.options).toEqual(leanOptions);
    expect(told.environment).toMatchObject(leanEnvironment);
    expect(told.args).toEqual(['serve', '--lean']);
  });

  it("keeps the user's environment", () => {
    expect(run(['--lean'], { MALLOC_ARENA_MAX: '5' }).environment['MALLOC_ARENA_MAX']).toBe('5');
  });

  it('is unchanged for other scripts', () => {
    expect(run(['check']).options).toEqual([]);
  });
});
