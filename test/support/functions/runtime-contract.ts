import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createLinks, linkFile } from '../../../main/functions/engines/docker/link.ts';
import { logged, startRuntime, type RunningRuntime, type RuntimeKind, type RuntimeOptions } from './runtime-process.ts';

export interface RuntimeHandlers {
  /** Answers `{"worker", "state", "body", "header", "path", "field"}`; counts its calls in the user data. */
  readonly echo: string;
  /** By the body's `do`: sleep, doze (and say so), exit, throw, print, log, or answer `{"pid"}`. */
  readonly obey: string;
  readonly broken: string;
}

export function describeRuntime(kind: RuntimeKind, handlers: RuntimeHandlers): void {
  describe(`the runtime for ${kind.name}`, () => {
    let running: RunningRuntime | null = null;
    const start = async (code: string, options: RuntimeOptions = {}, waitReady = true) => {
      running = await startRuntime(kind, code, options, waitReady);
      return running;
    };
    afterEach(async () => {
      await running?.stop();
      running = null;
    });

    test('initializes the context once, and passes events to the handler', async () => {
      const runtime = await start(handlers.echo);
      const first = await runtime.call(
        { image: 'aGVsbG8=' },
        { path: '/a/b?field=value', headers: { 'X-Test': 'header value' } },
      );
      expect(first.status).toBe(200);
      expect(first.headers.get('content-type')).toBe('application/json');
      expect(await first.json()).toEqual({
        worker: 0,
        calls: 1,
        body: { image: 'aGVsbG8=' },
        header: 'header value',
        path: '/a/b',
        field: 'value',
      });
      expect(await (await runtime.call({})).json()).toMatchObject({ calls: 2, body: {} });
    });

    test('accepts JSON with parameters in its media type', async () => {
      const runtime = await start(handlers.echo);
      const answer = await runtime.call({ a: 1 }, { headers: { 'Content-Type': 'application/json; charset=utf-8' } });
      expect(await answer.json()).toMatchObject({ body: { a: 1 } });
    });

    test('runs each worker in a separate process', async () => {
      const runtime = await start(handlers.obey, { workers: 2 });
      const pids = await Promise.all(
        [1, 2].map(async () => ((await (await runtime.call({ do: 'sleep', ms: 300 })).json()) as { pid: number }).pid),
      );
      expect(new Set(pids).size).toBe(2);
    });

    test('answers 503 with an empty body if no worker becomes free in time', async () => {
      const runtime = await start(handlers.obey, { workers: 2, workerWaitMs: 200 });
      const busy = [1, 2].map(() => runtime.call({ do: 'sleep', ms: 1500 }));
      await new Promise((resolve) => setTimeout(resolve, 150));
      const third = await runtime.call({ do: 'pid' });
      expect(third.status).toBe(503);
      expect(await third.text()).toBe('');
      expect((await Promise.all(busy)).map(({ status }) => status)).toEqual([200, 200]);
      expect((await runtime.call({ do: 'pid' })).status).toBe(200);
    });

    test('does not wait if the wait is 0', async () => {
      const runtime = await start(handlers.obey, { workerWaitMs: 0 });
      const busy = runtime.call({ do: 'sleep', ms: 600 });
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect((await runtime.call({ do: 'pid' })).status).toBe(503);
      expect((await busy).status).toBe(200);
    });

    test('gives a waiting request the next free worker', async () => {
      const runtime = await start(handlers.obey, { workerWaitMs: 5000 });
      const answers = await Promise.all([1, 2, 3].map(() => runtime.call({ do: 'sleep', ms: 150 })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    });

    test('answers 408 when a handler takes too long, and replaces its worker', async () => {
      const runtime = await start(handlers.obey, { eventTimeoutMs: 400 });
      const { pid } = (await (await runtime.call({ do: 'pid' })).json()) as { pid: number };
      const late = await runtime.call({ do: 'hang' });
      expect(late.status).toBe(408);
      expect(await late.json()).toEqual({ error: 'handler timed out' });
      const next = await runtime.call({ do: 'pid' });
      expect(next.status).toBe(200);
      expect(((await next.json()) as { pid: number }).pid).not.toBe(pid);
    });

    test('answers 413 above the limit of the body, to clients that send it completely', async () => {
      const runtime = await start(handlers.echo, { maxBodyBytes: 1_000_000 });
      const body = (bytes: number) => JSON.stringify({ image: 'x'.repeat(bytes - '{"image":""}'.length) });
      expect((await runtime.call(body(1_000_000))).status).toBe(200);
      const refused = await runtime.call(body(1_000_001));
      expect(refused.status).toBe(413);
      expect(((await refused.json()) as { error: string }).error).toContain('1000000');
      expect((await runtime.call(body(20_000_000))).status).toBe(413);
      expect((await runtime.call({})).status).toBe(200);
    });

    test('answers 413 above the limit to a chunked body', async () => {
      const runtime = await start(handlers.echo, { maxBodyBytes: 100_000 });
      expect(await sendChunked(runtime.url, 50_000)).toBe(200);
      expect(await sendChunked(runtime.url, 150_000)).toBe(413);
    });

    test('replaces a worker that ends; its caller gets an error', async () => {
      const runtime = await start(handlers.obey, { workers: 2 });
      const gone = await runtime.call({ do: 'exit', code: 7 });
      expect(gone.status).toBe(500);
      expect(await gone.json()).toEqual({ error: 'The worker exited with exit code 7 while it handled the request' });
      for (let call = 0; call < 4; call += 1) expect((await runtime.call({ do: 'pid' })).status).toBe(200);
      expect((await logged(runtime, /Worker \d exited with exit code 7/)).level).toBe('error');
    });

    test('ends the container if a function crashes repeatedly', async () => {
      const runtime = await start(handlers.obey);
      const ended = runtime.ended();
      for (let call = 0; call < 6; call += 1) await runtime.call({ do: 'exit', code: 1 }).catch(() => null);
      expect(await ended).toBe(1);
      expect(await logged(runtime, /crashes repeatedly/)).toBeDefined();
    });

    test('ends the container if a function cannot be initialized, and says why', async () => {
      const runtime = await start(handlers.broken, {}, false);
      expect(await runtime.ended()).not.toBe(0);
      const record = await logged(runtime, /could not be loaded/);
      expect(record.message).toContain('no weights here');
    });

    test('is healthy only when every worker is ready', async () => {
      const runtime = await start(handlers.obey, { workers: 2, env: { SLOW_WORKER: '1' } }, false);
      const seen = new Set<number>();
      for (;;) {
        const status = await fetch(`${runtime.url}/__internal/health`).then(
          (one) => one.status,
          () => 0,
        );
        seen.add(status);
        if (status === 200) break;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      expect(seen).toContain(503);
    });

    test('answers 500 with a short message to an exception; the log has the trace', async () => {
      const runtime = await start(handlers.obey);
      const answer = await runtime.call({ do: 'throw', message: 'no such tensor' });
      expect(answer.status).toBe(500);
      const text = await answer.text();
      expect(text).toContain('no such tensor');
      expect(text.length).toBeLessThan(200);
      const record = await logged(runtime, /no such tensor/);
      expect(record.level).toBe('error');
      expect(record.message).toMatch(/main\.(py|js)/);
    });

    test('answers 500 to an exception whose text has a lone surrogate, and the worker continues', async () => {
      const runtime = await start(handlers.obey);
      const before = (await (await runtime.call({ do: 'pid' })).json()) as { pid: number };
      expect((await runtime.call({ do: 'throw', message: 'bad \ud800 text' })).status).toBe(500);
      expect(await (await runtime.call({ do: 'pid' })).json()).toMatchObject({ pid: before.pid });
    });

    test('logs have level, worker and invocation; printed text is logged too', async () => {
      const runtime = await start(handlers.obey);
      await runtime.call({ do: 'log' }, { headers: { 'X-Limner-Invocation-Id': 'call-17' } });
      expect(await logged(runtime, /a warning/)).toMatchObject({
        level: 'warning',
        message: 'a warning',
        worker: 0,
        invocation: 'call-17',
        with: { boxes: 3 },
      });
      await runtime.call({ do: 'print' });
      expect(await logged(runtime, /printed by hand/)).toMatchObject({ with: { stream: 'stdout' } });
    });

    test.each(['Nuclio', 'Limner'])('answers the log of the call when X-%s-Log-Level requests it', async (platform) => {
      const runtime = await start(handlers.obey);
      const silent = await runtime.call({ do: 'log' });
      expect(silent.headers.get(`x-${platform}-logs`)).toBeNull();
      const answer = await runtime.call({ do: 'log' }, { headers: { [`X-${platform}-Log-Level`]: 'info' } });
      const records = JSON.parse(answer.headers.get(`x-${platform}-logs`) ?? '[]') as { message: string }[];
      expect(records.map(({ message }) => message)).toEqual(['some information', 'a warning']);
    });

    test('passes bodies of many megabytes completely', async () => {
      const runtime = await start(handlers.echo);
      const image = 'abcd'.repeat(5_000_000);
      const answer = (await (await runtime.call({ image })).json()) as { body: { image: string } };
      expect(answer.body.image === image).toBe(true);
    });

    test('stops when idle if no Limner listens, after the running call was answered', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'limner-link-'));
      const links = createLinks(folder);
      const link = await links.open();
      link.restAfter(1);
      const runtime = await start(handlers.obey, { env: { LIMNER_LINK: join(link.folder ?? '', linkFile) } }, false);
      await logged(runtime, /The function is ready/);
      const sent = once(request({ agent: link.agent, method: 'POST', headers: json }).end(dozing(1500)), 'error');
      await logged(runtime, /dozes/);
      links.closeAll();
      await sent;
      expect(await runtime.ended()).toBe(0);
      const messages = runtime.logs().map(({ message }) => message);
      expect(messages.filter((message) => /woke|exits$/.test(message))).toEqual([
        'woke',
        'No call for 1 s, and Limner is not running: the function exits',
      ]);
      rmSync(folder, { recursive: true });
    });

    test('ends at once on a signal', async () => {
      const runtime = await start(handlers.obey, { workers: 2 });
      void runtime.call({ do: 'sleep', ms: 20_000 }).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await runtime.stop()).toBe(0);
    });
  });
}

const json = { 'Content-Type': 'application/json' };
const dozing = (ms: number): string => JSON.stringify({ do: 'doze', ms });

/** A POST without a length: its client receives the status although the body is rejected. */
function sendChunked(url: string, bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    for (let sent = 0; sent < bytes; sent += 10_000) outgoing.write(Buffer.alloc(10_000, 120));
    outgoing.end();
  });
}
