import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { getRawHeader } from '@electron/asar';
import { FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeReleaseFiles } from '../../scripts/release-files.ts';
import { nodeExecutable, projectRoot } from '../support/node-executable.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

/**
 * Packs the program without Electron's binary. An empty file with the fuses of Electron's executable replaces it, so
 * everything except the start of the packed program is real.
 */

const run = promisify(execFile);
const fuseSentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const fuseCount = 9;

const folder = sharedFolder();

/** A folder that electron-builder accepts as an unpacked Electron. */
function standIn(): string {
  const electron = join(folder, 'electron');
  mkdirSync(join(electron, 'resources'), { recursive: true });
  const fuses = Buffer.concat([Buffer.from(fuseSentinel), Buffer.from([1, fuseCount]), Buffer.alloc(fuseCount, '0')]);
  writeFileSync(join(electron, 'electron'), Buffer.concat([Buffer.alloc(1024), fuses, Buffer.alloc(1024)]));
  return electron;
}

interface AsarFolder {
  readonly files: Readonly<Record<string, AsarFolder | { readonly unpacked?: true }>>;
}

/** Paths of the files of an archive, and their place: inside or beside it. */
function listed({ files }: AsarFolder, above = ''): [string, 'inside' | 'beside'][] {
  return Object.entries(files).flatMap(([name, entry]) =>
    'files' in entry
      ? listed(entry, `${above}${name}/`)
      : [[`${above}${name}`, entry.unpacked ? ('beside' as const) : ('inside' as const)]],
  );
}

describe.each(['x64', 'arm64'])('the package for %s', (processor) => {
  let resources = '';
  let files = new Map<string, 'inside' | 'beside'>();
  let program = '';
  beforeAll(async () => {
    const output = join(folder, processor);
    await run(
      nodeExecutable(),
      [
        join(projectRoot, 'scripts', 'package.mjs'),
        '--linux',
        'dir',
        `--${processor}`,
        '--publish=never',
        `-c.electronDist=${standIn()}`,
        `-c.directories.output=${output}`,
      ],
      { cwd: projectRoot, maxBuffer: 64 * 1024 * 1024 },
    );
    const [unpacked] = readdirSync(output).filter((name) => name.endsWith('unpacked'));
    program = join(output, unpacked ?? '', 'limner');
    resources = join(output, unpacked ?? '', 'resources');
    // The header comes from another program; the interface above describes its shape.
    files = new Map(listed(getRawHeader(join(resources, 'app.asar')).header as unknown as AsarFolder));
  });

  it('contains the program, its screens, its licences and the notices of its packages', () => {
    for (const file of [
      'out/main/desktop.js',
      'out/main/worker.js',
      'out/renderer/index.html',
      'out/preload/index.js',
      'out/docs/index.html',
      'out/docs/pages.json',
    ])
      expect(files.get(file), file).toBe('inside');
    for (const file of [
      'LICENSE',
      'THIRD-PARTY-NOTICES',
      'package.json',
      'resources/functions/grow-region/function.yaml',
    ])
      expect(files.has(file), file).toBe(true);
    expect([...files.keys()].filter((path) => /^(main|renderer|preload|test|scripts|docs)\//.test(path))).toEqual([]);
  });

  it('contains only the decoders of its CPU', () => {
    const native = [...files.keys()].filter((path) => path.startsWith('node_modules/@img/sharp-'));
    expect(new Set(native.map((path) => path.split('/')[2]))).toEqual(
      new Set([`sharp-linux-${processor}`, `sharp-libvips-linux-${processor}`]),
    );
    const libraries = native.filter((path) => /\.(node|so[.\d]*)$/.test(path));
    expect(libraries.length).toBeGreaterThanOrEqual(2);
    for (const path of libraries) {
      expect(files.get(path), path).toBe('beside');
      // Machine type of an ELF file: 62 is x86-64, 183 is AArch64.
      const machine = readFileSync(join(resources, 'app.asar.unpacked', path)).readUInt16LE(18);
      expect(machine, path).toBe(processor === 'x64' ? 62 : 183);
    }
  });

  it('has only the plug-in host of its code beside the archive, complete', () => {
    const outside = [...files].filter(([path, place]) => path.startsWith('out/') && place === 'beside');
    const seen = new Set<string>();
    const follow = (path: string) => {
      if (seen.has(path)) return;
      seen.add(path);
      const file = join(resources, 'app.asar.unpacked', path);
      expect(existsSync(file), path).toBe(true);
      for (const [, imported] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g))
        follow(join(dirname(path), imported ?? ''));
    };
    follow('out/main/plugin-host.js');
    expect(outside.map(([path]) => path).toSorted()).toEqual([...seen].toSorted());
  });

  it('has the fuses of Electron set', async () => {
    const wire = await getCurrentFuseWire(program);
    expect(wire.version).toBe(FuseVersion.V1);
    const on = '1'.charCodeAt(0);
    expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(on);
    expect(wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe(on);
    expect(wire[FuseV1Options.RunAsNode]).toBe(on);
    for (const option of ['EnableNodeOptionsEnvironmentVariable', 'EnableNodeCliInspectArguments'] as const)
      expect(wire[FuseV1Options[option]]).toBe('0'.charCodeAt(0));
  });
});

describe('the files beside the installers', () => {
  it('are checksums, and a bill of materials with every package that the licences name', async () => {
    const output = join(folder, 'release');
    mkdirSync(output);
    writeFileSync(join(output, 'limner.deb'), 'an installer');
    await writeReleaseFiles(projectRoot, output);
    await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: output });
    const sums = readFileSync(join(output, 'SHA256SUMS'), 'utf8');
    expect([...sums.matchAll(/ {2}(\S+)$/gm)].map(([, name]) => name)).toEqual(['limner.cdx.json', 'limner.deb']);
    const bom = JSON.parse(readFileSync(join(output, 'limner.cdx.json'), 'utf8')) as {
      readonly bomFormat: string;
      readonly components: readonly { readonly purl: string }[];
    };
    expect(bom.bomFormat).toBe('CycloneDX');
    const purls = new Set(bom.components.map(({ purl }) => decodeURIComponent(purl)));
    const licences = readFileSync(join(projectRoot, 'resources', 'licences', 'packages.txt'), 'utf8');
    const named = licences.match(/^\S+ [^:\s]+(?=:)/gm) ?? [];
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((line) => !purls.has(`pkg:npm/${line.replace(' ', '@')}`))).toEqual([]);
    expect([...purls].filter((purl) => purl.startsWith('pkg:npm/vitest@'))).toEqual([]);
  });
});
