/** How a model is to run in a container, while it is chosen. */
export interface ContainerDraft {
  readonly baseImage: string;
  readonly gpus: number | '';
  readonly gpuMemoryMiB: number | '';
}

/** As the service takes it; null where it runs in Limner itself. */
export function containerBody(draft: ContainerDraft | null) {
  if (draft === null) return null;
  const { baseImage, gpus, gpuMemoryMiB } = draft;
  const limits: Record<string, string> = gpus === '' || gpus === 0 ? {} : { 'nvidia.com/gpu': String(gpus) };
  return {
    base_image: baseImage.trim(),
    resource_limits: limits,
    ...(gpuMemoryMiB === '' ? {} : { gpu_memory_mib: gpuMemoryMiB }),
  };
}
