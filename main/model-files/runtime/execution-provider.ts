import { closeSync, existsSync, globSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type ExecutionProvider = 'cuda' | 'dml' | 'coreml' | 'cpu';

/** Provider that runs models, and in one line why. */
export interface Placement {
  readonly provider: ExecutionProvider;
  readonly text: string;
}

export interface Computer {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Folder of onnxruntime's native libraries. */
  readonly native: string;
  /** Folders in which the system looks for shared libraries. */
  readonly libraries: readonly string[];
  /** Files that exist if there is an NVIDIA GPU. */
  readonly devices: readonly string[];
}

const providerNames: Readonly<Record<Exclude<ExecutionProvider, 'cpu'>, string>> = {
  cuda: 'CUDA',
  dml: 'DirectML',
  coreml: 'Core ML',
};

const onCpu = (reason: string): Placement => ({ provider: 'cpu', text: `CPU: ${reason}` });

/** The CPU, after a provider failed. */
export const insteadOf = ({ provider }: Placement, what: string): Placement =>
  provider === 'cpu' ? { provider, text: 'CPU' } : onCpu(`${providerNames[provider]} ${what}`);

const libraryNames: Readonly<Record<string, string>> = {
  cudnn: 'cuDNN',
  cublas: 'cuBLAS',
  cublasLt: 'cuBLAS',
  cudart: 'the CUDA runtime',
  cufft: 'cuFFT',
  curand: 'cuRAND',
  nvrtc: 'NVRTC',
};

/**
 * Chooses the provider whose libraries are all there. Asking onnxruntime for a provider without its libraries ends the
 * process, so they are searched before.
 */
export function findPlacement(computer: Computer): Placement {
  const { platform, native } = computer;
  const has = (name: string) => existsSync(join(native, name));
  if (platform === 'linux') return cudaPlacement(computer);
  if (platform === 'win32') {
    if (!has('DirectML.dll')) return onCpu('DirectML.dll is missing beside onnxruntime');
    if (!inFolders(computer, 'd3d12.dll')) return onCpu('DirectML needs Direct3D 12 (d3d12.dll)');
    return { provider: 'dml', text: 'GPU 0 by DirectML' };
  }
  if (platform !== 'darwin') return onCpu(`onnxruntime uses no GPU on ${platform}`);
  const framework = 'CoreML.framework';
  return inFolders(computer, framework)
    ? { provider: 'coreml', text: 'GPU or Neural Engine by Core ML' }
    : onCpu(`${framework} is missing`);
}

function cudaPlacement(computer: Computer): Placement {
  const { arch, native, devices } = computer;
  if (arch !== 'x64') return onCpu(`onnxruntime uses no GPU on Linux for ${arch}`);
  if (!devices.some((path) => existsSync(path))) return onCpu('no NVIDIA GPU was found');
  const [driver, provider, shared] = [
    'libcuda.so.1',
    'libonnxruntime_providers_cuda.so',
    'libonnxruntime_providers_shared.so',
  ] as const;
  if (!inFolders(computer, driver)) return onCpu(`the NVIDIA driver is not installed (${driver})`);
  for (const name of [provider, shared]) {
    if (!existsSync(join(native, name))) return onCpu(`onnxruntime's CUDA provider is not installed (${name})`);
  }
  const missing = neededLibraries(join(native, provider)).find((name) => !inFolders(computer, name));
  if (missing === undefined) return { provider: 'cuda', text: 'GPU 0 by CUDA' };
  const [, stem = missing, version = ''] = /^lib(\w+)\.so\.(\d+)/.exec(missing) ?? [];
  return onCpu(`the CUDA provider needs ${libraryNames[stem] ?? stem} ${version}`.trim());
}

const inFolders = ({ libraries, native }: Computer, name: string): boolean =>
  [native, ...libraries].some((folder) => existsSync(join(folder, name)));

/** The names are in the first pages of the file, whose size is some hundred MiB. */
const headBytes = 16 * 1024 * 1024;

/** Names of NVIDIA's libraries with their versions in the string table of a shared library. */
function neededLibraries(path: string): string[] {
  const head = Buffer.alloc(headBytes);
  const file = openSync(path, 'r');
  try {
    const length = readSync(file, head, 0, headBytes, 0);
    const text = head.toString('latin1', 0, length);
    return [
      ...new Set(Array.from(text.matchAll(/\0(lib(?:cu\w+|nvrtc)\.so\.\d+)(?=\0)/g), ([, name = '']) => name)),
    ].filter((name) => name !== 'libcuda.so.1');
  } finally {
    closeSync(file);
  }
}

/** @param library main file of onnxruntime-node */
export function thisComputer(library: string): Computer {
  const { platform, arch, env } = process;
  const folders = {
    linux: () => [
      ...(env['LD_LIBRARY_PATH'] ?? '').split(':').filter(Boolean),
      ...configuredFolders(),
      '/lib/x86_64-linux-gnu',
      '/usr/lib/x86_64-linux-gnu',
      '/usr/lib64',
      '/usr/lib',
    ],
    win32: () => [join(env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32')],
    darwin: () => ['/System/Library/Frameworks'],
  }[String(platform)];
  return {
    platform,
    arch,
    native: join(dirname(dirname(library)), 'bin', 'napi-v6', platform, arch),
    libraries: folders?.() ?? [],
    devices: ['/dev/nvidia0', '/dev/dxg'],
  };
}

/** Folders of ld.so's configuration. */
const configuredFolders = (): string[] =>
  globSync('/etc/ld.so.conf.d/*.conf')
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    .map((line) => line.trim())
    .filter((line) => line.startsWith('/'));
