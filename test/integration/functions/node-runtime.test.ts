import { afterEach, describe, expect, test } from 'vitest';
import { describeRuntime } from '../../support/functions/runtime-contract.ts';
import { nodeRuntime, startRuntime, type RunningRuntime } from '../../support/functions/runtime-process.ts';

describeRuntime(nodeRuntime, {
  echo: `
exports.initContext = async (context) => { context.userData.calls = 0; };
exports.handler = (context, event) => {
  context.userData.calls += 1;
  const isJson = event.content_type.startsWith('application/json');
  context.callback({
    worker: context.workerId,
    calls: context.userData.calls,
    body: isJson ? JSON.parse(event.body.toString()) : event.body.length,
    header: event.getHeader('x-test'),
    path: event.path,
    field: event.fields.field,
  });
};`,
  obey: `
const { writeFileSync } = require('fs');
exports.initContext = async (context) => {
  if (process.env.SLOW_WORKER === String(context.workerId)) await new Promise((resolve) => setTimeout(resolve, 800));
};
exports.handler = async (context, event) => {
  const order = JSON.parse(event.body.toString());
  switch (order.do) {
    case 'sleep': await new Promise((resolve) => setTimeout(resolve, order.ms)); break;
    case 'doze':
      context.logger.info('dozes');
      await new Promise((resolve) => setTimeout(resolve, order.ms));
      context.logger.info('woke');
      break;
    case 'hang': for (;;) {}
    case 'exit': process.exit(order.code);
    case 'throw': throw new Error(order.message);
    case 'print': console.log('printed by hand'); break;
    case 'log':
      context.logger.debug('a detail');
      context.logger.info('some %s', 'information');
      context.logger.warnWith('a warning', { boxes: 3 });
  }
  return { pid: process.pid };
};`,
  broken: `exports.initContext = () => { throw new Error('no weights here'); }; exports.handler = () => undefined;`,
});

describe('answers of Node.js handlers', () => {
  let running: RunningRuntime | null = null;
  afterEach(async () => {
    await running?.stop();
    running = null;
  });
  const answerTo = async (expression: string) => {
    running = await startRuntime(nodeRuntime, `exports.handler = (context, event) => context.callback(${expression});`);
    const answer = await running.call({});
    return [answer.status, answer.headers.get('content-type'), await answer.text(), answer.headers.get('x-own')];
  };

  test.each<[string, string, (string | number | null)[]]>([
    ['a text', `'text'`, [200, 'text/plain', 'text', null]],
    ['bytes', `Buffer.from('bytes')`, [200, 'text/plain', 'bytes', null]],
    ['a status and a text', `[201, 'made']`, [201, 'text/plain', 'made', null]],
    ['a status and data', `[201, { a: 1 }]`, [201, 'application/json', '{"a":1}', null]],
    ['data', `[{ label: 'car' }]`, [200, 'application/json', '[{"label":"car"}]', null]],
    [
      'a response',
      `new context.Response('{"a":1}', { 'X-Own': 'yes' }, 'application/json', 202)`,
      [202, 'application/json', '{"a":1}', 'yes'],
    ],
    [
      'a response with line breaks in a header',
      `new context.Response('', { 'X-Own': 'a\\r\\nSet-Cookie: b' })`,
      [200, 'text/plain', '', 'a  Set-Cookie: b'],
    ],
  ])('%s', async (_what, expression, expected) => {
    expect(await answerTo(expression)).toEqual(expected);
  });

  test('an ECMAScript module is a handler too', async () => {
    running = await startRuntime(nodeRuntime, '', {
      handler: 'own.mjs:run',
      files: { 'own.mjs': 'export const run = async () => ({ module: true });' },
    });
    expect(await (await running.call({})).json()).toEqual({ module: true });
  });
});
