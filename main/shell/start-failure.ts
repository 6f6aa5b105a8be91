import type { BrowserWindow } from 'electron';

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const pageOf = (title: string, message: string): string => `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>
  body { margin: 20vh auto; max-width: 40rem; padding: 0 2rem; font: 15px/1.5 system-ui, sans-serif }
  h1 { font-size: 20px }
  p { white-space: pre-wrap; overflow-wrap: anywhere; user-select: text }
</style>
<h1>${escaped(title)}</h1>
<p role="alert">${escaped(message)}</p>`;

/** Shows why the service did not start. The page is made here, because the service cannot answer. */
export function showStartFailure(window: BrowserWindow, title: string, message: string): void {
  void window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(pageOf(title, message))}`);
}
