/**
 * HTTP server of a model function: accepts requests, passes them to worker processes, and returns their answers.
 *
 * Needs Node.js 12 or newer and only its own modules, because it runs inside images of other people. Settings are
 * LIMNER_* variables. The function's code runs in `worker.cjs`, one process per worker.
 */
'use strict';

const { spawn } = require('child_process');
const { randomBytes } = require('crypto');
const fs = require('fs');
const http = require('http');
const net = require('net');
const path = require('path');
const { createFrameReader, writeFrame } = require('./frames.cjs');

const healthPath = '/__internal/health';
/** Links only: Limner asks for the reachable addresses from inside the container. */
const reachPath = '/__internal/reach';
const reachTimeoutMs = 1000;
/** Idle connections for calls. If Limner does not listen, the next attempt follows after a delay. */
const spareConnections = 2;
const redialMs = 200;
/**
 * File next to the socket with the seconds without a call after which the function exits while Limner is not running.
 */
const restFile = 'rest-after-seconds';
const lookForRestMs = 500;
/** After more crashes the container ends, and Docker's restart policy decides. */
const crashesAllowed = 5;
const crashWindowMs = 60000;
/** Longer headers are dropped as in Nuclio, because clients would reject them. */
const maxLogHeaderBytes = 4096;
/** Maximum bytes that are read and discarded from a rejected request, so that its client receives the answer. */
const maxDiscardedBytes = 512 * 1024 * 1024;
const levels = { debug: 0, info: 1, warning: 2, warn: 2, error: 3 };

const number = (name, fallback) => {
  const text = process.env[name];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : fallback;
};
const settings = {
  port: number('LIMNER_PORT', 8080),
  address: process.env.LIMNER_ADDRESS || '0.0.0.0',
  /** Limner's socket, used instead of listening on a port. */
  link: process.env.LIMNER_LINK || '',
  /** True if Limner calls by `docker exec`, because it runs on another computer. */
  isBridged: process.env.LIMNER_BRIDGE === '1',
  workers: Math.max(1, number('LIMNER_WORKERS', 1)),
  workerWaitMs: number('LIMNER_WORKER_WAIT_MS', 10000),
  eventTimeoutMs: number('LIMNER_EVENT_TIMEOUT_MS', 30000),
  maxBodyBytes: number('LIMNER_MAX_BODY_BYTES', 32 * 1024 * 1024),
};

/** Writes one JSON object per line to standard output, which Docker stores as the container's log. */
function writeRecord(record) {
  process.stdout.write(`${JSON.stringify(record)}\n`);
}

function log(level, message, details) {
  writeRecord({
    datetime: new Date().toISOString(),
    level,
    message,
    ...(details === undefined ? {} : { with: details }),
  });
}

/** Exits after the log output is written. */
function endProcess(code) {
  process.stdout.write('', () => process.exit(code));
}

const endOf = (code, signal) => {
  if (signal) return `signal ${signal}${signal === 'SIGKILL' ? ' (perhaps the memory limit)' : ''}`;
  return `exit code ${code}`;
};

/** A process that runs the function. It handles one request at a time and is replaced if it hangs or exits. */
function createWorker(index, pool) {
  const child = spawn(process.execPath, [path.join(__dirname, 'worker.cjs')], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, LIMNER_WORKER_ID: String(index) },
  });
  const channel = child.stdio[3];
  const worker = { index, isReady: false, isEnding: false, hasEnded: false, records: [], end: '', ask, kill };
  let waiting = null;

  function takeRecord(record) {
    const whole = { datetime: new Date().toISOString(), ...record, worker: index };
    worker.records.push(whole);
    writeRecord(whole);
  }
  createFrameReader(channel, (head, body) => {
    if (head.type === 'log') takeRecord(head.record);
    else if (head.type === 'ready') {
      worker.isReady = true;
      pool.becameReady(worker);
    } else if (waiting) waiting({ head, body });
  });
  channel.on('error', () => undefined);
  readLines(child.stdout, (message) => takeRecord({ level: 'info', message, with: { stream: 'stdout' } }));
  readLines(child.stderr, (message) => takeRecord({ level: 'info', message, with: { stream: 'stderr' } }));
  child.on('exit', (code, signal) => {
    worker.hasEnded = true;
    worker.end = endOf(code, signal);
    if (waiting) waiting({ gone: true });
    pool.hasEnded(worker);
  });

  /** Resolves with the answer's head and body, or with a failure: `{ gone }`, `{ late }`. */
  function ask(head, body) {
    worker.records = [];
    return new Promise((resolve) => {
      const timer = setTimeout(() => finish({ late: true }), settings.eventTimeoutMs);
      function finish(result) {
        clearTimeout(timer);
        waiting = null;
        resolve(result);
      }
      waiting = finish;
      if (worker.hasEnded) finish({ gone: true });
      else writeFrame(channel, head, body);
    });
  }
  function kill() {
    worker.isEnding = true;
    child.kill('SIGKILL');
  }
  return worker;
}

/** Turns the function's output into log records. */
function readLines(stream, take) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop();
    for (const line of lines) if (line !== '') take(line);
  });
  stream.on('end', () => {
    if (rest !== '') take(rest);
  });
}

function createPool() {
  const workers = new Map();
  const idle = [];
  const queue = [];
  let crashes = [];
  const pool = {
    hasStarted: false,
    isStopping: false,
    start() {
      for (let index = 0; index < settings.workers; index += 1) workers.set(index, createWorker(index, pool));
    },
    becameReady(worker) {
      if (!pool.hasStarted && [...workers.values()].every((one) => one.isReady)) {
        pool.hasStarted = true;
        use.lastAt = secondsNow();
        log('info', 'The function is ready', { workers: workers.size });
      }
      pool.giveBack(worker);
    },
    hasEnded(worker) {
      if (pool.isStopping) return;
      const position = idle.indexOf(worker);
      if (position >= 0) idle.splice(position, 1);
      if (!worker.isEnding) log('error', `Worker ${worker.index} exited with ${worker.end}`);
      if (!worker.isReady) {
        log('error', 'The function could not be initialized; its container exits');
        endProcess(1);
        return;
      }
      if (!worker.isEnding) {
        const now = Date.now();
        crashes = [...crashes.filter((then) => now - then < crashWindowMs), now];
        if (crashes.length > crashesAllowed) {
          log('error', 'The function crashes repeatedly; its container exits');
          endProcess(1);
          return;
        }
      }
      workers.set(worker.index, createWorker(worker.index, pool));
    },
    /** Resolves with an idle worker; null if none becomes free in time. */
    take() {
      const free = idle.shift();
      if (free) return Promise.resolve(free);
      if (settings.workerWaitMs === 0) return Promise.resolve(null);
      return new Promise((resolve) => {
        const entry = { resolve };
        entry.timer = setTimeout(() => {
          queue.splice(queue.indexOf(entry), 1);
          resolve(null);
        }, settings.workerWaitMs);
        queue.push(entry);
      });
    },
    giveBack(worker) {
      if (worker.hasEnded || workers.get(worker.index) !== worker) return;
      const next = queue.shift();
      if (!next) {
        idle.push(worker);
        return;
      }
      clearTimeout(next.timer);
      next.resolve(worker);
    },
    stop() {
      pool.isStopping = true;
      for (const worker of workers.values()) worker.kill();
    },
  };
  return pool;
}

const pool = createPool();

/** Resolves with the complete body; null if it exceeds the function's limit. */
function readBody(request) {
  return new Promise((resolve, reject) => {
    const declared = Number(request.headers['content-length'] || 0);
    const pieces = [];
    let total = 0;
    let isTooLarge = declared > settings.maxBodyBytes;
    request.on('data', (piece) => {
      total += piece.length;
      if (total > settings.maxBodyBytes) isTooLarge = true;
      if (isTooLarge) pieces.length = 0;
      else pieces.push(piece);
      if (total > maxDiscardedBytes) resolve(null);
    });
    request.on('end', () => resolve(isTooLarge ? null : Buffer.concat(pieces)));
    request.on('aborted', () => reject(new Error('The client has disconnected')));
    request.on('error', reject);
  });
}

/** Reads a platform header with either prefix. */
function platformHeader(request, name) {
  for (const platform of ['Nuclio', 'Limner']) {
    const value = request.headers[`x-${platform}-${name}`.toLowerCase()];
    if (value !== undefined) return { value: String(value), platform };
  }
  return { value: undefined, platform: 'Limner' };
}

const clean = (text) => String(text).replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ');

function answer(response, status, body, contentType, headers) {
  const names = ['content-length', 'transfer-encoding', 'connection'];
  response.statusCode = status;
  response.setHeader('Content-Type', clean(contentType));
  response.setHeader('Content-Length', body.length);
  response.setHeader('Server', 'Limner');
  for (const [name, value] of Object.entries(headers || {})) {
    if (!names.includes(name.toLowerCase()) && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      response.setHeader(name, clean(value));
    }
  }
  response.end(body);
}

const json = (value) => Buffer.from(JSON.stringify(value));

async function handle(request, response) {
  const question = request.url.indexOf('?');
  const pathname = question < 0 ? request.url : request.url.slice(0, question);
  if (pathname === healthPath) {
    request.resume();
    answer(response, pool.hasStarted ? 200 : 503, json({ ready: pool.hasStarted }), 'application/json');
    return;
  }
  const body = await readBody(request);
  if (pathname === reachPath && (settings.link !== '' || settings.isBridged) && body !== null) {
    const { port, hosts } = JSON.parse(body.toString());
    const reached = await Promise.all(hosts.map((host) => reaches(host, port)));
    answer(response, 200, json({ reached: hosts.filter((_, index) => reached[index]) }), 'application/json');
    return;
  }
  if (body === null) {
    response.setHeader('Connection', 'close');
    const error = `The request is larger than the ${settings.maxBodyBytes} bytes that this function accepts`;
    answer(response, 413, json({ error }), 'application/json');
    return;
  }
  await runEvent(request, response, pathname, body);
}

function reaches(host, port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: reachTimeoutMs });
    const end = (isReached) => {
      socket.destroy();
      resolve(isReached);
    };
    socket.on('connect', () => end(true));
    socket.on('timeout', () => end(false));
    socket.on('error', () => end(false));
  });
}

/** Number of running calls, and time of the last start or end of a call. */
const use = { calls: 0, lastAt: 0 };
const secondsNow = () => process.uptime();

async function runEvent(request, response, pathname, body) {
  use.calls += 1;
  try {
    await answerEvent(request, response, pathname, body);
  } finally {
    use.calls -= 1;
    use.lastAt = secondsNow();
  }
}

async function answerEvent(request, response, pathname, body) {
  const identity = platformHeader(request, 'Invocation-Id').value || randomBytes(16).toString('hex');
  const level = platformHeader(request, 'Log-Level');
  const worker = await pool.take();
  if (worker === null) {
    log('warning', 'No worker became free in time', { invocation: identity });
    answer(response, 503, Buffer.alloc(0), 'text/plain');
    return;
  }
  const query = request.url.slice(pathname.length + 1);
  const headers = {};
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    headers[request.rawHeaders[index]] = request.rawHeaders[index + 1];
  }
  const event = {
    id: identity,
    method: request.method,
    path: pathname,
    url: request.url,
    fields: [...new URLSearchParams(query)].reduce((fields, [key, value]) => ({ ...fields, [key]: value }), {}),
    headers,
    contentType: request.headers['content-type'] || '',
    timestampMs: Date.now(),
  };
  const result = await worker.ask(event, body);
  if (result.late) {
    log('error', 'The handler took too long; its worker is replaced', { invocation: identity, worker: worker.index });
    worker.kill();
    answer(response, 408, json({ error: 'handler timed out' }), 'application/json');
    return;
  }
  if (result.gone) {
    const error = `The worker exited with ${worker.end} while it handled the request`;
    answer(response, 500, json({ error }), 'application/json');
    return;
  }
  const { records } = worker;
  pool.giveBack(worker);
  const logs = level.value === undefined ? {} : logHeader(`X-${level.platform}-Logs`, records, level.value);
  const { status, contentType, headers: own } = result.head;
  answer(response, status, result.body, contentType, { ...own, ...logs });
}

function logHeader(name, records, level) {
  const least = levels[level.toLowerCase()] || 0;
  const chosen = records.filter((record) => (levels[record.level] === undefined ? 1 : levels[record.level]) >= least);
  const text = JSON.stringify(chosen);
  return text.length < maxLogHeaderBytes ? { [name]: text } : {};
}

const server = http.createServer((request, response) => {
  if (spares.delete(request.socket)) dial();
  handle(request, response).catch((error) => {
    log('error', `A request failed: ${error && error.message}`);
    if (!response.headersSent) answer(response, 500, json({ error: 'The request failed' }), 'application/json');
  });
});
server.keepAliveTimeout = 300000;
server.headersTimeout = 310000;
server.requestTimeout = 0;

// Process 1 of a container has no default signal handlers; without these, Docker would wait and then kill it.
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    pool.stop();
    endProcess(0);
  });
}

/** Connections without a request so far. */
const spares = new Set();
let hasDialled = false;
/** Number of open connections; 0 while Limner is not running. */
let connections = 0;

/** Opens a connection for calls, because the container has no network to listen on. */
function dial() {
  const socket = net.connect({ path: settings.link });
  spares.add(socket);
  socket.on('connect', () => {
    hasDialled = true;
    connections += 1;
    socket.on('close', () => (connections -= 1));
    server.emit('connection', socket);
  });
  socket.on('error', (error) => {
    if (hasDialled || error.code !== 'EACCES') return;
    log('error', `Limner's socket cannot be used from inside the container: ${error.message}`);
    endProcess(1);
  });
  socket.on('close', () => {
    if (spares.delete(socket)) setTimeout(dial, redialMs);
  });
}

/** Limner stops idle functions. While it is not running, the function exits after the same time. */
function restWhenAlone() {
  if (connections > 0 || use.calls > 0 || !pool.hasStarted || pool.isStopping) return;
  const seconds = restAfterSeconds();
  if (seconds === null || secondsNow() - use.lastAt < seconds) return;
  log('info', `No call for ${seconds} s, and Limner is not running: the function exits`);
  pool.stop();
  endProcess(0);
}

/** Null for never. */
function restAfterSeconds() {
  try {
    const seconds = Number(fs.readFileSync(path.join(path.dirname(settings.link), restFile), 'utf8'));
    return seconds > 0 ? seconds : null;
  } catch (error) {
    return null;
  }
}

const starts = { node: process.versions.node, workers: settings.workers };
if (settings.link !== '') {
  log('info', 'The function starts', starts);
  for (let count = 0; count < spareConnections; count += 1) dial();
  setInterval(restWhenAlone, lookForRestMs);
  pool.start();
} else {
  server.listen(settings.port, settings.address, () => {
    log('info', 'The function starts', { ...starts, port: server.address().port });
    pool.start();
  });
}
