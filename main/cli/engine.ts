import type { Command } from 'commander';
import type { ModelEngine } from '../../preload/contract/schema/functions.ts';
import type { ApiClient } from './api-client.ts';
import { tableOf } from './collections.ts';
import { addGroup, asking, counted, show, type JsonOptions } from './commands.ts';
import type { CliContext } from './context.ts';
import { explained, failed } from './exit-codes.ts';
import { textIn } from './options.ts';
import { defined } from '../platform/defined.ts';

interface AddOptions extends JsonOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const examples = `
Examples:
  limner engine list
  limner engine add gpu-box ssh://limner@gpu-box.example.org
  limner engine add lab tcp://lab.example.org:2376 --ca ca.pem --cert cert.pem --key key.pem
  limner engine test gpu-box
  limner function deploy --path ./yolov7/nuclio --engine gpu-box

Docker contexts (docker context ls) are listed under their names. The Engine "default" is that of this
computer.`;

export function addEngineCommand(program: Command, context: CliContext): void {
  const add = addGroup(program, {
    name: 'engine',
    summary: 'list, test, add and remove Docker Engines of other computers',
    description: 'Manages the Docker Engines on which functions can be deployed: over SSH, or over TCP with TLS.',
    examples,
  });
  add('list', 'Lists the Engines and tests each of them.').action(
    asking(context, async (client, options: JsonOptions) => {
      const known = await explained(client.call('listModelEngines', {}));
      const engines = await Promise.all(known.map(({ name }) => testEngine(client, name)));
      show(context, options, engines, () =>
        tableOf(engines, {
          NAME: ({ name }) => name,
          ADDRESS: ({ address }) => address,
          STATE: ({ state }) => state,
          DOCKER: ({ version }) => version,
          LATENCY: (one) => (one.latency_ms === null ? null : `${one.latency_ms} ms`),
          GPUS: ({ gpus }) => gpus.length,
          FUNCTIONS: ({ functions }) => functions.length,
          MESSAGE: ({ message }) => message || null,
        }),
      );
    }),
  );
  add('test', 'Connects to an Engine. Fails if it cannot be reached.')
    .argument('<name>', 'name of the Engine')
    .action(
      asking(context, async (client, name: string, options: JsonOptions) => {
        const engine = await testEngine(client, name);
        if (engine.state !== 'connected') throw failed(engine.message);
        show(context, options, engine, () => connectedLine(engine));
      }),
    );
  add('add', 'Adds the Engine of another computer.')
    .argument('<name>', 'name of the Engine')
    .argument('<address>', 'ssh://user@host:port, or tcp://host:2376 with TLS')
    .option('--ca <file>', "certificate of the server's authority (PEM)")
    .option('--cert <file>', 'certificate of this computer (PEM)')
    .option('--key <file>', 'key of that certificate (PEM)')
    .action(
      asking(context, async (client, name: string, address: string, options: AddOptions) => {
        const { ca, cert, key } = options;
        const read = (file: string | undefined) => (file === undefined ? undefined : textIn(file));
        const body = { name, address, ...defined({ ca: read(ca), cert: read(cert), key: read(key) }) };
        const added = await explained(client.call('addModelEngine', { body }));
        show(context, options, added, () => `Added the Engine "${name}". Test it with: limner engine test ${name}`);
      }),
    );
  add('remove', 'Removes an Engine that was added here. Docker contexts are removed with docker.')
    .argument('<name>', 'name of the Engine')
    .action(
      asking(context, async (client, name: string, options: JsonOptions) => {
        await explained(client.call('deleteModelEngine', { params: { name } }));
        show(context, options, { name }, () => `Removed the Engine "${name}".`);
      }),
    );
}

const testEngine = (client: ApiClient, name: string): Promise<ModelEngine> =>
  explained(client.call('testModelEngine', { params: { name } }));

const connectedLine = ({ name, version, latency_ms: latency, gpus }: ModelEngine): string =>
  `The Engine "${name}" answers in ${latency} ms: Docker ${version}, ${counted(gpus.length, 'GPU')}.`;
