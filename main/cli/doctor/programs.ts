import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { DataDirectory } from '../../platform/paths.ts';
import { openWorkbenchSettings, videoSearchPath } from '../../platform/settings.ts';
import { findVideoTools, toolsMissing } from '../../media/video/ffmpeg.ts';
import { createEngine } from '../../functions/engines/docker/engine.ts';
import { EngineUnavailable } from '../../functions/engines/docker/engine-problem.ts';
import { bad, good, reasonOf, type Finding } from './finding.ts';

const timeoutMs = 10_000;

async function versionOf(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['-version'], { timeout: timeoutMs, windowsHide: true });
  return /version (\S+)/.exec(stdout)?.[1] ?? '(unknown version)';
}

export async function checkVideoTools({ root }: Pick<DataDirectory, 'root'>): Promise<Finding[]> {
  const area = 'ffmpeg';
  const tools = await findVideoTools(videoSearchPath(root));
  if (!tools) {
    const { message } = await toolsMissing('Cannot read videos', 'and start Limner again. Images need neither.');
    return [
      bad(area, 'warning', message.slice(0, message.indexOf('. ') + 1), message.slice(message.indexOf('. ') + 2)),
    ];
  }
  return Promise.all(
    Object.values(tools).map(async (program: string) => {
      try {
        return good(area, `${program}, ${await versionOf(program)}.`);
      } catch (error) {
        const message = `Cannot read videos: ${program} does not start (${reasonOf(error)}).`;
        return bad(area, 'warning', message, 'Reinstall ffmpeg, or put a working one first on the PATH.');
      }
    }),
  );
}

export async function checkDocker({ root }: Pick<DataDirectory, 'root'>): Promise<Finding[]> {
  const area = 'docker';
  const engine = createEngine({
    env: process.env,
    platform: process.platform,
    host: () => openWorkbenchSettings(root).get('dockerHost'),
  });
  try {
    const { facts } = await engine.connect();
    return [
      good(
        area,
        `Docker Engine ${facts.version} at ${engine.place()}, ${facts.operatingSystem}; ` +
          (facts.tellsOfGpu
            ? 'it provides NVIDIA GPUs.'
            : 'it has no NVIDIA runtime and no GPUs, so functions run on the CPU.'),
      ),
    ];
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    const [, message = error.message, suggestion = ''] = /^(.*?[.:]) (.*)$/s.exec(error.message) ?? [];
    const level = error.kind === 'missing' ? 'note' : 'warning';
    return [bad(area, level, message, `${suggestion} Only functions in containers need it.`.trim())];
  }
}
