import { z } from 'zod';

const path = z.string().max(4096).nullable();

export const workbenchSettingsSchema = z.object({
  ffmpeg_path: path.describe('Program ffmpeg, or the folder of ffmpeg and ffprobe. null: the programs on the PATH.'),
  formats_folder: path.describe('Additional folder of format plug-ins.'),
  update_address: z
    .string()
    .max(2048)
    .nullable()
    .describe(
      "Address of the latest release in the form of GitHub's API. Asked only when you check for updates. null: none.",
    ),
  docker_host: path.describe(
    'Address of Docker Engine, as DOCKER_HOST takes it, or the path of its socket. null: the one that docker uses.',
  ),
  dashboard_own_servers: z
    .boolean()
    .describe('Let the function dashboard deploy images that bring their own server, which needs a network.'),
  bucket_cache_gb: z
    .number()
    .min(0.1)
    .max(100_000)
    .describe(
      'Disk space for images of buckets at most, in GB. All tasks share it; the least recently used are deleted first.',
    ),
  function_cpu_cores: z
    .number()
    .min(0.1)
    .max(1024)
    .nullable()
    .describe('CPU cores of one model function at most, from its next start. null: all cores.'),
  function_memory_mib: z
    .int()
    .min(64)
    .max(16_777_216)
    .nullable()
    .describe('Memory of one model function at most, in MiB, from its next start. null: all memory.'),
  function_gpu_memory_mib: z
    .int()
    .min(64)
    .max(16_777_216)
    .nullable()
    .describe('Memory of each GPU for all functions together, in MiB. null: all of it.'),
  /** Programs that read videos now; null if there are none. */
  video_tools: z.object({ ffmpeg: z.string(), ffprobe: z.string() }).nullable(),
  /** Message about an unreadable settings file that was quarantined. */
  notice: z.string().nullable(),
});

export const workbenchSettingsPatchSchema = workbenchSettingsSchema.omit({ video_tools: true, notice: true }).partial();

export const updateCheckSchema = z.object({
  latest: z.string(),
  is_newer: z.boolean(),
  page: z.string().describe('Page of the release. Nothing is downloaded.'),
});

export type WorkbenchSettings = z.output<typeof workbenchSettingsSchema>;
export type WorkbenchSettingsPatch = z.output<typeof workbenchSettingsPatchSchema>;
export type UpdateCheck = z.output<typeof updateCheckSchema>;
