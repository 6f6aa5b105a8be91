import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { shippedPackages } from './third-party-notices.ts';

/** The part of CycloneDX that is changed here. */
const bomSchema = z.looseObject({
  components: z.array(z.looseObject({ name: z.string(), version: z.string(), purl: z.string() })),
});

const checksumFile = 'SHA256SUMS';

/** Writes the bill of materials (CycloneDX, by `npm sbom`) and the checksums of all files in a folder of installers. */
export async function writeReleaseFiles(root: string, folder: string): Promise<void> {
  writeFileSync(join(folder, 'limner.cdx.json'), `${JSON.stringify(billOfMaterials(root), null, 2)}\n`);
  const names = readdirSync(folder).filter(
    (name) => name !== checksumFile && !/^builder-|\.blockmap$/.test(name) && statSync(join(folder, name)).isFile(),
  );
  const lines: string[] = [];
  for (const name of names.toSorted()) lines.push(`${await checksum(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, checksumFile), lines.join(''));
}

/**
 * The runtime packages as `npm sbom` lists them, and packages that are bundled into the screens and the documentation.
 * `npm sbom` cannot list the latter: for npm they are development packages, like the tools of the build.
 */
function billOfMaterials(root: string): z.output<typeof bomSchema> {
  const command = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--package-lock-only'];
  const output = execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', command, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  const bom = bomSchema.parse(JSON.parse(output));
  const listed = new Set(bom.components.map(({ purl }) => purl));
  const bundled = shippedPackages(root)
    .map(({ name, version, license }) => ({
      'bom-ref': `${name}@${version}`,
      type: 'library',
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
    }))
    .filter(({ purl }) => !listed.has(purl));
  return { ...bom, components: [...bom.components, ...bundled] };
}

async function checksum(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
