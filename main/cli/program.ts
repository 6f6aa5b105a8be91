import { Command, CommanderError } from 'commander';
import { AppError, isStorageFull } from '../platform/errors.ts';
import { StoreRefused } from '../db/store/store-refused.ts';
import { ApiFailure } from './api-client.ts';
import { addBackupCommands } from './backup.ts';
import { addCompletionCommand } from './completion.ts';
import type { CliContext } from './context.ts';
import { addCreateTaskCommand } from './create-task.ts';
import { addDoctorCommand } from './doctor.ts';
import { CommandError, exitCodeOf, exitCodes, exitCodesHelp } from './exit-codes.ts';
import { addEvaluateCommand } from './evaluate.ts';
import { addExportCommand } from './export.ts';
import { addFramesCommand } from './frames.ts';
import { addFormatsCommand } from './formats.ts';
import { addFunctionCommand } from './function.ts';
import { addModelCommand } from './model.ts';
import { addGitCommand } from './git.ts';
import { addImportCommand } from './import.ts';
import { addKeyCommand } from './key.ts';
import { addServeCommand } from './serve.ts';
import { addStoreCommand, waysOn } from './store.ts';
import { addTakeBackCommand } from './take-back.ts';
import { addSettingsCommand } from './settings.ts';
import { addTokenCommand } from './token.ts';
import { addUserCommand } from './user.ts';
import { addVolumeCommand } from './volume.ts';
import { addWebhookCommand } from './webhook.ts';

const examples = `
Examples:
  limner serve --port 8081 --no-open
  limner create-task "Street scenes" --label car --label person ~/photos
  limner import annotations.json --task 5 --format "COCO 1.0"
  limner export --task 5 --format "YOLO 1.1" --save-images --output street.zip
  limner frames 5 --every 30 --to-task "Stills"
  limner backup --output /mnt/backups/today.limner
  limner backup --task 5 --output street.zip
  limner function deploy --sample colored-objects
  limner evaluate --task 5 --predictions results.json --json`;

/** Runs one command. Answers the exit code; every failure has said on standard error what happened. */
export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  const program = createProgram(context);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    context.errorOutput.write(`${sentence(error, context.stopSignal)}\n`);
    return context.stopSignal.aborted ? exitCodes.interrupted : exitCodeOf(error);
  }
}

function createProgram(context: CliContext): Command {
  const program = new Command('limner')
    .description('Annotation workbench for images and video on this computer, offline.')
    .version(context.application.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', `${examples}\n${exitCodesHelp}`)
    .showHelpAfterError('(limner --help lists the commands, limner help COMMAND their options)')
    .configureOutput({
      writeOut: (text) => context.print(text.replace(/\n$/, '')),
      writeErr: (text) => context.errorOutput.write(text),
    })
    .exitOverride();
  addServeCommand(program, context);
  addCreateTaskCommand(program, context);
  addImportCommand(program, context);
  addTakeBackCommand(program, context);
  addExportCommand(program, context);
  addFramesCommand(program, context);
  addFormatsCommand(program, context);
  addFunctionCommand(program, context);
  addModelCommand(program, context);
  addEvaluateCommand(program, context);
  addUserCommand(program, context);
  addSettingsCommand(program, context);
  addTokenCommand(program, context);
  addVolumeCommand(program, context);
  addWebhookCommand(program, context);
  addKeyCommand(program, context);
  addGitCommand(program, context);
  addStoreCommand(program, context);
  addBackupCommands(program, context);
  addDoctorCommand(program, context);
  addCompletionCommand(program, context);
  return program;
}

function sentence(error: unknown, stopSignal: AbortSignal): string {
  if (stopSignal.aborted && (error as { name?: unknown }).name === 'AbortError') return 'Interrupted.';
  if (error instanceof ApiFailure && error.status >= 500) {
    return `${error.message} The log in the data directory tells more.`;
  }
  if (isStorageFull(error)) {
    return 'The disk that holds the data directory is full. What was there is kept; free some space and try again.';
  }
  if (error instanceof StoreRefused) return [error.message, ...waysOn(error)].join('\n');
  if (!(error instanceof Error)) return String(error);
  const isExplained = error instanceof CommandError || error instanceof AppError || error instanceof ApiFailure;
  return isExplained || process.env['LIMNER_DEBUG'] === undefined ? error.message : (error.stack ?? error.message);
}
