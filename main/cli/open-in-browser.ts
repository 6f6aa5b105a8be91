import { spawn } from 'node:child_process';

const commands: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // The empty text is the window title that `start` takes first.
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens an address of the own service in the person's browser. Answers false where that cannot be done. */
export async function openInBrowser(address: string): Promise<boolean> {
  const [command, ...args] = commands[process.platform] ?? ['xdg-open'];
  return await new Promise((resolve) => {
    const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true, windowsHide: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
