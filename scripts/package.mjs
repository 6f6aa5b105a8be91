import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, nodeExecutable, packageFile, projectRoot } from './lib/project.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureNode } from './lib/with-node.mjs';

/**
 * Builds the program and its installers: `npm run package -- [options of electron-builder]`, or a package for pip
 * or npm: `npm run package -- wheel [folder]`, `npm run package -- npm [folder]`. npm installs native
 * packages for this machine's CPU only, so this downloads the packages for the other CPUs first.
 */

await ensureNode(fileURLToPath(import.meta.url));

/** @type {Readonly<Record<string, readonly string[]>>} CPUs in electron-builder.yml, by platform. */
const processors = { linux: ['x64', 'arm64'], darwin: ['x64', 'arm64'], win32: ['x64', 'arm64'] };

await ensureBuilt();
if (process.argv[2] === 'wheel') {
  const { writeWheel } = await import('./wheel.ts');
  process.stdout.write(`${await writeWheel(process.argv[3] ?? join(projectRoot, 'dist'))}\n`);
  process.exit(0);
}
if (process.argv[2] === 'npm') {
  const { writeNpmPackage } = await import('./npm-package.ts');
  process.stdout.write(`${await writeNpmPackage(process.argv[3] ?? join(projectRoot, 'dist'))}\n`);
  process.exit(0);
}
for (const processor of processors[process.platform] ?? []) {
  for (const kind of ['sharp', 'sharp-libvips']) addNativePackage(`@img/${kind}-${process.platform}-${processor}`);
}
const builder = packageFile('electron-builder', 'cli.js');
const { status } = spawnSync(nodeExecutable(), [builder, ...process.argv.slice(2)], {
  cwd: projectRoot,
  stdio: 'inherit',
});
// Tests pack into other folders.
if (status === 0 && !process.argv.some((argument) => argument.includes('directories.output='))) {
  const { writeReleaseFiles } = await import('./release-files.ts');
  await writeReleaseFiles(projectRoot, join(projectRoot, 'dist'));
}
process.exit(status ?? 1);

/**
 * Downloads a package for another CPU to its folder in node_modules, after checking it against the lockfile.
 * @param {string} name
 */
function addNativePackage(name) {
  const folder = join(projectRoot, 'node_modules', name);
  /** @type {{ packages: Record<string, { version: string, integrity: string } | undefined> }} */
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
  const entry = lock.packages[`node_modules/${name}`];
  // The Windows package contains libvips.
  if (!entry || existsSync(join(folder, 'package.json'))) return;
  process.stderr.write(`Fetching ${name} ${entry.version} …\n`);
  const scratch = mkdtempSync(join(tmpdir(), 'limner-package-'));
  try {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const output = execFileSync(npm, ['pack', '--silent', '--pack-destination', scratch, `${name}@${entry.version}`], {
      encoding: 'utf8',
    });
    const archive = join(scratch, output.trim().split('\n').at(-1) ?? '');
    const [algorithm = '', expected] = entry.integrity.split(/-(.*)/s);
    const found = createHash(algorithm).update(readFileSync(archive)).digest('base64');
    if (found !== expected) fail(`${name} ${entry.version} does not match the checksum in package-lock.json.`);
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components', '1']);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
