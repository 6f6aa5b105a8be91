import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { describeRuntime } from '../../support/functions/runtime-contract.ts';
import { pythonRuntime, startRuntime, logged, type RunningRuntime } from '../../support/functions/runtime-process.ts';

/** Interpreters besides the one on the PATH, because users' images have Python 3.6 or later. */
const interpreters = process.env['LIMNER_PYTHONS']?.split(delimiter).filter(Boolean) ?? ['python3'];

const handlers = {
  echo: `
import json

def init_context(context):
    context.user_data.calls = 0

def handler(context, event):
    context.user_data.calls += 1
    return context.Response(
        body=json.dumps({
            "worker": context.worker_id,
            "calls": context.user_data.calls,
            "body": event.body if isinstance(event.body, dict) else len(event.body),
            "header": event.get_header("x-test"),
            "path": event.path,
            "field": event.fields.get("field"),
        }),
        headers={},
        content_type="application/json",
        status_code=200,
    )
`,
  obey: `
import os
import time

def init_context(context):
    if os.environ.get("SLOW_WORKER") == str(context.worker_id):
        time.sleep(0.8)

def handler(context, event):
    order = event.body
    if order["do"] == "sleep":
        time.sleep(order["ms"] / 1000.0)
    elif order["do"] == "doze":
        context.logger.info("dozes")
        time.sleep(order["ms"] / 1000.0)
        context.logger.info("woke")
    elif order["do"] == "hang":
        while True:
            pass
    elif order["do"] == "exit":
        os._exit(order["code"])
    elif order["do"] == "throw":
        raise RuntimeError(order["message"])
    elif order["do"] == "print":
        print("printed by hand")
    elif order["do"] == "log":
        context.logger.debug("a detail")
        context.logger.info("some %s", "information")
        context.logger.warn_with("a warning", boxes=3)
    return {"pid": os.getpid()}
`,
  broken: `
def init_context(context):
    raise RuntimeError("no weights here")

def handler(context, event):
    pass
`,
};

/** The style of all of CVAT's functions. */
const cvatStyle = `
import base64
import io
import json

def init_context(context):
    context.logger.info("Init context...  0%")
    with open("function.txt") as file:
        context.user_data.labels = {item["id"]: item["name"] for item in json.load(file)}
    context.logger.info("Init context...100%")

def handler(context, event):
    context.logger.info("Run model")
    data = event.body
    buf = io.BytesIO(base64.b64decode(data["image"]))
    threshold = float(data.get("threshold", 0.5))
    results = [{
        "confidence": str(threshold),
        "label": context.user_data.labels.get(0, "unknown"),
        "points": [0, 0, len(buf.getvalue()), 1],
        "type": "rectangle",
    }]
    return context.Response(body=json.dumps(results), headers={}, content_type="application/json", status_code=200)
`;

for (const python of interpreters) {
  const kind = pythonRuntime(python);
  describeRuntime(kind, handlers);

  describe(`answers of handlers for ${python}`, () => {
    let running: RunningRuntime | null = null;
    afterEach(async () => {
      await running?.stop();
      running = null;
    });
    const start = async (code: string, options = {}) => {
      running = await startRuntime(kind, code, options);
      return running;
    };

    test.each<[string, string, [number, string, string]]>([
      ['a text', '"text"', [200, 'text/plain', 'text']],
      ['a status and a text', '(201, "made")', [201, 'text/plain', 'made']],
      ['a status and data', '(201, {"a": 1})', [201, 'application/json', '{"a": 1}']],
      ['a dictionary', '{"a": 1}', [200, 'application/json', '{"a": 1}']],
      [
        'a list, which is not a batch of answers',
        '[{"a": 1}, {"a": 2}]',
        [200, 'application/json', '[{"a": 1}, {"a": 2}]'],
      ],
      ['bytes', 'b"raw"', [200, 'text/plain', 'raw']],
      ['nothing', 'None', [200, 'text/plain', 'None']],
      [
        'a response with data',
        'context.Response({"X-Own": "1"}, {"a": 1}, "application/json", 202)',
        [202, 'application/json', '{"a": 1}'],
      ],
      [
        'not a number',
        'context.Response(body="NaN", content_type="application/json")',
        [200, 'application/json', 'NaN'],
      ],
      [
        'the end of the program',
        'sys.exit(3)',
        [500, 'text/plain', 'Exception caught in handler - "3". See the log of the function.'],
      ],
    ])('%s', async (_what, expression, expected) => {
      const runtime = await start(`import sys\ndef handler(context, event):\n    return ${expression}\n`);
      const answer = await runtime.call({});
      expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual(expected);
    });

    test('a function in the style of CVAT runs unchanged', async () => {
      const runtime = await start(cvatStyle, { files: { 'function.txt': '[{"id": 0, "name": "person"}]' } });
      const answer = await runtime.call({ image: Buffer.from('12345').toString('base64'), threshold: 0.7 });
      expect(await answer.json()).toEqual([
        { confidence: '0.7', label: 'person', points: [0, 0, 5, 1], type: 'rectangle' },
      ]);
      expect(await logged(runtime, /Init context\.\.\.100%/)).toMatchObject({ level: 'info' });
    });

    test('coroutines are awaited', async () => {
      const runtime = await start(`
import asyncio
async def init_context(context):
    await asyncio.sleep(0)
    setattr(context.user_data, "ready", True)
async def handler(context, event):
    await asyncio.sleep(0.01)
    return {"ready": context.user_data.ready}
`);
      expect(await (await runtime.call({})).json()).toEqual({ ready: true });
    });

    test('finds modules in folders and types of the SDK', async () => {
      const runtime = await start(
        'import nuclio_sdk\nfrom helper import answer\ndef entry(context, event):\n    return nuclio_sdk.Response(body=answer())\n',
        { handler: 'main.py:entry', files: { 'helper.py': 'def answer():\n    return "helped"\n' } },
      );
      expect(await (await runtime.call({})).text()).toBe('helped');
    });

    test('ends on a signal, whichever of its threads receives it', async () => {
      const runtime = await start('def handler(context, event):\n    return 1\n');
      const id = runtime.process.pid ?? 0;
      const others = readdirSync(`/proc/${id}/task`).filter((thread) => thread !== String(id));
      expect(others.length).toBeGreaterThan(0);
      // For a signal from a shell, the system chooses the thread.
      const tell = `import ctypes, signal; ctypes.CDLL(None).tgkill(${id}, ${others[0]}, int(signal.SIGTERM))`;
      execFileSync(python, ['-c', tell]);
      expect(await runtime.ended()).toBe(0);
    });

    test('a body that is not JSON stays bytes, and the log says so', async () => {
      const runtime = await start('def handler(context, event):\n    return type(event.body).__name__\n');
      expect(await (await runtime.call('{"image": "a\nb"}')).text()).toBe('bytes');
      expect((await logged(runtime, /is declared as JSON but is not valid/)).level).toBe('warning');
    });
  });
}
