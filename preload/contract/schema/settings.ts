import { z } from 'zod';

const path = z.string().max(4096).nullable();

/** What this computer is set to, for all who use the workbench. */
export const workbenchSettingsSchema = z.object({
  /** The program ffmpeg, or the folder that it and ffprobe are in; null: those on the PATH. */
  ffmpeg_path: path,
  /** One more folder of format plug-ins. */
  formats_folder: path,
  /** Address of the Docker Engine, as DOCKER_HOST takes it, or the path of its socket; null: the one that docker uses. */
  docker_host: path,
  /** Whether the function dashboard deploys images with a server of their own, which only a network reaches. */
  dashboard_own_servers: z.boolean(),
  /** The most that one model function may have; null: what the computer has. It counts from its next start on. */
  function_cpu_cores: z.number().min(0.1).max(1024).nullable(),
  function_memory_mib: z.int().min(64).max(16_777_216).nullable(),
  /** The most that all functions together may hold of each graphics card; null: as much as it has. */
  function_card_mib: z.int().min(64).max(16_777_216).nullable(),
  /** The programs that videos are read with now; null where there are none. */
  video_tools: z.object({ ffmpeg: z.string(), ffprobe: z.string() }).nullable(),
  /** A sentence about a file of settings that could not be read and was set aside. */
  notice: z.string().nullable(),
});

export const workbenchSettingsPatchSchema = workbenchSettingsSchema.omit({ video_tools: true, notice: true }).partial();

export type WorkbenchSettings = z.output<typeof workbenchSettingsSchema>;
export type WorkbenchSettingsPatch = z.output<typeof workbenchSettingsPatchSchema>;
