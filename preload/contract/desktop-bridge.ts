import { z } from 'zod';
import type { DesktopChannelName } from './desktop-channels.ts';

/**
 * `window.desktop`: functions that a browser lacks. Only the desktop shell provides it, and only to the workbench's own
 * page; the renderer works without it. Paths are absolute paths of this computer.
 */
export interface DesktopBridge {
  readonly platform: DesktopPlatform;
  /** Shows an open dialog for files. Returns an empty list if the user cancels. */
  openFiles(options?: OpenDialogOptions): Promise<string[]>;
  /** Shows an open dialog for folders. Returns an empty list if the user cancels. */
  openFolders(options?: OpenDialogOptions): Promise<string[]>;
  /** Shows a save dialog without writing the file. Returns `null` if the user cancels. */
  saveFile(options?: SaveDialogOptions): Promise<string | null>;
  /** Shows a file or folder in the platform's file manager. Returns false if the path does not exist. */
  revealInFolder(path: string): Promise<boolean>;
  /** Sets the language of the shell's menus and dialogs. Unsupported languages get English. */
  setLanguage(language: string): Promise<null>;
  /** Sets the colors of native dialogs, and of the window until its page has loaded at the next start. */
  setColorScheme(scheme: DesktopColorScheme): Promise<null>;
  /** Path of a `File` that was dropped or chosen; empty for a file that is not on disk. */
  pathForFile(file: object): string;
  /** Calls `listener` for window and application events until the returned function is called. */
  onEvent(listener: (event: DesktopEvent) => void): () => void;
}

const desktopPlatforms = ['linux', 'darwin', 'win32'] as const;
export type DesktopPlatform = (typeof desktopPlatforms)[number];

const colorSchemes = ['system', 'light', 'dark'] as const;
export type DesktopColorScheme = (typeof colorSchemes)[number];

const fileFilterSchema = z.strictObject({
  name: z.string().min(1).max(100),
  /** Without dots; `*` means any file. */
  extensions: z.array(z.string().regex(/^(\*|[A-Za-z0-9]{1,16}(\.[A-Za-z0-9]{1,16})?)$/)).max(50),
});

const dialogTitle = z.string().max(200);
const dialogPath = z.string().max(4096);

const openDialogSchema = z.strictObject({
  title: dialogTitle.optional(),
  defaultPath: dialogPath.optional(),
  multiple: z.boolean().optional(),
  filters: z.array(fileFilterSchema).max(20).optional(),
});
export type OpenDialogOptions = z.input<typeof openDialogSchema>;

const saveDialogSchema = z.strictObject({
  title: dialogTitle.optional(),
  /** File name or absolute path. */
  defaultPath: dialogPath.optional(),
  filters: z.array(fileFilterSchema).max(20).optional(),
});
type SaveDialogOptions = z.input<typeof saveDialogSchema>;

export const menuCommands = [
  'new-task',
  'new-project',
  'open-images',
  'open-folder',
  'open-backup',
  'import-annotations',
  'export-dataset',
  'undo',
  'redo',
  'preferences',
  'help',
  'shortcuts',
] as const;
export type MenuCommand = (typeof menuCommands)[number];

const desktopEventSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('menu'), command: z.enum(menuCommands) }),
  z.strictObject({ type: z.literal('window'), state: z.enum(['focus', 'blur', 'full-screen', 'leave-full-screen']) }),
  /** Opened with the program or from its menu: a backup of the workbench, or files and folders. */
  z.strictObject({ type: z.literal('open-path'), path: dialogPath }),
]);
export type DesktopEvent = z.output<typeof desktopEventSchema>;

/** Input and output of each message from the page to the main process. `desktopChannels` has the channels. */
export const desktopMessages = {
  openFiles: { input: openDialogSchema, output: z.array(z.string()) },
  openFolders: { input: openDialogSchema, output: z.array(z.string()) },
  saveFile: { input: saveDialogSchema, output: z.string().nullable() },
  revealInFolder: { input: dialogPath.min(1), output: z.boolean() },
  setLanguage: { input: z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/), output: z.null() },
  setColorScheme: { input: z.enum(colorSchemes), output: z.null() },
  /** Sent once the page listens. The answer contains earlier events. */
  ready: { input: z.null(), output: z.array(desktopEventSchema) },
} as const satisfies Record<DesktopChannelName, { input: z.ZodType; output: z.ZodType }>;
export type DesktopMessages = typeof desktopMessages;
