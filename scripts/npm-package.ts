import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { z } from 'zod';
import { packageFiles, programFiles } from './program-files.ts';

/**
 * Writes a package for npm with the built program and the packages that it needs at run time, for this platform. So npm
 * downloads nothing and runs no installation scripts: that of onnxruntime-node downloads libraries for CUDA.
 */

const root = join(import.meta.dirname, '..');
const names = z.record(z.string(), z.string());
const manifestSchema = z.looseObject({
  version: z.string(),
  dependencies: names.default({}),
  optionalDependencies: names.default({}),
});
type Manifest = z.output<typeof manifestSchema>;

const readManifest = (path: string): Manifest =>
  manifestSchema.parse(JSON.parse(readFileSync(join(root, path), 'utf8')));

export async function writeNpmPackage(folder: string): Promise<string> {
  const {
    devDependencies: _development,
    scripts: _scripts,
    private: _private,
    allowScripts: _allowed,
    overrides: _overrides,
    ...manifest
  } = readManifest('package.json');
  const archive = join(folder, `limner-${manifest.version}-${process.platform}-${process.arch}.tgz`);
  const bundled = packageFiles();
  const isBundled = (name: string): boolean => bundled.some((path) => path.includes(`node_modules/${name}/`));
  mkdirSync(folder, { recursive: true });
  const tar = pack();
  const written = pipeline(tar, createGzip({ level: 9 }), createWriteStream(archive));
  const add = (path: string, content: Uint8Array | string): void =>
    void tar.entry(
      { name: `package/${path}`, mode: path === 'scripts/limner.mjs' ? 0o755 : 0o644 },
      Buffer.from(content),
    );
  add(
    'package.json',
    JSON.stringify({
      ...manifest,
      bundleDependencies: Object.keys(manifest.dependencies),
      os: [process.platform],
      cpu: [process.arch],
    }),
  );
  for (const path of programFiles()) if (path !== 'package.json') add(path, readFileSync(join(root, path)));
  for (const path of bundled) {
    const isManifest = /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path);
    add(path, isManifest ? JSON.stringify(asBundled(readManifest(path), isBundled)) : readFileSync(join(root, path)));
  }
  tar.finalize();
  await written;
  return archive;
}

/** Without scripts, and without dependencies that are not in the package (types, binaries of other platforms). */
function asBundled({ scripts: _scripts, ...manifest }: Manifest, isBundled: (name: string) => boolean): object {
  const kept = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => isBundled(name)));
  return {
    ...manifest,
    dependencies: kept(manifest.dependencies),
    optionalDependencies: kept(manifest.optionalDependencies),
  };
}
