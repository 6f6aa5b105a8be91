import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPlacement, type Computer } from '../../../main/model-files/runtime/execution-provider.ts';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'limner-provider-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const place = (folder: string, names: readonly string[], content = '') => {
  mkdirSync(join(root, folder), { recursive: true });
  for (const name of names) writeFileSync(join(root, folder, name), content);
};
const computer = (more: Partial<Computer> = {}): Computer => ({
  platform: 'linux',
  arch: 'x64',
  native: join(root, 'native'),
  libraries: [join(root, 'lib'), join(root, 'cuda')],
  devices: [join(root, 'dev', 'nvidia0')],
  ...more,
});
const where = (more: Partial<Computer> = {}) => findPlacement(computer(more));
const shared = 'libonnxruntime_providers_shared.so';
const cuda = 'libonnxruntime_providers_cuda.so';
/** A string table as in a shared library; a name inside of a text is not needed. */
const needs = '\0libcudart.so.12\0libcublas.so.12\0libcudnn.so.9\0libm.so.6\0Cannot load libcufft.so.11 here\0';

test('names the first thing that CUDA lacks on Linux, in the order of its parts', () => {
  expect(where()).toEqual({ provider: 'cpu', text: 'CPU: no NVIDIA GPU was found' });
  place('dev', ['nvidia0']);
  expect(where().text).toBe('CPU: the NVIDIA driver is not installed (libcuda.so.1)');
  place('lib', ['libcuda.so.1']);
  expect(where().text).toBe(`CPU: onnxruntime's CUDA provider is not installed (${cuda})`);
  place('native', [cuda], needs);
  expect(where().text).toBe(`CPU: onnxruntime's CUDA provider is not installed (${shared})`);
  place('native', [shared]);
  expect(where().text).toBe('CPU: the CUDA provider needs the CUDA runtime 12');
  place('cuda', ['libcudart.so.12', 'libcublas.so.12', 'libcudnn.so.8']);
  expect(where()).toEqual({ provider: 'cpu', text: 'CPU: the CUDA provider needs cuDNN 9' });
  place('cuda', ['libcudnn.so.9']);
  expect(where()).toEqual({ provider: 'cuda', text: 'GPU 0 by CUDA' });
  expect(where({ arch: 'arm64' }).text).toBe('CPU: onnxruntime uses no GPU on Linux for arm64');
});

test('uses DirectML on Windows where its libraries are', () => {
  const windows = { platform: 'win32' } as const;
  expect(where(windows).text).toBe('CPU: DirectML.dll is missing beside onnxruntime');
  place('native', ['DirectML.dll']);
  expect(where(windows).text).toBe('CPU: DirectML needs Direct3D 12 (d3d12.dll)');
  place('lib', ['d3d12.dll']);
  expect(where(windows)).toEqual({ provider: 'dml', text: 'GPU 0 by DirectML' });
});

test('uses Core ML on macOS, and the CPU on other systems', () => {
  expect(where({ platform: 'darwin' }).text).toBe('CPU: CoreML.framework is missing');
  place('lib', ['CoreML.framework']);
  expect(where({ platform: 'darwin' })).toEqual({ provider: 'coreml', text: 'GPU or Neural Engine by Core ML' });
  expect(where({ platform: 'freebsd' }).text).toBe('CPU: onnxruntime uses no GPU on freebsd');
});
