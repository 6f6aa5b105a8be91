import { Duplex, type Readable, type Writable } from 'node:stream';

const frameHeaderBytes = 8;

/**
 * Socket over two streams, for `http.Agent`. Output of `docker exec` has frames of stdout and stderr; with `isFramed` only
 * stdout is read.
 */
export class StreamSocket extends Duplex {
  readonly #input: Writable;
  readonly #output: Readable;
  readonly #onDestroy: () => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor({
    input,
    output,
    isFramed = false,
    isProgram = false,
    onDestroy = () => undefined,
  }: {
    /** Bytes for the other side. */
    readonly input: Writable;
    /** Bytes of the other side. */
    readonly output: Readable;
    readonly isFramed?: boolean;
    /** True if the streams are those of a program. Its owner ends the socket, because only its exit tells why it ended. */
    readonly isProgram?: boolean;
    readonly onDestroy?: () => void;
  }) {
    super({ allowHalfOpen: true });
    this.#input = input;
    this.#output = output;
    this.#onDestroy = onDestroy;
    output.on('data', (piece: Buffer) => {
      if (!(isFramed ? this.#pushFrames(piece) : this.push(piece))) output.pause();
    });
    const end = isProgram ? () => undefined : (error: Error) => this.destroy(error);
    if (!isProgram) output.on('end', () => this.push(null));
    output.on('error', end);
    input.on('error', end);
  }

  #pushFrames(piece: Buffer): boolean {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let wantsMore = true;
    while (this.#rest.length >= frameHeaderBytes) {
      const end = frameHeaderBytes + this.#rest.readUInt32BE(4);
      if (this.#rest.length < end) break;
      if (this.#rest[0] === 1) wantsMore = this.push(this.#rest.subarray(frameHeaderBytes, end));
      this.#rest = this.#rest.subarray(end);
    }
    return wantsMore;
  }

  override _read(): void {
    this.#output.resume();
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // An error of a program's input is the end of the program.
    this.#input.write(piece, () => done());
  }

  override _final(done: () => void): void {
    this.#input.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#output.destroy();
    this.#input.destroy();
    this.#onDestroy();
    done(error);
  }

  // `http.Agent` calls these on each connection that it keeps.
  setKeepAlive = (): this => this;
  setNoDelay = (): this => this;
  setTimeout = (): this => this;
  ref = (): this => this;
  unref = (): this => this;
}
