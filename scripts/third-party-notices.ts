import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const dependencyMap = z.record(z.string(), z.string()).default({});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      os: z.array(z.string()).optional(),
      dependencies: dependencyMap,
      optionalDependencies: dependencyMap,
      devDependencies: dependencyMap,
    }),
  ),
});
type Lock = z.output<typeof lockSchema>;

interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Path below the project, as in the lockfile. */
  readonly location: string;
  readonly isForOnePlatform: boolean;
}

const sourceFolders = ['main', 'preload', 'renderer'];
/** Packages in the pages of Help: VitePress and what its theme loads in a browser, not what builds the pages. */
const helpPackages = [
  '@docsearch/css',
  '@vue/reactivity',
  '@vue/runtime-core',
  '@vue/runtime-dom',
  '@vue/shared',
  '@vueuse/core',
  '@vueuse/integrations',
  '@vueuse/shared',
  'focus-trap',
  'mark.js',
  'minisearch',
  'tabbable',
  'vitepress',
  'vue',
];
/** Shared by all platforms, so that the file is the same on each although only one platform's packages are installed. */
const libvipsNotice = `(Binary for one platform. It contains libvips, fribidi, glib, libexif, libheif, librsvg, pango and proxy-libintl under
the LGPL, version 3, which permits their replacement: the library is a separate file beside the program, loaded when it
starts. Its other parts: cairo (Mozilla Public License 1.1); aom, libarchive, libimagequant (BSD 2-Clause); highway,
libwebp (BSD 3-Clause); cgif, expat, harfbuzz, lcms, libffi, libnsgif, libultrahdr, libxml2, pixman (MIT); fontconfig,
freetype, libpng, libtiff, mozjpeg, zlib-ng (their own licences, like BSD or zlib). README.md of the package names them
with links, and versions.json their versions; https://github.com/lovell/sharp-libvips builds them from their sources.
The texts of the LGPL and of the GPL, which it extends, are at the end of this file.)`;
const licenseFile = /^(licen[cs]e|copying|notice)/i;
const heading = `Third-party notices

Limner is published under the MIT licence (see LICENSE). The program contains the packages below, each under its own
licence. The build generates this file from the installed packages.
`;

/** Licences of everything in a built Limner: run-time packages, and packages bundled into the renderer. */
export function thirdPartyNotices(root: string): string {
  const texts = new Map<string, string>();
  const sections = shippedPackages(root).map((entry) => {
    const title = `${entry.name} ${entry.version}\nLicence: ${entry.license}`;
    return `${title}\n\n${licenseText(root, entry, texts)}`;
  });
  return `${[heading.trimEnd(), ...sections, ...sharedTexts(root)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** The same packages with only the names of their licences, so that reviews show the effect of a changed lockfile. */
export function thirdPartyList(root: string): string {
  return shippedPackages(root)
    .map(({ name, version, license }) => `${name} ${version}: ${license}\n`)
    .join('');
}

/** The LGPL extends the GPL, so both texts are included. The libvips packages contain neither. */
function sharedTexts(root: string): string[] {
  const files = {
    'GNU Lesser General Public License, version 3': 'LGPL-3.0',
    'GNU General Public License, version 3': 'GPL-3.0',
  };
  return Object.entries(files).map(
    ([title, name]) => `${title}\n\n${readFileSync(join(root, 'resources', 'licences', `${name}.txt`), 'utf8').trim()}`,
  );
}

function licenseText(root: string, entry: ShippedPackage, seen: Map<string, string>): string {
  // Only one platform's packages are installed, but the file must be the same on every platform.
  if (entry.license.includes('LGPL')) return libvipsNotice;
  if (entry.isForOnePlatform) return '(Binary for one platform; its licence text is in the package.)';
  const folder = join(root, entry.location);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => licenseFile.test(name)) : [];
  const text = files
    .sort()
    .map((name) =>
      readFileSync(join(folder, name), 'utf8')
        .replaceAll('\r\n', '\n')
        .replace(/[ \t]+$/gm, '')
        .trim(),
    )
    .join('\n\n');
  if (text === '') return '(The package contains only the name of its licence, not its text.)';
  const first = seen.get(text);
  if (first !== undefined) return `(The text is the same as for ${first}.)`;
  seen.set(text, `${entry.name} ${entry.version}`);
  return text;
}

/** Packages that the program contains, those in its screens and its documentation included. */
export function shippedPackages(root: string): ShippedPackage[] {
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const project = lock.packages[''];
  if (project === undefined) throw new Error('package-lock.json has no entry for the project itself.');
  const found = new Map<string, ShippedPackage>();
  const visit = (name: string, from: string, follow: 'all' | 'required' | 'none'): void => {
    const location = resolveLocation(lock, name, from);
    if (location === null || found.has(location)) return;
    const entry = lock.packages[location];
    if (entry === undefined) return;
    found.set(location, {
      name,
      version: entry.version ?? '',
      license: entry.license ?? 'not stated',
      location,
      isForOnePlatform: entry.os !== undefined,
    });
    if (follow === 'none') return;
    const next = follow === 'all' ? { ...entry.dependencies, ...entry.optionalDependencies } : entry.dependencies;
    for (const dependency of Object.keys(next)) visit(dependency, location, follow);
  };
  for (const name of Object.keys(project.dependencies)) visit(name, '', 'all');
  for (const name of bundledPackages(root, Object.keys(project.devDependencies))) visit(name, '', 'required');
  for (const name of helpPackages) visit(name, '', 'none');
  return [...found.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/** Node's resolution: the nearest node_modules folder, upwards from the importing package. */
function resolveLocation(lock: Lock, name: string, from: string): string | null {
  for (let folder = from; ;) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock.packages[candidate] !== undefined) return candidate;
    if (folder === '') return null;
    const parent = folder.lastIndexOf('/node_modules/');
    folder = parent < 0 ? '' : folder.slice(0, parent);
  }
}

/** Development packages that the sources import are bundled into the renderer. */
function bundledPackages(root: string, developmentPackages: readonly string[]): string[] {
  const imported = new Set<string>();
  for (const folder of sourceFolders) {
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.(tsx?|css)$/.test(file)) continue;
      const text = readFileSync(join(root, folder, file), 'utf8');
      for (const match of text.matchAll(/(?:from|import|import\(|resolve\()\s*['"]((?:@[\w.-]+\/)?[\w.-]+)/g)) {
        if (match[1] !== undefined) imported.add(match[1]);
      }
    }
  }
  // Electron itself is part of the installers; the packages that download it are not.
  return developmentPackages.filter((name) => imported.has(name) && name !== 'electron');
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
