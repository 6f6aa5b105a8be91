import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutants, type Mutant } from './mutants.ts';

/** A change that makes a suite hang counts as noticed. */
const limitMs = 5 * 60 * 1000;
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A copy of the repository's files and the installed packages. Changes are made only there. */
function scratchCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'limner-mutants-'));
  const options = { cwd: root, encoding: 'utf8' } as const;
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], options);
  for (const file of files.split('\n').filter(Boolean)) {
    cpSync(join(root, file), join(copy, file), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function isGreen(copy: string, tests: readonly string[]): boolean {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const options = { cwd: copy, stdio: 'ignore', timeout: limitMs } as const;
  return spawnSync(process.execPath, [vitest, 'run', '--bail', '1', ...tests], options).status === 0;
}

/** Applies each change alone: its suites must fail. */
function isNoticed(copy: string, { file, from, to, tests }: Mutant): boolean {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${file} does not have this exactly once: ${from}`);
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    return !isGreen(copy, tests);
  } finally {
    writeFileSync(path, source);
  }
}

const [wanted = ''] = process.argv.slice(2);
const chosen = mutants.filter(({ name }) => name.includes(wanted));
const copy = scratchCopy();
let count = 0;
try {
  for (const tests of new Set(chosen.map((mutant) => mutant.tests))) {
    if (!isGreen(copy, tests)) throw new Error(`Without any change these fail: ${tests.join(' ')}`);
  }
  for (const mutant of chosen) {
    const seen = isNoticed(copy, mutant);
    count += Number(seen);
    console.log(`${seen ? 'noticed ' : 'SURVIVED'}  ${mutant.name}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${count} of ${chosen.length} changes were noticed.`);
process.exitCode = count === chosen.length ? 0 : 1;
