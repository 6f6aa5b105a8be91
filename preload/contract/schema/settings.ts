import { z } from 'zod';

const path = z.string().max(4096).nullable();

export const workbenchSettingsSchema = z.object({
  /** Path of ffmpeg, or the folder with ffmpeg and ffprobe; null: those on the PATH. */
  ffmpeg_path: path,
  /** Additional folder of format plug-ins. */
  formats_folder: path,
  /** Address of Docker Engine, as in DOCKER_HOST, or the path of its socket; null: the default of docker. */
  docker_host: path,
  /** True if the function dashboard may deploy images with their own server. Only a network reaches these. */
  dashboard_own_servers: z.boolean(),
  /** Limit for each model function; null: all cores of the computer. Applies from its next start. */
  function_cpu_cores: z.number().min(0.1).max(1024).nullable(),
  function_memory_mib: z.int().min(64).max(16_777_216).nullable(),
  /** Limit for all functions together on each GPU; null: all its memory. */
  function_card_mib: z.int().min(64).max(16_777_216).nullable(),
  /** Programs that read videos now; null if there are none. */
  video_tools: z.object({ ffmpeg: z.string(), ffprobe: z.string() }).nullable(),
  /** Message about an unreadable settings file that was quarantined. */
  notice: z.string().nullable(),
});

export const workbenchSettingsPatchSchema = workbenchSettingsSchema.omit({ video_tools: true, notice: true }).partial();

export type WorkbenchSettings = z.output<typeof workbenchSettingsSchema>;
export type WorkbenchSettingsPatch = z.output<typeof workbenchSettingsPatchSchema>;
