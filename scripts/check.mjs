import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeExecutable, packageFile, projectRoot } from './lib/project.mjs';
import { ensureNode } from './lib/with-node.mjs';

await ensureNode(fileURLToPath(import.meta.url));

/** CI runs the unit tests in a separate step. */
const withoutTests = process.argv.includes('--without-tests');
const unitTests = [packageFile('vitest', 'vitest.mjs'), 'run', '--project', 'unit', '--reporter', 'dot'];

/**
 * Longest first, so that the short steps fill the other CPUs.
 * @type {readonly { name: string, args: readonly string[], repair?: string }[]}
 */
const steps = [
  ...(withoutTests ? [] : [{ name: 'unit tests', args: unitTests }]),
  // Single-threaded: each thread takes gigabytes, and the tests need the other CPU.
  { name: 'types', args: [packageFile('typescript', 'bin/tsc'), '--build', '--singleThreaded'] },
  { name: 'lint', args: [packageFile('oxlint', 'bin/oxlint')] },
  {
    name: 'format',
    args: [packageFile('oxfmt', 'bin/oxfmt'), '--check', '.'],
    repair: 'npm run format',
  },
  { name: 'prose', args: [join(projectRoot, 'scripts', 'prose.ts')] },
  { name: 'dead code', args: [packageFile('knip', 'bin/knip.js'), '--no-progress'], repair: 'npx knip --fix' },
  {
    name: 'generated files',
    args: [join(projectRoot, 'scripts', 'generate.ts'), '--check'],
    repair: 'npm run generate',
  },
];

const started = performance.now();
const results = await runAll(steps, Math.max(2, availableParallelism()));
const failed = results.filter((result) => result.exitCode !== 0);

for (const { step, output } of failed) process.stdout.write(`\n── ${step.name} ──\n${output.trimEnd()}\n`);
process.stdout.write('\n');
for (const { step, exitCode, seconds } of results) {
  const state = exitCode === 0 ? 'ok    ' : 'FAILED';
  const repair = exitCode !== 0 && step.repair ? `   (${step.repair})` : '';
  process.stdout.write(`${state}  ${step.name.padEnd(16)} ${seconds.toFixed(1).padStart(5)} s${repair}\n`);
}
process.stdout.write(
  `${failed.length === 0 ? 'All checks passed' : `${failed.length} of ${steps.length} checks failed`}`,
);
process.stdout.write(` in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

/**
 * @param {readonly (typeof steps)[number][]} all
 * @param {number} atOnce
 */
async function runAll(all, atOnce) {
  const waiting = [...all];
  const done = /** @type {Awaited<ReturnType<typeof run>>[]} */ ([]);
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) done.push(await run(step));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, lane));
  return all.flatMap((step) => done.filter((result) => result.step === step));
}

/**
 * @param {(typeof steps)[number]} step
 * @returns {Promise<{ step: (typeof steps)[number], exitCode: number, output: string, seconds: number }>}
 */
function run(step) {
  const begun = performance.now();
  return new Promise((resolve) => {
    const bin = join(projectRoot, 'node_modules', '.bin');
    const child = spawn(nodeExecutable(), step.args, {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    const end = (/** @type {number} */ exitCode) =>
      resolve({ step, exitCode, output, seconds: (performance.now() - begun) / 1000 });
    child.on('error', (error) => {
      output += error.message;
      end(1);
    });
    child.on('close', (code) => end(code ?? 1));
  });
}
