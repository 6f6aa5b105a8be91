import { existsSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { AppError, isStorageFull } from '../platform/errors.ts';
import { StoreRefused } from '../db/store/store-refused.ts';
import { ApiFailure, CommandError, exitCodeOf, exitCodes, exitCodesHelp } from './exit-codes.ts';
import type { CliContext } from './context.ts';

type AddCommand = (program: Command, context: CliContext) => void;

/** In the order of the help. Each command is loaded when it is needed: most starts need only one. */
const commands = new Map<string, () => Promise<AddCommand>>(
  Object.entries({
    open: async () => (await import('./open.ts')).addOpenCommand,
    serve: async () => (await import('./serve.ts')).addServeCommand,
    'create-task': async () => (await import('./create-task.ts')).addCreateTaskCommand,
    add: async () => (await import('./add.ts')).addAddCommand,
    watch: async () => (await import('./watch.ts')).addWatchCommand,
    remove: async () => (await import('./remove.ts')).addRemoveCommand,
    import: async () => (await import('./import.ts')).addImportCommand,
    undo: async () => (await import('./undo.ts')).addUndoCommand,
    export: async () => (await import('./export.ts')).addExportCommand,
    frames: async () => (await import('./frames.ts')).addFramesCommand,
    formats: async () => (await import('./formats.ts')).addFormatsCommand,
    mcp: async () => (await import('./mcp/command.ts')).addMcpCommand,
    engine: async () => (await import('./engine.ts')).addEngineCommand,
    function: async () => (await import('./function.ts')).addFunctionCommand,
    model: async () => (await import('./model.ts')).addModelCommand,
    evaluate: async () => (await import('./evaluate.ts')).addEvaluateCommand,
    user: async () => (await import('./user.ts')).addUserCommand,
    settings: async () => (await import('./settings.ts')).addSettingsCommand,
    token: async () => (await import('./token.ts')).addTokenCommand,
    volume: async () => (await import('./volume.ts')).addVolumeCommand,
    webhook: async () => (await import('./webhook.ts')).addWebhookCommand,
    key: async () => (await import('./key.ts')).addKeyCommand,
    git: async () => (await import('./git.ts')).addGitCommand,
    remote: async () => (await import('./remote.ts')).addRemoteCommand,
    store: async () => (await import('./store.ts')).addStoreCommand,
    backup: async () => (await import('./backup.ts')).addBackupCommands,
    restore: async () => (await import('./backup.ts')).addBackupCommands,
    doctor: async () => (await import('./doctor.ts')).addDoctorCommand,
    'update-check': async () => (await import('./update.ts')).addUpdateCommand,
    completion: async () => (await import('./completion.ts')).addCompletionCommand,
  }),
);

const examples = `
Examples:
  limner
  limner ~/photos
  limner serve --port 8081 --no-open
  limner create-task "Street scenes" --label car --label person ~/photos
  limner add 5 ~/more-photos
  limner import annotations.json --task 5 --format "COCO 1.0"
  limner export --task 5 --format "YOLO 1.1" --save-images --output street.zip
  limner frames 5 --every 30 --to-task "Stills"
  limner backup --output /mnt/backups/today.limner
  limner backup --task 5 --output street.zip
  limner function deploy --sample colored-objects
  limner evaluate --task 5 --predictions results.json --json`;

/** Runs one command and returns the exit code. Failures are reported on standard error. */
export async function runCli(given: readonly string[], context: CliContext): Promise<number> {
  const args = opensWindow(given) ? ['open', ...given] : given;
  const program = createProgram(context);
  try {
    for (const add of await neededCommands(args)) add(program, context);
    await program.parseAsync([...args], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    context.errorOutput.write(`${await sentence(error, context.stopSignal)}\n`);
    return context.stopSignal.aborted ? exitCodes.interrupted : exitCodeOf(error);
  }
}

const ownWords: ReadonlySet<string> = new Set(['help', '-h', '--help', '-V', '--version']);

/**
 * `limner`, `limner ~/photos` and `limner --port 8081 ~/photos` open the workbench. A command wins over a file of its
 * name.
 */
export const opensWindow = ([first]: readonly string[]): boolean =>
  first === undefined ||
  (!commands.has(first) && !ownWords.has(first) && (/^-|[\\/]/.test(first) || existsSync(first)));

/** The program with all commands, for pages about them. */
export async function completeProgram(context: CliContext): Promise<Command> {
  const program = createProgram(context);
  for (const add of await neededCommands([])) add(program, context);
  return program;
}

function createProgram(context: CliContext): Command {
  return new Command('limner')
    .description('Annotates images and video offline, with a CVAT-compatible API.')
    .version(context.application.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', `${examples}\n${exitCodesHelp}`)
    .showHelpAfterError('(see limner --help for the commands and limner help COMMAND for their options)')
    .configureOutput({
      writeOut: (text) => context.print(text.replace(/\n$/, '')),
      writeErr: (text) => context.errorOutput.write(text),
    })
    .exitOverride();
}

async function neededCommands([name = '']: readonly string[]): Promise<ReadonlySet<AddCommand>> {
  if (name === '--version' || name === '-V') return new Set();
  const load = name === 'completion' ? undefined : commands.get(name);
  return new Set(load ? [await load()] : await Promise.all([...commands.values()].map((loadOne) => loadOne())));
}

async function sentence(error: unknown, stopSignal: AbortSignal): Promise<string> {
  if (stopSignal.aborted && (error as { name?: unknown }).name === 'AbortError') return 'Interrupted.';
  if (error instanceof ApiFailure && error.status >= 500) {
    return `${error.message} See the log in the data directory for details.`;
  }
  if (isStorageFull(error)) {
    return 'The disk of the data directory is full. Saved data is not affected. Free some space and try again.';
  }
  if (error instanceof StoreRefused) {
    const { suggestedActions } = await import('./store.ts');
    return [error.message, ...suggestedActions(error)].join('\n');
  }
  if (!(error instanceof Error)) return String(error);
  const isExplained = error instanceof CommandError || error instanceof AppError || error instanceof ApiFailure;
  return isExplained || process.env['LIMNER_DEBUG'] === undefined ? error.message : (error.stack ?? error.message);
}
