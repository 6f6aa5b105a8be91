import { open as openInspector } from 'node:inspector';
import { readFileSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const args = process.argv.slice(2);
const at = args.findIndex((argument) => !argument.startsWith('--'));
const applicationPath = args[at];
if (applicationPath === undefined) throw new Error('Name the application to run: its folder or its main file.');

const electronModule = new URL('./electron-module.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: electronModule, shortCircuit: true } : next(specifier, context),
});

process.argv = [process.argv[0] ?? '', resolve(applicationPath), ...args.slice(at + 1), ...args.slice(0, at)];
Object.defineProperty(process.versions, 'electron', { value: '0.0.0-stand-in' });
Object.defineProperty(process, 'type', { value: 'browser' });

if (args.some((argument) => argument.startsWith('--inspect'))) openInspector(0, '127.0.0.1');
await import(pathToFileURL(mainFile(resolve(applicationPath))).href);

function mainFile(path: string): string {
  if (!statSync(path).isDirectory()) return path;
  const { main } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { main: string };
  return join(path, main);
}
