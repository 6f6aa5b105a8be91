import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import type { UpdateCheck, WorkbenchSettings, WorkbenchSettingsPatch } from '../../preload/contract/schema/settings.ts';
import { findVideoTools } from '../media/video/ffmpeg.ts';
import { checkEngineHost } from '../functions/engines/docker/engine-address.ts';
import { requireAdmin, type Caller } from '../users/access/access-rules.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { checkForUpdate, isReleaseAddress } from '../platform/update-check.ts';
import { openWorkbenchSettings, quarantineBroken, videoSearchPath } from '../platform/settings.ts';

/** Settings of this computer, in a file of the data directory that all threads and commands read. */
interface SettingsOptions {
  readonly dataDirectory: string;
  /** Version of the program. */
  readonly version: string;
  readonly log: Logger;
}

export function createSettingsService({ dataDirectory: root, version, log }: SettingsOptions) {
  const notice = quarantineBroken(root);
  if (notice !== null) log.warn(notice);

  async function state(): Promise<WorkbenchSettings> {
    const values = openWorkbenchSettings(root).all();
    const tools = await findVideoTools(videoSearchPath(root));
    return {
      ffmpeg_path: values.ffmpegPath,
      formats_folder: values.formatsFolder,
      update_address: values.updateAddress,
      docker_host: values.dockerHost,
      dashboard_own_servers: values.dashboardOwnServers,
      bucket_cache_gb: values.bucketCacheGb,
      function_cpu_cores: values.functionCpuCores,
      function_memory_mib: values.functionMemoryMib,
      function_gpu_memory_mib: values.functionCardMib,
      video_tools: tools ?? null,
      notice,
    };
  }

  return {
    async get(actor: Caller): Promise<WorkbenchSettings> {
      requireAdmin(actor);
      return state();
    },
    /** Validates all settings before the first change. */
    async change(
      actor: Caller,
      change: { [Key in keyof WorkbenchSettingsPatch]?: WorkbenchSettingsPatch[Key] | undefined },
    ): Promise<WorkbenchSettings> {
      requireAdmin(actor);
      const { ffmpeg_path: ffmpegPath, formats_folder: formatsFolder } = change;
      if (ffmpegPath) await requireTools(ffmpegPath);
      if (formatsFolder) requireFolder(formatsFolder);
      if (change.update_address && !isReleaseAddress(change.update_address))
        throw invalidField('update_address', 'Enter an address that begins with https://, or one of this computer.');
      if (change.docker_host) requireEngineHost(change.docker_host);
      const settings = openWorkbenchSettings(root);
      if (change.docker_host !== undefined) settings.set('dockerHost', change.docker_host || null);
      if (change.update_address !== undefined) settings.set('updateAddress', change.update_address || null);
      if (change.dashboard_own_servers !== undefined) settings.set('dashboardOwnServers', change.dashboard_own_servers);
      if (ffmpegPath !== undefined) settings.set('ffmpegPath', ffmpegPath || null);
      if (formatsFolder !== undefined) settings.set('formatsFolder', formatsFolder || null);
      if (change.bucket_cache_gb !== undefined) settings.set('bucketCacheGb', change.bucket_cache_gb);
      if (change.function_cpu_cores !== undefined) settings.set('functionCpuCores', change.function_cpu_cores);
      if (change.function_memory_mib !== undefined) settings.set('functionMemoryMib', change.function_memory_mib);
      if (change.function_gpu_memory_mib !== undefined) settings.set('functionCardMib', change.function_gpu_memory_mib);
      return state();
    },
    async checkForUpdate(actor: Caller): Promise<UpdateCheck> {
      requireAdmin(actor);
      const { updateAddress } = openWorkbenchSettings(root).all();
      if (updateAddress === null)
        throw new AppError('conflict', 'Cannot check for updates: no address is set. Set it in Settings › About.');
      const { latest, isNewer, page } = await checkForUpdate(updateAddress, version);
      return { latest, is_newer: isNewer, page };
    },
  };
}

async function requireTools(path: string): Promise<void> {
  if (!isAbsolute(path)) throw invalidField('ffmpeg_path', 'Enter the absolute path.');
  if (!existsSync(path)) throw invalidField('ffmpeg_path', 'The path does not exist or is not readable.');
  const folder = statSync(path).isDirectory() ? path : dirname(path);
  if (await findVideoTools(folder)) return;
  throw invalidField('ffmpeg_path', 'Cannot find or start both ffmpeg and ffprobe. Nothing was changed.');
}

/** Accepts an engine that is not running; the page shows its state. */
function requireEngineHost(host: string): void {
  try {
    checkEngineHost(host);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidField(
      'docker_host',
      'This is not an address of a Docker Engine on this computer. Use the absolute path of its socket, unix:///path or tcp://127.0.0.1:2375.',
    );
  }
}

function requireFolder(path: string): void {
  if (!isAbsolute(path)) throw invalidField('formats_folder', 'Enter the absolute path.');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw invalidField('formats_folder', 'The folder does not exist on this computer or is not readable.');
}
