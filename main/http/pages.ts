import { readdirSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { framedPageHeaders, textAnswer } from './responses.ts';
import { fileAnswer, fileContent } from './file-answer.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

const notBuilt =
  'The user interface has not been built. Run "npm run build" and start Limner again. The API below /api is available.';

const helpNotBuilt = 'Help is not built. Run "npm run docs:build" and try again.';
const helpPrefix = '/help';

function contentTypeOf(file: string): string {
  return contentTypes[extname(file).toLowerCase()] ?? 'application/octet-stream';
}

/** Name with a content hash, as the bundler writes it: `assets/index-B3aF9x1Z.js`. */
const hashedName = /-[A-Za-z0-9_-]{8,}\.\w+$/;

/**
 * Serves the built user interface. Serves only files that existed at the start, looked up by their address and never by
 * a path built from it. Every other address answers with the application, which routes it.
 */
export function createPages(directory: string): (path: string, request: Request) => Promise<Response> {
  const files = listFiles(directory);
  return async (path, request) => {
    const file = files.get(path) ?? (extname(path) === '' ? files.get('/index.html') : undefined);
    if (file === undefined) {
      return files.size === 0 ? textAnswer(notBuilt, 503) : textAnswer('File not found.', 404);
    }
    return fileAnswer(request, {
      ...(await fileContent(file)),
      contentType: contentTypeOf(file),
      cacheControl: hashedName.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
  };
}

/** Serves the built documentation below `/help/` (docs/.vitepress/config.ts), and all other addresses by `others`. */
export function withHelp(
  directory: string,
  others: ReturnType<typeof createPages>,
): (path: string, request: Request) => Promise<Response> {
  let files = listFiles(directory);
  return async (path, request) => {
    if (!path.startsWith(`${helpPrefix}/`)) return others(path, request);
    // A developer may build it while the service runs.
    if (files.size === 0) files = listFiles(directory);
    if (files.size === 0) return textAnswer(helpNotBuilt, 503);
    const address = path.slice(helpPrefix.length);
    const file = files.get(address.endsWith('/') ? `${address}index.html` : address);
    if (file === undefined) return textAnswer('There is no such page of Help.', 404);
    return fileAnswer(request, {
      ...(await fileContent(file)),
      contentType: contentTypeOf(file),
      cacheControl: 'no-cache',
      headers: framedPageHeaders,
    });
  };
}

function listFiles(directory: string): ReadonlyMap<string, string> {
  try {
    const entries = readdirSync(directory, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
    return new Map(
      entries.map((entry) => {
        const file = join(entry.parentPath, entry.name);
        return [`/${relative(directory, file).replaceAll('\\', '/')}`, file];
      }),
    );
  } catch {
    return new Map();
  }
}
