import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  powerMonitor,
  safeStorage,
  screen,
  session,
  shell,
} from 'electron';
import { z } from 'zod';
import { exitCodeOf } from '../cli/exit-codes.ts';
import { startInstance, type Instance, type InstanceOptions } from '../cli/instance.ts';
import { StoreRefused } from '../db/store/store-refused.ts';
import { locateApplication } from '../platform/application.ts';
import { createLogger } from '../platform/log.ts';
import { dataDirectoryPaths, defaultDataDirectory } from '../platform/paths.ts';
import { widenThreadPool } from '../platform/thread-pool.ts';
import { createEventChannel, registerBridge } from './bridge-handlers.ts';
import { closeWhenSaved } from './close-guard.ts';
import { parseDesktopOptions, portableFolder, profileOf, type DesktopOptions } from './desktop-options.ts';
import { createElectronSettings } from './electron-settings.ts';
import { menuTemplate } from './menu.ts';
import { restorePage } from './page-restorer.ts';
import { wantsFunctionsStopped } from './quit-question.ts';
import { guardPages } from './security.ts';
import { runSelfTest } from './self-test.ts';
import { named, shellTexts } from './shell-texts.ts';
import { askAboutStore } from './store-dialog.ts';
import { showStartFailure } from './start-failure.ts';
import { backgroundOf, createWindow } from './window.ts';

widenThreadPool(process.env);

const productName = 'Limner';
const mostRecent = 8;
const mainDirectory = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '..' : '.');
const application = locateApplication(mainDirectory, import.meta.filename);
const events = createEventChannel(() => BrowserWindow.getAllWindows()[0] ?? null);

async function openWorkbench(options: DesktopOptions): Promise<void> {
  const settings = createElectronSettings(app.getPath('userData'));
  const dataDirectory = options.dataDirectory ?? defaultDataDirectory();
  const { logs } = dataDirectoryPaths(dataDirectory);
  const log = createLogger({ directory: logs });
  if (settings.notice !== null) log.warn(settings.notice);
  process.on('uncaughtExceptionMonitor', (error, origin) => log.error('An unexpected error', { error, origin }));
  nativeTheme.themeSource = settings.get('colorScheme');
  let ownOrigin = '';
  guardPages({ app, session: session.defaultSession, shell, ownOrigin: () => ownOrigin, log });
  const window = createWindow({
    preloadFile: join(application.root, 'out', 'preload', 'index.js'),
    iconFile: join(application.root, 'resources', 'icons', '256x256.png'),
    settings,
    screen,
    nativeTheme,
  });
  // The window is visible while the service starts.
  const starting = startAskingAboutStore({
    application,
    dataDirectory,
    port: options.port,
    dashboardPort: options.dashboardPort,
    password: options.password ?? process.env['LIMNER_PASSWORD'] ?? null,
    keychain: safeStorage,
    log,
  });
  const texts = () => shellTexts(settings.get('language') ?? app.getLocale());
  stopBeforeQuit(starting, (instance) =>
    wantsFunctionsStopped({
      dialog,
      applicationName: productName,
      texts: texts(),
      running: instance.runningFunctions(),
    }),
  );
  const setRecent = (paths: readonly string[]): void => {
    settings.set('recentPaths', [...new Set(paths)].slice(0, mostRecent));
    for (const path of paths.slice(0, 1)) app.addRecentDocument(path);
    showMenu();
  };
  const showMenu = (): void => {
    const template = menuTemplate({
      texts: texts(),
      isMac: process.platform === 'darwin',
      isDeveloper: !app.isPackaged,
      applicationName: productName,
      recent: settings.get('recentPaths'),
      run: (command) => events.send({ type: 'menu', command }),
      openPath,
      clearRecent: () => setRecent([]),
      showDataDirectory: () => shell.showItemInFolder(dataDirectory),
      showLogs: () => shell.showItemInFolder(join(logs, 'limner.log')),
      showAbout: () => app.showAboutPanel(),
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };
  showMenu();
  reportWindowEvents(window);
  openPath(options.openPath);
  const instance = await starting;
  if (instance === null) return app.quit();
  if (window.isDestroyed()) return;
  ownOrigin = new URL(instance.url).origin;
  registerBridge({
    ipcMain,
    dialog,
    shell,
    window,
    ownOrigin,
    log,
    opened: (paths) => setRecent([...paths, ...settings.get('recentPaths')]),
    setLanguage(language) {
      if (language === settings.get('language')) return;
      settings.set('language', language);
      showMenu();
    },
    setColorScheme(scheme) {
      settings.set('colorScheme', scheme);
      nativeTheme.themeSource = scheme;
      window.setBackgroundColor(backgroundOf(nativeTheme));
    },
    takeWaitingEvents: () => events.takeWaiting(),
  });
  closeWhenSaved(window, dialog, texts);
  restorePage({ app, dialog, window, address: instance.url, applicationName: productName, texts, log });
  await window.loadURL(instance.launchUrl);
  if (options.selfTest) return selfTestAndEnd(window, instance);
  if (settings.notice !== null && process.env['LIMNER_NO_DIALOGS'] === undefined) {
    const { notice: message } = settings;
    void dialog.showMessageBox(window, { type: 'warning', title: productName, message, buttons: ['OK'] });
  }
}

/** Runs the self-test and ends with exit code 0, or with 1 and the reason. */
async function selfTestAndEnd(window: BrowserWindow, instance: Instance): Promise<void> {
  // Native modules cannot read the archive of the program.
  const image = join(app.getPath('userData'), 'self-test.png');
  writeFileSync(image, readFileSync(join(application.root, 'resources', 'icons', '256x256.png')));
  const failure = await runSelfTest(window, image).then(
    (line) => void process.stdout.write(`${line}\n`),
    (error: unknown) => error,
  );
  if (failure !== undefined) process.stderr.write(`Self-test failed: ${String(failure)}\n`);
  await instance.stop();
  app.exit(failure === undefined ? 0 : 1);
}

/** Returns `null` if the user quits without a change. */
async function startAskingAboutStore(options: InstanceOptions): Promise<Instance | null> {
  try {
    return await startInstance(options);
  } catch (error) {
    // Tests and services have no user who could answer a dialog.
    if (!(error instanceof StoreRefused) || process.env['LIMNER_NO_DIALOGS'] !== undefined) throw error;
    const choice = await askAboutStore(dialog, productName, error);
    if (choice.kind === 'quit') return null;
    if (choice.kind === 'open-damaged') return startAskingAboutStore({ ...options, acceptDamage: true });
    const { whileStopped, restoreCopy, startEmpty } = await import('../db/store/quarantine.ts');
    await whileStopped(options.dataDirectory, (paths) =>
      choice.kind === 'restore' ? restoreCopy(paths, choice.copy) : startEmpty(paths),
    );
    return startAskingAboutStore(options);
  }
}

/**
 * Data from a second start. Its command line cannot be used: Chromium moves switches to the front, apart from their
 * values.
 */
const secondStart = z.object({ openPath: z.string().nullable() }).catch({ openPath: null });

function reportWindowEvents(window: BrowserWindow): void {
  window.on('focus', () => events.send({ type: 'window', state: 'focus' }));
  window.on('blur', () => events.send({ type: 'window', state: 'blur' }));
  window.on('enter-full-screen', () => events.send({ type: 'window', state: 'full-screen' }));
  window.on('leave-full-screen', () => events.send({ type: 'window', state: 'leave-full-screen' }));
  app.on('second-instance', (_event, _args, _workingDirectory, data) => {
    if (window.isMinimized()) window.restore();
    window.focus();
    openPath(secondStart.parse(data).openPath);
  });
}

function openPath(path: string | null): void {
  if (path !== null) events.send({ type: 'open-path', path });
}

/**
 * Delays quitting until all data is on disk and the instance is stopped.
 * @param starting the instance, or `null` if it does not start
 * @param ask asks the user if running functions should stop too
 */
function stopBeforeQuit(starting: Promise<Instance | null>, ask: (instance: Instance) => Promise<boolean>): void {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  // Tests, services and a system that shuts down have no user who could answer a dialog.
  let hasPerson = process.env['LIMNER_NO_DIALOGS'] === undefined;
  app.on('will-quit', (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    if (state === 'stopping') return;
    state = 'stopping';
    const stop = async (): Promise<void> => {
      const instance = await starting.catch(() => null);
      if (instance === null) return;
      const restsFunctions = hasPerson && (await ask(instance).catch(() => false));
      await instance.stop({ restsFunctions });
    };
    void stop().finally(() => {
      state = 'stopped';
      app.quit();
    });
  });
  app.on('window-all-closed', () => app.quit());
  const leave = (): void => {
    hasPerson = false;
    app.quit();
  };
  powerMonitor.on('shutdown', leave);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave);
}

app.setName(productName);
app.enableSandbox();
app.setAboutPanelOptions({
  applicationName: productName,
  applicationVersion: application.version,
  copyright: 'MIT licence',
});
// macOS sends the opened file before the app is ready.
app.on('open-file', (event, path) => {
  event.preventDefault();
  openPath(path);
});

/** A self-test must not touch the user's data, and fits beside a running Limner. */
function placeOfSelfTest(): Partial<DesktopOptions> {
  process.env['LIMNER_NO_DIALOGS'] = '1';
  const folder = mkdtempSync(join(tmpdir(), 'limner-self-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  app.setPath('userData', join(folder, 'user'));
  return { dataDirectory: join(folder, 'data'), port: 0, dashboardPort: 0 };
}

/** Shows why the program cannot start: in the window, or in a dialog if there is none. */
function refuse(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n`);
  const exit = (): void => app.exit(exitCodeOf(error));
  // Tests and services have no user who could close a window.
  if (process.env['LIMNER_NO_DIALOGS'] !== undefined) return exit();
  const [window] = app.isReady() ? BrowserWindow.getAllWindows() : [];
  const title = named(shellTexts(app.getLocale()).cannotStart, productName);
  if (window === undefined) {
    dialog.showErrorBox(title, message);
    return exit();
  }
  window.once('closed', exit);
  showStartFailure(window, title, message);
}

try {
  const given = parseDesktopOptions(process.argv.slice(app.isPackaged ? 1 : 2), process.cwd());
  const portable = app.isPackaged ? portableFolder(process.execPath, process.env) : null;
  if (portable !== null) app.setPath('userData', join(portable, 'window'));
  const placed = {
    ...given,
    dataDirectory: given.dataDirectory ?? (portable === null ? null : join(portable, 'data')),
  };
  const options = given.selfTest ? { ...placed, ...placeOfSelfTest() } : placed;
  app.setPath('userData', profileOf(app.getPath('userData'), options.dataDirectory));
  // The lock is in the profile, so each data directory has one window; a second start focuses it.
  if (app.requestSingleInstanceLock({ openPath: options.openPath }))
    app
      .whenReady()
      .then(() => openWorkbench(options))
      .catch(refuse);
  else app.quit();
} catch (error) {
  refuse(error);
}
