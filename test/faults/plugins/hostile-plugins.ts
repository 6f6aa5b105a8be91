/** Malicious or broken plug-ins. Each is the body of an importer. */

/** Attempts forbidden actions and warns of each that worked. The test fills in `secret` and the addresses. */
const attempts = (tries: Readonly<Record<string, string>>): string => `
  const tries = { ${Object.entries(tries)
    .map(([name, code]) => `${JSON.stringify(name)}: async () => { ${code} }`)
    .join(',\n')} };
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      const got = await Promise.race([attempt(), new Promise((_, no) => setTimeout(() => no(new Error('late')), 400))]);
      options.report.warn('ESCAPED ' + name + ': ' + String(got).slice(0, 80));
    } catch (error) {
      options.report.warn('refused ' + name + ': ' + error.message);
    }
  }
`;

export const fileAttempts = attempts({
  'read passwd': `return fs.readFileSync('/etc/passwd', 'utf8');`,
  'read by promise': `return (await fsp.readFile('/etc/hostname', 'utf8'));`,
  'list root': `return fs.readdirSync('/').join();`,
  'list home': `return fs.readdirSync(process.env.HOME ?? '/root').join();`,
  'read secret': `return fs.readFileSync('SECRET', 'utf8');`,
  'read beside its file': `return fs.readdirSync(path.dirname(file_object.path)).join();`,
  'read environment': `return fs.readFileSync('/proc/self/environ', 'utf8');`,
  'read of parent': `return fs.readFileSync('/proc/' + process.ppid + '/environ', 'utf8');`,
  'write its file': `fs.writeFileSync(file_object.path, 'x'); return 'written';`,
  'write in tmp': `fs.writeFileSync('/tmp/limner-escape', 'x'); return 'written';`,
  'remove its file': `fs.rmSync(file_object.path); return 'removed';`,
  'link to secret': `fs.symlinkSync('SECRET', '/tmp/limner-link'); return 'linked';`,
  'import of secret': `return (await import('SECRET', { with: { type: 'json' } })).default.secret;`,
  'change folder': `process.chdir('/etc'); return process.cwd();`,
  environment: `if (Object.keys(process.env).length > 0) return Object.keys(process.env).join(); throw new Error('empty');`,
});

export const networkAttempts = attempts({
  'import net': `return (await import('node:net')).connect.name;`,
  'import http': `return (await import('http')).get.name;`,
  'import dns': `return (await import('node:dns/promises')).lookup.name;`,
  'import dgram': `return (await import('dgram')).createSocket.name;`,
  fetch: `return (await fetch('http://127.0.0.1:PORT/')).status;`,
  websocket: `return new WebSocket('ws://127.0.0.1:PORT/').url;`,
  'builtin module': `return process.getBuiltinModule('net').connect.name;`,
  binding: `return Object.keys(process.binding('tcp_wrap')).join();`,
  'socket of output': `
    const Socket = process.stdout.constructor;
    return new Promise((yes, no) => new Socket().on('error', no).connect(PORT, '127.0.0.1', () => yes('connected')));`,
  'unix socket of output': `
    const Socket = process.stdout.constructor;
    return new Promise((yes, no) => new Socket().on('error', no).connect('UNIX', () => yes('connected')));`,
  'handle of output': `
    const handle = process.stdout._handle;
    const Pipe = handle.constructor;
    const pipe = new Pipe(0);
    pipe.connect({ oncomplete() {} }, 'UNIX');
    return 'connected';`,
  'create require': `return (await import('node:module')).createRequire('file:///').name;`,
  'net as data': `return (await import('data:text/javascript,import net from "node:net"; export const name = net.connect.name;')).name;`,
});

export const processAttempts = attempts({
  'import child_process': `return (await import('node:child_process')).execSync('id').toString();`,
  'import worker_threads': `return (await import('node:worker_threads')).Worker.name;`,
  'import cluster': `return (await import('node:cluster')).default.fork.name;`,
  'import vm': `return (await import('node:vm')).runInThisContext('1');`,
  'import inspector': `return (await import('node:inspector')).open.name;`,
  'kill the parent': `process.kill(process.ppid, 'SIGTERM'); return 'killed';`,
  'kill by inside': `return process._kill(process.ppid, 15);`,
  'debug the parent': `process._debugProcess(process.ppid); return 'debugged';`,
  'replace itself': `process.execve('/bin/sh', ['sh', '-c', 'id'], {}); return 'replaced';`,
  'load an addon': `process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6'); return 'loaded';`,
  'write a report': `return process.report.writeReport('/tmp/limner-report.json');`,
});

/** Plug-ins that fail, with the reported reason. */
export const faults: readonly (readonly [name: string, body: string, says: RegExp])[] = [
  ['an endless loop', `for (;;);`, /did not respond for 1(\.\d)? s/],
  ['a promise that never ends', `await new Promise(() => setInterval(() => {}, 1000));`, /did not respond/],
  ['a loop that only reports progress', `for (;;) { options.progress(0.5); await null; }`, /took longer than/],
  ['a memory bomb of objects', `const all = []; for (;;) all.push({ a: [1, 2, 3], b: {} });`, /more than \d+ MiB/],
  [
    'a memory bomb of buffers',
    `const all = []; for (;;) all.push(Buffer.alloc(16e6, 1));`,
    /more than \d+ MiB|failed: .*allocat/i,
  ],
  ['one buffer of 10 GB', `Buffer.alloc(10e9, 1);`, /more than \d+ MiB|failed: .*(allocation|memory)/i],
  ['a throw', `throw new Error('I do not like it');`, /failed: I do not like it/],
  ['a throw of no error', `throw null;`, /failed: null/],
  [
    'a throw outside of its function',
    `setTimeout(() => { throw new Error('later'); }, 1); await new Promise(() => {});`,
    /later|ended/,
  ],
  [
    'a rejection that nobody takes',
    `void Promise.reject(new Error('unseen')); await new Promise(() => setInterval(() => {}, 50));`,
    /unseen|ended/,
  ],
  ['an exit', `process.exit(0);`, /ended with code 0 before it was done/],
  ['an exit with a code', `process.exit(7);`, /ended with code 7/],
  ['an abort', `process.abort();`, /ended (by|with)/],
  ['a deep recursion', `const f = () => f() + 1; f();`, /call stack/i],
  [
    'a throw at the last object',
    `for (let i = 0; i < 2000; i += 1) add(i); throw new Error('at the end');`,
    /failed: at the end/,
  ],
  [
    'garbage on the socket',
    `fs.writeSync(3, 'garbage, no message at all');`,
    /sent an invalid message|before it was done/,
  ],
  ['a message of 4 GB', `const h = Buffer.alloc(8, 255); fs.writeSync(3, h);`, /sent an invalid message/],
  ['a message that is no JSON', `const h = Buffer.alloc(11); h[0] = 3; fs.writeSync(3, h);`, /sent an invalid message/],
  ['a message of a kind that there is not', `say({ say: '__proto__' });`, /sent an invalid message/],
  ['a question that there is not', `say({ ask: 'constructor' });`, /sent an unknown request/],
  ['a list that there is not', `say({ ask: 'open', list: '__proto__' });`, /requested an unknown list/],
  ['lists without end', `for (;;) task_data.group_by_frame(true)[Symbol.iterator]().next();`, /more than 16 lists/],
];

export const nuisances = {
  flood: `const line = 'x'.repeat(1e6); for (let i = 0; i < 200; i += 1) process.stdout.write(line); add(0);`,
  pollution: `Object.prototype.polluted = 1; Array.prototype.map = () => []; JSON.stringify.x = 1; add(0);`,
  prototypes: `say({ say: 'add', items: [['shape', JSON.parse('{"__proto__":{"polluted":1},"type":"points","frame":0,"label":"car","points":[1,2]}'), null]] });`,
  warnings: `for (let i = 0; i < 20000; i += 1) options.report.warn('warning ' + i + 'x'.repeat(2000)); add(0);`,
  badObjects: `
    const good = { type: 'points', frame: 0, label: 'car', points: [1, 2], occluded: false, attributes: [], group: 0, z_order: 0 };
    for (const change of [{ type: 'nonsense' }, { frame: 1e9 }, { frame: 'x' }, { label: 'no such' }, { label: null },
      { points: 'abc' }, { points: [1] }, { points: [1, null] }, { points: [NaN, 1] }, { points: [Infinity, 1] }, { attributes: 3 }, { attributes: [{}] },
      { rotation: 'x' }, { source: 'moon' }, { z_order: 1.5 }, { elements: [{}] }, { type: 'skeleton', points: [] }]) task_data.add_shape({ ...good, ...change });
    task_data.add_track({ label: 'car', group: 0, shapes: [] });
    task_data.add_track({ label: 'car', group: 0, shapes: 'none' });
    task_data.add_tag({ frame: 0, label: 'car', attributes: [], group: 'x' });
    task_data.add_tag(7);
    task_data.add_shape(good, 'line 99');`,
} as const;

export function hostileModule(name: string, body: string): string {
  return `
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import path from 'node:path';
import { importer } from 'limner/formats';
void [fsp, path];
export const hostile = importer({ name: ${JSON.stringify(name)}, version: '1.0', ext: 'TXT', display_name: ${JSON.stringify(name)} })(
  async (file_object, task_data, options) => {
    const say = (message) => {
      const text = Buffer.from(JSON.stringify(message));
      const header = Buffer.alloc(8);
      header.writeUInt32LE(text.length, 0);
      fs.writeSync(3, Buffer.concat([header, text]));
    };
    const add = (frame) => task_data.add_shape({ type: 'points', frame: 0, label: 'car', points: [frame, 2], occluded: false, attributes: [], group: 0, z_order: 0 });
    void [say, add];
    ${body}
  },
);
`;
}
