import { posix } from 'node:path';
import type { FieldReader } from './field-reader.ts';

/** Container paths that a volume must not cover because Limner or the kernel uses them. */
const reserved = ['/opt/limner', '/proc', '/sys', '/dev'];

export type HostVolume = ReturnType<typeof readVolumes>[number];

/** Reads host folders that are mounted into the function. Other volume kinds need a cluster. */
export function readVolumes(spec: FieldReader) {
  return spec.mappings('volumes').flatMap((entry) => {
    const volume = entry.mapping('volume');
    const mount = entry.mapping('volumeMount');
    const name = volume.text('name') ?? '';
    const mountName = mount.text('name') ?? name;
    if (mountName !== name) entry.problem(null, `The volume is named "${name}" and its mount "${mountName}".`);
    const hostPath = volume.mapping('hostPath');
    const path = hostPath.text('path');
    const mountPath = mount.text('mountPath') ?? '';
    const readOnly = mount.truth('readOnly') ?? false;
    hostPath.finish(['type']);
    mount.finish(['mountPropagation', 'subPath']);
    entry.finish();
    if (path === undefined) {
      const kind = volume.keys.find((key) => key !== 'name') ?? 'nothing';
      volume.finish(volume.keys);
      entry.warn('volume', `Only hostPath volumes are supported on a single computer; "${name}" (${kind}) is ignored.`);
      return [];
    }
    volume.finish();
    if (!isPath(path)) {
      hostPath.problem('path', `"${path}" is not an absolute path of this computer.`);
      return [];
    }
    const problem = mountProblem(mountPath);
    if (problem !== null) {
      mount.problem('mountPath', problem);
      return [];
    }
    return [{ name, hostPath: path, mountPath: posix.normalize(mountPath), readOnly }];
  });
}

const isPath = (path: string) => /^(\/|[A-Za-z]:[\\/])/.test(path) && !/[\0\r\n]/.test(path);

function mountProblem(path: string): string | null {
  if (!path.startsWith('/') || /[\0\r\n:]/.test(path)) return `"${path}" is not an absolute path in the container.`;
  const normal = posix.normalize(path).replace(/\/+$/, '');
  if (normal === '') return 'A volume cannot replace the root file system.';
  const taken = reserved.find((one) => normal === one || normal.startsWith(`${one}/`));
  return taken === undefined ? null : `A volume cannot cover ${taken}.`;
}
