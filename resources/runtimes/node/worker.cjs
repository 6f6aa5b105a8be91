/** One worker of a model function: loads and initializes the handler, then answers events one at a time. */
'use strict';

const { Socket } = require('net');
const path = require('path');
const { format } = require('util');
const { pathToFileURL } = require('url');
const { createFrameReader, writeFrame } = require('./frames.cjs');

/** The server passes its end of the channel as this descriptor. */
const channel = new Socket({ fd: 3, readable: true, writable: true });
channel.on('error', () => process.exit(0));
channel.on('end', () => process.exit(0));

let invocation;

function write(level, message, values) {
  const record = { datetime: new Date().toISOString(), level, message: String(message) };
  if (values && Object.keys(values).length > 0) record.with = values;
  if (invocation !== undefined) record.invocation = invocation;
  writeFrame(channel, { type: 'log', record });
}

const logger = {};
for (const [name, level] of [
  ['debug', 'debug'],
  ['info', 'info'],
  ['warn', 'warning'],
  ['error', 'error'],
]) {
  logger[name] = (...values) => write(level, format(...values));
  logger[`${name}With`] = (message, values) => write(level, message, values);
}

class Response {
  constructor(body = null, headers = {}, contentType = 'text/plain', statusCode = 200) {
    this.body = body;
    this.headers = headers;
    this.content_type = contentType;
    this.status_code = statusCode;
  }
}

const trigger = { kind: 'http', name: process.env.LIMNER_TRIGGER_NAME || 'default-http' };
const context = {
  userData: {},
  logger,
  Response,
  trigger,
  workerId: Number(process.env.LIMNER_WORKER_ID || 0),
  platform: { kind: 'local', namespace: process.env.LIMNER_NAMESPACE || 'nuclio' },
  callback: () => undefined,
};

const bytesOf = (body) => {
  if (body === null || body === undefined) return Buffer.alloc(0);
  return Buffer.isBuffer(body) ? body : Buffer.from(String(body));
};
const isText = (value) => typeof value === 'string' || Buffer.isBuffer(value);

/** Status, content type, headers and bytes of a handler's answer. */
function answerOf(value) {
  if (Array.isArray(value) && value.length === 2 && Number.isInteger(value[0])) {
    return { ...answerOf(value[1]), status: value[0] };
  }
  if (value instanceof Response) {
    const isData = typeof value.body === 'object' && value.body !== null && !Buffer.isBuffer(value.body);
    return {
      status: value.status_code,
      contentType: value.content_type,
      headers: value.headers || {},
      body: isData ? Buffer.from(JSON.stringify(value.body)) : bytesOf(value.body),
    };
  }
  if (isText(value) || value === undefined || value === null) {
    return { status: 200, contentType: 'text/plain', headers: {}, body: bytesOf(value) };
  }
  return { status: 200, contentType: 'application/json', headers: {}, body: Buffer.from(JSON.stringify(value)) };
}

function failure(error) {
  const reason = error && error.message ? error.message : String(error);
  logger.error('Exception caught in handler:\n%s', (error && error.stack) || reason);
  const body = Buffer.from(`Error in handler: ${reason}. See the log of the function.`);
  return { status: 500, contentType: 'text/plain', headers: {}, body };
}

/**
 * A handler answers once through `context.callback` or, if it is async, with its return value. A rejected promise
 * without an answer is an error and does not hang.
 */
function run(handler, event) {
  return new Promise((resolve) => {
    context.callback = (value) => Promise.resolve(value).then((result) => resolve(answerOf(result)));
    try {
      Promise.resolve(handler(context, event)).then(
        (value) => {
          if (value !== undefined) resolve(answerOf(value));
        },
        (error) => resolve(failure(error)),
      );
    } catch (error) {
      resolve(failure(error));
    }
  });
}

async function load() {
  const folder = process.env.LIMNER_HANDLER_DIR || '/opt/nuclio';
  const [file, name = 'handler'] = (process.env.LIMNER_HANDLER || 'handler:handler').split(':');
  const loaded = await loadModule(path.join(folder, file));
  const handler = loaded[name] || (loaded.default && loaded.default[name]);
  if (typeof handler !== 'function') throw new Error(`${file} exports no function "${name}"`);
  const initialise = loaded.initContext || (loaded.default && loaded.default.initContext);
  if (typeof initialise === 'function') await initialise(context);
  return handler;
}

/** Loads a CommonJS module, as in Nuclio's functions, or an ECMAScript module. */
async function loadModule(file) {
  if (file.endsWith('.mjs')) return import(pathToFileURL(file).href);
  try {
    return require(file);
  } catch (error) {
    if (error.code === 'ERR_REQUIRE_ESM') return import(pathToFileURL(require.resolve(file)).href);
    throw error;
  }
}

async function main() {
  const handler = await load();
  let turn = Promise.resolve();
  createFrameReader(channel, (head, body) => {
    turn = turn.then(async () => {
      invocation = head.id;
      const event = {
        ...head,
        body,
        size: body.length,
        content_type: head.contentType,
        timestamp: new Date(head.timestampMs),
        trigger,
        getHeader: (name) => {
          const found = Object.keys(head.headers).find((key) => key.toLowerCase() === name.toLowerCase());
          return found === undefined ? undefined : head.headers[found];
        },
      };
      const { status, contentType, headers, body: content } = await run(handler, event);
      writeFrame(channel, { type: 'answer', status, contentType, headers }, content);
    });
  });
  writeFrame(channel, { type: 'ready' });
}

process.on('unhandledRejection', (error) => logger.error('Unhandled rejection: %s', (error && error.stack) || error));

main().catch((error) => {
  logger.error('The function could not be loaded:\n%s', (error && error.stack) || error);
  channel.end(() => process.exit(1));
  setTimeout(() => process.exit(1), 1000);
});
