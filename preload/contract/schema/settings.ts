import { z } from 'zod';

const path = z.string().max(4096).nullable();

/** What this computer is set to, for all who use the workbench. */
export const workbenchSettingsSchema = z.object({
  /** The program ffmpeg, or the folder that it and ffprobe are in; null: those on the PATH. */
  ffmpeg_path: path,
  /** One more folder of format plug-ins. */
  formats_folder: path,
  /** The programs that videos are read with now; null where there are none. */
  video_tools: z.object({ ffmpeg: z.string(), ffprobe: z.string() }).nullable(),
  /** A sentence about a file of settings that could not be read and was set aside. */
  notice: z.string().nullable(),
});

export const workbenchSettingsPatchSchema = workbenchSettingsSchema
  .pick({ ffmpeg_path: true, formats_folder: true })
  .partial();

export type WorkbenchSettings = z.output<typeof workbenchSettingsSchema>;
export type WorkbenchSettingsPatch = z.output<typeof workbenchSettingsPatchSchema>;
