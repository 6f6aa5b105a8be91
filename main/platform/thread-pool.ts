/**
 * All file operations of the process share libuv's threads, four by default. Each read of a slow disk holds one until
 * the disk answers, so that pages, uploads and images of other disks would wait. An idle thread costs some kilobytes.
 */
const threads = 16;

/** Must run before the first file operation, which starts the threads. */
export function widenThreadPool(environment: NodeJS.ProcessEnv): void {
  environment['UV_THREADPOOL_SIZE'] ??= String(threads);
}
