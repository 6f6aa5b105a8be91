import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Lists the files of packages that contain everything for this platform: for pip and for npm. */

const root = join(import.meta.dirname, '..');
const { platform, arch } = process;

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().default(false), devOptional: z.boolean().default(false) }),
  ),
});

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

/** Files of the package for npm, by the rules in package.json. */
export function programFiles(): string[] {
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
export function packageFiles(): string[] {
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
