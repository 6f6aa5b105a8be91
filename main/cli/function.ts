import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { addDeployCommand } from './function-deploy.ts';
import { addInvokeCommand } from './function-invoke.ts';
import { addChangesCommand, addGetCommand, addListCommand, addVersionsCommand } from './function-list.ts';
import { addDeleteCommand, addImportImageCommand, addLogsCommand, addRollbackCommand } from './function-manage.ts';

const examples = `
Examples:
  limner function deploy --sample colored-objects
  limner function deploy --path ./yolov7/nuclio --project-name cvat --image cvat.onnx.yolov7:latest
  limner function deploy --path ./yolov7/nuclio --file function-gpu.yaml --resource-limit nvidia.com/gpu=1
  limner function import-image yolov7.tar.gz
  limner function invoke colored-objects --input photo.jpg
  limner function logs colored-objects --follow
  limner function rollback colored-objects 1`;

export function addFunctionCommand(program: Command, context: CliContext): void {
  const group = program
    .command('function')
    .summary('deploy, list, call and delete model functions')
    .description(
      'Manages model functions in containers of this and other computers. Uses the function.yaml of CVAT and Nuclio.',
    )
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', examples);
  addDeployCommand(group, context);
  addListCommand(group, context);
  addGetCommand(group, context);
  addInvokeCommand(group, context);
  addLogsCommand(group, context);
  addVersionsCommand(group, context);
  addChangesCommand(group, context);
  addRollbackCommand(group, context);
  addDeleteCommand(group, context);
  addImportImageCommand(group, context);
}
