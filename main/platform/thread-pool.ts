/**
 * All file operations of the process share libuv's threads, four by default. Each read of a slow disk holds one until
 * the disk answers, so that pages, uploads and images of other disks would wait. An idle thread costs some kilobytes.
 */
const threads = 16;

/** Must run before the first file operation, which starts the threads. */
export function widenThreadPool(environment: NodeJS.ProcessEnv): void {
  environment['UV_THREADPOOL_SIZE'] ??= String(threads);
}

let isHeld = false;
/** Notes that a worker thread has not ended, because it waits for a disk. */
export const noteHeldThread = (): void => void (isHeld = true);

/** A file operation of a disk that answers ends earlier. */
const patienceMs = 5000;

/**
 * Ends the process when everything is closed and written. The usual end waits for all threads, also for those that wait
 * for a disk, which may never answer.
 */
export function endProcess(began = performance.now()): void {
  const isWaiting = process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
  if (isWaiting && performance.now() - began < patienceMs) {
    setTimeout(endProcess, 100, began).unref();
    return;
  }
  if (isHeld || isWaiting) process.kill(process.pid, 'SIGKILL');
  process.exit();
}
