import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserWindow } from 'electron';

const patienceMs = 60_000;
const pollMs = 200;

/** Code for the page, which is signed in: calls the API and returns the JSON of the answer. */
const inPage = (method: string, path: string, body?: object): string => `(async () => {
  const token = /csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? '';
  const answer = await fetch(${JSON.stringify(path)}, {
    method: '${method}',
    headers: { 'Content-Type': 'application/json', 'X-CSRFToken': token },
    ${body === undefined ? '' : `body: ${JSON.stringify(JSON.stringify(body))},`}
  });
  if (!answer.ok) throw new Error('${method} ${path}: ' + answer.status + ' ' + (await answer.text()).slice(0, 500));
  const type = answer.headers.get('Content-Type') ?? '';
  return type.includes('json') ? await answer.json() : { bytes: (await answer.arrayBuffer()).byteLength };
})()`;

/**
 * Tries the packed program: creates a task in the window, draws a box with the pointer, exports it.
 * @returns a line about the result
 * @throws Error that names the step that failed
 */
export async function runSelfTest(window: BrowserWindow, imageFile: string): Promise<string> {
  const { webContents } = window;
  const call = <Answer>(method: string, path: string, body?: object): Promise<Answer> =>
    webContents.executeJavaScript(inPage(method, path, body)) as Promise<Answer>;
  const finished = (requestId: string): Promise<unknown> =>
    until(`the background request ${requestId}`, async () => {
      const { status, message } = await call<{ status: string; message: string }>('GET', `/api/requests/${requestId}`);
      if (status === 'failed') throw new Error(`A background request failed: ${message}`);
      return status === 'finished';
    });
  const task = await call<{ id: number }>('POST', '/api/tasks', { name: 'self-test', labels: [{ name: 'object' }] });
  const media = { image_quality: 70, server_files: [imageFile] };
  await finished((await call<{ rq_id: string }>('POST', `/api/tasks/${task.id}/data/`, media)).rq_id);
  const { results } = await call<{ results: { id: number }[] }>('GET', `/api/jobs?task_id=${task.id}`);
  await webContents.loadURL(new URL(`/tasks/${task.id}/jobs/${results[0]?.id}`, webContents.getURL()).href);
  await until('a box drawn in the workspace', async () => {
    await drawBox(window);
    const { shapes } = await call<{ shapes: unknown[] }>('GET', `/api/tasks/${task.id}/annotations/`);
    return shapes.length > 0;
  });
  const { rq_id } = await call<{ rq_id: string }>(
    'POST',
    `/api/tasks/${task.id}/dataset/export?format=COCO%201.0&save_images=true`,
  );
  await finished(rq_id);
  const { result_url } = await call<{ result_url: string }>('GET', `/api/requests/${rq_id}`);
  const { pathname, search } = new URL(result_url, webContents.getURL());
  const { bytes } = await call<{ bytes: number }>('GET', `${pathname}${search}`);
  if (!(bytes > 0)) throw new Error('The exported file is empty.');
  return `Self-test passed: a window, a task, a box, an export of ${bytes} bytes.`;
}

async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  for (const started = performance.now(); performance.now() - started < patienceMs; await pause(pollMs))
    if (await isDone()) return;
  throw new Error(`Waited ${patienceMs / 1000} s for ${what}.`);
}

/** Draws in the middle of the window. The workspace may not be ready, so a single attempt may do nothing. */
async function drawBox(window: BrowserWindow): Promise<void> {
  const { webContents } = window;
  const [width = 0, height = 0] = window.getContentSize();
  const [from, to] = [
    { x: Math.round(width * 0.45), y: Math.round(height * 0.45) },
    { x: Math.round(width * 0.55), y: Math.round(height * 0.6) },
  ];
  for (const type of ['keyDown', 'char', 'keyUp'] as const) webContents.sendInputEvent({ type, keyCode: 'w' });
  await pause(pollMs);
  webContents.sendInputEvent({ type: 'mouseMove', ...from });
  webContents.sendInputEvent({ type: 'mouseDown', ...from, button: 'left', clickCount: 1 });
  await pause(pollMs / 2);
  webContents.sendInputEvent({ type: 'mouseMove', ...to, button: 'left', modifiers: ['leftbuttondown'] });
  await pause(pollMs / 2);
  webContents.sendInputEvent({ type: 'mouseUp', ...to, button: 'left', clickCount: 1 });
  await pause(5 * pollMs);
}
