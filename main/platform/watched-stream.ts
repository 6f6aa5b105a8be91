import { Transform } from 'node:stream';

/**
 * Passes chunks through after `onChunk` has seen them. An error that it throws ends the pipeline: a check for a
 * cancellation there ends the copy of a large file, which may take minutes.
 */
export const createWatchedStream = (onChunk: (chunk: Buffer) => void): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      try {
        onChunk(chunk);
      } catch (error) {
        callback(error as Error);
        return;
      }
      callback(null, chunk);
    },
  });
