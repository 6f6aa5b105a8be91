import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { prepareEnvironment } from './environments.ts';
import { start } from './processes.ts';

export type Color = readonly [red: number, green: number, blue: number];
export type Action = readonly ['key', string] | readonly ['click' | 'move', number, number] | null;

/** Milliseconds since the input, and the time of the paint since the epoch. */
export interface Paint {
  readonly ms: number;
  readonly at: number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Screen {
  /** Environment of the programs that use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Waits until a quarter of three rows across the screen has the colour. */
  painted(color: Color, timeout: number, action?: Action): Promise<Paint>;
  /** Waits until nothing has changed for `quiet`, and returns the time of the last change. */
  still(options: { quiet: number; timeout: number; action?: Action; left?: number; width?: number }): Promise<Paint>;
  find(color: Color): Promise<Box>;
  drag(options: { x: number; y: number; moves: number; limit: number }): Promise<{ times: number[]; at: number }>;
  input(action: Action): Promise<{ at: number }>;
  focus(): Promise<void>;
  save(path: string): Promise<void>;
  close(): Promise<void>;
}

/** A new X server with 1920 × 1080 pixels, and the driver that presses keys and reads pixels there. */
export async function openScreen(): Promise<Screen> {
  const python = join(await prepareEnvironment('screen'), 'bin', 'python');
  const server = start('Xvfb', ['-displayfd', '1', '-screen', '0', '1920x1080x24', '-nolisten', 'tcp', '-dpi', '96']);
  const [number] = (await once(server.child.stdout!, 'data')) as [Buffer];
  const env = { DISPLAY: `:${String(number).trim()}` };
  const driver = start(python, [join(import.meta.dirname, 'screen.py')], env);
  const lines = createInterface({ input: driver.child.stdout! })[Symbol.asyncIterator]();
  await lines.next();
  const ask = async <Result>(command: string, options: object = {}): Promise<Result> => {
    driver.child.stdin!.write(`${JSON.stringify([command, options])}\n`);
    const { value, done } = await lines.next();
    if (done === true) throw new Error('The driver of the screen ended.');
    const result = JSON.parse(value) as Result & { readonly error?: string };
    if (result.error !== undefined) throw new Error(result.error);
    return result;
  };
  return {
    env,
    painted: (color, timeout, action = null) => ask('painted', { color, timeout, action }),
    still: (options) => ask('still', options),
    find: (color) => ask('find', { color }),
    drag: (options) => ask('drag', options),
    input: (action) => ask('input', { action }),
    focus: async () => void (await ask('focus')),
    save: async (path) => void (await ask('save', { path })),
    async close() {
      await driver.stop();
      await server.stop();
    },
  };
}
