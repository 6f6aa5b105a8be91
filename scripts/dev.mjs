import { spawn } from 'node:child_process';
import { createServer as createSocket } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';
import { nodeExecutable, projectRoot } from './lib/project.mjs';
import { ensureNode } from './lib/with-node.mjs';

await ensureNode(fileURLToPath(import.meta.url));

const help = `Usage: npm run dev -- [options of "limner serve"]

Runs Limner from source. Changes of the renderer appear in the open page; changes of the service restart it.
Debuggers attach to the service at port 9229 (.vscode/launch.json).

  --data-dir DIR   default: .cache/dev-data of this checkout
  --no-open        do not open the browser
`;

const args = process.argv.slice(2);
async function run() {
  const isOpened = !args.includes('--no-open');
  const serveArgs = args.filter((argument) => argument !== '--no-open');
  if (!serveArgs.includes('--data-dir')) serveArgs.push('--data-dir', join(projectRoot, '.cache', 'dev-data'));
  const target = `http://127.0.0.1:${await freePort()}`;
  const service = startService(new URL(target).port, serveArgs);
  const vite = await createServer(viteConfig(target, isOpened, service));
  await vite.listen();
  vite.printUrls();
  const stop = () => {
    service.child.kill('SIGTERM');
    void vite.close().finally(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/**
 * Starts the service, and restarts it when a file that it has loaded changes. It prints its launch link at each start.
 * @param {string} port
 * @param {readonly string[]} serveArgs
 */
function startService(port, serveArgs) {
  const watching = [
    '--watch',
    '--watch-preserve-output',
    '--inspect=127.0.0.1:9229',
    '--disable-warning=ExperimentalWarning',
  ];
  const entry = join(projectRoot, 'main', 'cli.ts');
  const child = spawn(nodeExecutable(), [...watching, entry, 'serve', '--no-open', '--port', port, ...serveArgs], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const service = { child, launchUrl: /** @type {string | undefined} */ (undefined) };
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) {
      service.launchUrl = JSON.parse(line).launchUrl;
      process.stdout.write('The service is ready.\n');
    } else process.stdout.write(`${line}\n`);
  });
  child.on('exit', (code) => process.exit(code ?? 1));
  process.on('exit', () => child.kill('SIGTERM'));
  return service;
}

/**
 * Vite serves the page and replaces its modules live, so the page has no Content-Security-Policy. All other requests go
 * to the service with its own address as `Host` and `Origin`.
 * @param {string} target
 * @param {boolean} isOpened
 * @param {ReturnType<typeof startService>} service
 * @returns {import('vite').InlineConfig}
 */
function viteConfig(target, isOpened, service) {
  const proxied = {
    target,
    changeOrigin: true,
    /** @type {NonNullable<import('vite').ProxyOptions['configure']>} */
    configure(proxy) {
      proxy.on('proxyReq', (request) => {
        if (request.getHeader('origin') !== undefined) request.setHeader('origin', target);
      });
    },
  };
  return {
    configFile: false,
    root: resolve(projectRoot, 'renderer'),
    publicDir: resolve(projectRoot, 'renderer/public'),
    plugins: [react(), noNotices, signIn(service)],
    cacheDir: join(projectRoot, '.cache', 'vite'),
    server: {
      host: '127.0.0.1',
      port: 5173,
      open: isOpened,
      proxy: { [apiPattern]: proxied, '/help/': proxied, '/launch': proxied },
    },
  };
}

/**
 * Redirects the first visit after each start of the service to its launch link, which signs in as the owner.
 * @param {ReturnType<typeof startService>} service
 * @returns {import('vite').Plugin}
 */
const signIn = (service) => ({
  name: 'limner:sign-in',
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      const isPage = request.headers['sec-fetch-dest'] === 'document' && !request.url?.startsWith('/launch');
      if (!isPage || service.launchUrl === undefined) return next();
      const { pathname, search } = new URL(service.launchUrl);
      service.launchUrl = undefined;
      response.writeHead(302, { Location: `${pathname}${search}` }).end();
    });
  },
});

/** Addresses of the service. `/api/client.ts` and similar paths are modules of the renderer. */
const apiPattern = String.raw`^/api/(?!.+\.tsx?(\?|$))`;

/** Only the build collects the licences of other packages. */
const noNotices = {
  name: 'limner:no-notices',
  /** @param {string} id */
  resolveId: (id) => (id === 'virtual:third-party-notices' ? `\0${id}` : undefined),
  /** @param {string} id */
  load: (id) =>
    id === '\0virtual:third-party-notices' ? "export const notices = 'See out/THIRD-PARTY-NOTICES.';" : undefined,
};

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const socket = createSocket();
    socket.once('error', reject);
    socket.listen(0, '127.0.0.1', () => {
      const address = socket.address();
      socket.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(help);
} else {
  await run();
}
