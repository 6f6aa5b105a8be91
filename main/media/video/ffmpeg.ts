import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { basename, delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../../platform/errors.ts';

/** ffmpeg and ffprobe, by absolute path. Plain data, so that it can be sent to a worker thread. */
export interface VideoTools {
  readonly ffmpeg: string;
  readonly ffprobe: string;
}

/**
 * Containers that contain frames themselves. Playlists and scripts are excluded, because they refer to other files and
 * addresses.
 */
const allowedContainers =
  'mov,mp4,matroska,webm,avi,mpegts,mpeg,mpegvideo,h264,hevc,m4v,flv,asf,ogg,mxf,dv,ivf,yuv4mpegpipe,mjpeg,av1,obu';

const keptStderrBytes = 4096;

/** The programs in the folders of `searchPath` (default: PATH), or undefined if one of them is missing. */
export async function findVideoTools(searchPath: string = process.env['PATH'] ?? ''): Promise<VideoTools | undefined> {
  const ffmpeg = await findProgram('ffmpeg', searchPath);
  const ffprobe = await findProgram('ffprobe', searchPath);
  return ffmpeg && ffprobe ? { ffmpeg, ffprobe } : undefined;
}

/** Error for a missing program: which one is missing, and what to do. */
export async function toolsMissing(subject: string, next: string): Promise<AppError> {
  const missing = (await findProgram('ffmpeg', process.env['PATH'] ?? '')) ? 'ffprobe' : 'ffmpeg';
  return new AppError(
    'unavailable',
    `${subject}, and ${missing} was not found. Install ffmpeg, which includes ffprobe, so that both are on the PATH, or set their location in Settings → Video, ${next}`,
  );
}

async function findProgram(name: string, searchPath: string): Promise<string | undefined> {
  const fileName = process.platform === 'win32' ? `${name}.exe` : name;
  for (const folder of searchPath.split(delimiter).filter((folder) => folder !== '')) {
    const path = join(folder, fileName);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

/** Arguments that open `file` as a local video and nothing else. */
export function inputArguments(file: string): string[] {
  return ['-protocol_whitelist', 'file', '-format_whitelist', allowedContainers, '-i', `file:${file}`];
}

export interface ToolRun {
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
  /** Called for each line of the error stream; the last lines are also added to the error's cause. */
  readonly onErrorLine?: (line: string) => void;
}

/**
 * Runs a program and yields its output in parts, with backpressure. Throws `invalid` with the program's last error
 * lines if it fails, `unavailable` if it cannot be started or is killed. The program is ended when the loop is left
 * early or the signal fires.
 */
export async function* runTool(program: string, args: readonly string[], run: ToolRun): AsyncGenerator<Buffer> {
  const tool = startTool(program, args, run, 'pipe');
  try {
    for await (const part of tool.output) yield part as Buffer;
    await tool.success();
  } catch (error) {
    run.signal?.throwIfAborted();
    throw error;
  } finally {
    await tool.end();
  }
}

/** @param output where the program writes: a pipe that is read here, or one end of another */
export function startTool(program: string, args: readonly string[], run: ToolRun, output: 'pipe' | Socket) {
  run.signal?.throwIfAborted();
  const child = spawn(program, args, { stdio: ['ignore', output, 'pipe'], windowsHide: true });
  const stop = (): void => {
    child.kill('SIGKILL');
  };
  run.signal?.addEventListener('abort', stop, { once: true });
  const exit = exitOf(child);
  // The reader of the output may fail first and never await this promise.
  exit.catch(() => {});
  const lastWords = collectErrorLines(child.stderr, run.onErrorLine);
  return {
    output: child.stdout ?? [],
    /** Waits for the program to end. @throws AppError unless it exited successfully */
    async success(): Promise<void> {
      const { code, killedBy } = await exit;
      run.signal?.throwIfAborted();
      if (killedBy !== null) throw toolEnded(program, run.name, killedBy);
      if (code !== 0) throw toolFailed(run.name, lastWords());
    },
    /** Ends it if it still runs. */
    async end(): Promise<void> {
      run.signal?.removeEventListener('abort', stop);
      stop();
      await exit.catch(() => undefined);
    },
  };
}

interface ToolExit {
  readonly code: number | null;
  /** The signal that killed it; null if it exited. */
  readonly killedBy: NodeJS.Signals | null;
}

function exitOf(child: ChildProcess): Promise<ToolExit> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      reject(
        new AppError('unavailable', `Cannot start ${child.spawnfile}. Check the installation of ffmpeg.`, undefined, {
          cause,
        }),
      );
    });
    child.once('close', (code, killedBy) => resolve({ code, killedBy }));
  });
}

function collectErrorLines(stream: Readable | null, onLine: ((line: string) => void) | undefined): () => string {
  let pending = '';
  let kept = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    kept = (kept + text).slice(-keptStderrBytes);
    pending += text;
    const lines = pending.split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) onLine?.(line);
  });
  return () => kept.trim();
}

/** This is not an error of the file: for example, the system kills programs when memory runs out. */
function toolEnded(program: string, name: string, killedBy: string): AppError {
  return new AppError(
    'unavailable',
    `${basename(program)} was ended by the system (${killedBy}) while it read ${name}. The file is unchanged. ` +
      'Try again; if it happens again, close other programs, because memory may be short.',
  );
}

function toolFailed(name: string, lastWords: string): AppError {
  const lastLine = lastWords.split('\n').at(-1) ?? '';
  const reason = lastLine.replace(/^.*?file:[^\s]*:\s*/, '').slice(0, 200);
  return new AppError('invalid', `${name} cannot be read as a video${reason ? ` (${reason})` : ''}.`, undefined, {
    cause: lastWords,
  });
}
