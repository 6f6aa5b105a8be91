import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { findElectron, runElectron } from './lib/electron.mjs';
import { projectRoot } from './lib/project.mjs';
import { ensureNode } from './lib/with-node.mjs';

await ensureNode(fileURLToPath(import.meta.url), { lean: true });

const help = `Usage: npm start -- [--browser] [options of "limner serve"]

Opens Limner in its own window. If Electron is not available, opens it in the browser instead.

  --browser      use the browser even if Electron is available
  --no-open      do not open the browser, only print the address
  --data-dir DIR, --port N, --dashboard-port N, --password P   as for "limner serve"
`;

const args = process.argv.slice(2).filter((argument) => argument !== '--browser');
const wantsBrowser = process.argv.includes('--browser');

if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(help);
} else {
  await ensureBuilt();
  const exitCode = wantsBrowser ? null : await openDesktop();
  if (exitCode === null) await openBrowserShell();
  else process.exitCode = exitCode;
}

/** @returns {Promise<number | null>} `null` if the desktop shell cannot run */
async function openDesktop() {
  const electron = await findElectron();
  const result = 'path' in electron ? await runElectron(electron.path, args) : electron;
  if ('exitCode' in result) return result.exitCode;
  process.stderr.write(`Cannot use Electron (${result.reason}). Opening Limner in the browser instead.\n`);
  return null;
}

/** Runs the server in this process, so that its output and exit code become those of this command. */
async function openBrowserShell() {
  process.argv.splice(2, process.argv.length, 'serve', '--plain', ...args);
  await import(pathToFileURL(join(projectRoot, 'out', 'main', 'cli.js')).href);
}
