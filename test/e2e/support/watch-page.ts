import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';

const most = 2000;

/**
 * Records events of a page. The returned function describes its state and names a saved screenshot, because a timeout
 * message only says what was expected.
 */
export function watchPage(page: Page): () => Promise<string> {
  const begun = new Map<Request, number>();
  const heard: string[] = [];
  const hear = (line: string): void => {
    heard.push(`${new Date().toISOString().slice(11, 23)} ${line}`);
    if (heard.length > 40) heard.shift();
  };
  page.on('request', (request) => begun.set(request, Date.now()));
  page.on('requestfinished', (request) => begun.delete(request));
  page.on('requestfailed', (request) => {
    begun.delete(request);
    hear(`failed: ${request.method()} ${request.url()} ${request.failure()?.errorText}`);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 400) hear(`${answer.status()}: ${answer.request().method()} ${answer.url()}`);
  });
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) hear(`console: ${message.text()}`);
  });
  page.on('crash', () => hear('crashed'));
  page.on('framenavigated', (frame) => hear(`at ${frame.url()}`));

  const within = async (work: Promise<string>): Promise<string> => {
    const late = new Promise<string>((resolve) => setTimeout(() => resolve('no answer within 5 s'), 5000));
    return Promise.race([work.catch(String), late]);
  };

  return async () => {
    const waiting = [...begun].map(([request, at]) => `${Date.now() - at} ms ${request.method()} ${request.url()}`);
    const picture = join(mkdtempSync(join(tmpdir(), 'limner-failed-')), 'page.png');
    const shown = within(page.evaluate(() => `${document.readyState}: ${document.body.innerText}`));
    const taken = within(page.screenshot({ path: picture, timeout: 5000 }).then(() => picture));
    return [
      `at ${page.url()}`,
      `shows ${(await shown).slice(0, most)}`,
      `waits for ${waiting.length === 0 ? 'no answer' : waiting.join('\n  ')}`,
      ...heard,
      `picture: ${await taken}`,
    ].join('\n  ');
  };
}
