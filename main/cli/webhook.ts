import type { Command } from 'commander';
import type { WebhookDelivery } from '../../preload/contract/schema/webhooks.ts';
import { addition, listing, removal, tableOf, type Columns } from './collections.ts';
import { addGroup, asking, show, type JsonOptions } from './commands.ts';
import type { CliContext } from './context.ts';
import { failed, orMissing, usage } from './exit-codes.ts';
import { collect, parseCount, parseId, secretIn } from './options.ts';

interface AddOptions extends JsonOptions {
  readonly event: string[];
  readonly project?: number;
  readonly organization?: string;
  readonly description?: string;
  readonly secretFile?: string;
  /** False with `--no-verify-tls`. */
  readonly verifyTls: boolean;
}

const shownDeliveries = 20;

const examples = `
Examples:
  limner webhook add http://127.0.0.1:9000/hook --project 3 --event update:job --event create:task
  limner webhook ping 1
  limner webhook deliveries 1 --count 5`;

export function addWebhookCommand(program: Command, context: CliContext): void {
  const add = addGroup(program, {
    name: 'webhook',
    summary: 'list, add, ping and delete webhooks, and list their deliveries',
    description: 'Webhooks of projects and organizations.',
    examples,
  });

  addition(
    add('add', 'Creates a webhook for a project or an organization.')
      .argument('<address>', 'URL of the receiver')
      .requiredOption('--event <name>', 'event kind, see /api/webhooks/events; may be repeated', collect)
      .option('--project <id>', 'id of the project', parseId)
      .option('--organization <short-name>', 'the organization')
      .option('--description <text>', 'description of the webhook')
      .option('--secret-file <file>', 'file with the secret for signatures in its first line')
      .option('--no-verify-tls', "do not check the receiver's certificate"),
    context,
    'createWebhook',
    (target_url: string, { event: events, project, organization, description, secretFile, verifyTls }: AddOptions) => {
      if ((project === undefined) === (organization === undefined)) {
        throw usage('Give exactly one of --project ID and --organization SHORT-NAME.');
      }
      const secret = secretFile === undefined ? '' : secretIn(secretFile);
      const type = project === undefined ? 'organization' : 'project';
      const body = {
        type,
        project_id: project,
        target_url,
        events,
        description,
        secret,
        enable_ssl: verifyTls,
      } as const;
      return { query: { org: organization }, body };
    },
    ({ id, target_url }) => [`Webhook ${id} sends to ${target_url}`],
  );
  listing(add('list', 'Lists the webhooks with the status of their last delivery.'), context, 'listWebhooks', {
    ID: ({ id }) => id,
    OF: ({ type }) => type,
    ADDRESS: (webhook) => webhook.target_url,
    STATE: (webhook) => (webhook.is_active ? 'active' : 'off'),
    LAST: (webhook) => webhook.last_status,
    EVENTS: ({ events }) => events.join(','),
  });
  add('ping', 'Sends a ping. Exits with code 1 if the receiver rejects it.')
    .argument('<id>', 'id of the webhook', parseId)
    .action(
      asking(context, async (client, id: number, options: JsonOptions) => {
        const delivery = await ofWebhook(id, client.call('pingWebhook', { params: { id } }));
        const { status_code: status, request_duration: duration, response } = delivery;
        if (options.json) context.print(JSON.stringify(delivery, null, 2));
        if (status === null || status < 200 || status > 299) {
          const answer = (response.split('\n')[0] ?? '').slice(0, 200);
          throw failed(`The receiver rejected the ping (${status ?? '-'}): ${answer}`);
        }
        if (!options.json) context.print(`The receiver answered ${status} after ${duration ?? 0} ms.`);
      }),
    );
  removal(
    add('remove', 'Deletes a webhook with its log. Waiting messages are not sent.'),
    context,
    'deleteWebhook',
    'webhook',
  );
  add('deliveries', 'Lists the delivery attempts, newest first.')
    .argument('<id>', 'id of the webhook', parseId)
    .option('--count <number>', 'how many', parseCount, shownDeliveries)
    .action(
      asking(context, async (client, id: number, options: JsonOptions & { readonly count: number }) => {
        const query = { page_size: String(options.count) };
        const { results } = await ofWebhook(id, client.call('listWebhookDeliveries', { params: { id }, query }));
        show(context, options, results, () => tableOf(results, deliveryColumns));
      }),
    );
}

const ofWebhook = <Answer>(id: number, answer: Promise<Answer>): Promise<Answer> =>
  orMissing(`There is no webhook ${id}.`, answer);

const deliveryColumns: Columns<WebhookDelivery> = {
  ID: ({ id }) => id,
  WHEN: (delivery) => delivery.created_date.slice(0, 19).replace('T', ' '),
  EVENT: ({ event }) => event,
  STATUS: (delivery) => delivery.status_code,
  ATTEMPT: ({ attempt }) => attempt,
  TOOK: (delivery) => `${delivery.request_duration ?? 0} ms`,
};
