import type { z } from 'zod';
import type { dashboardSchema, dashboardWriteSchema } from '../../../preload/contract/schema/functions.ts';
import { createNuclioProvider } from '../engines/nuclio/nuclio-provider.ts';
import type { AddressRule } from '../engines/address-rule.ts';
import type { FunctionProvider } from '../engines/provider.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { DashboardRow, FunctionRepository } from '../records/function-repository.ts';

type Presented = z.output<typeof dashboardSchema>;

/** Nuclio dashboards whose functions are listed next to the local ones. */
export function createDashboards(dependencies: {
  readonly repository: Pick<FunctionRepository, 'dashboards'>;
  readonly addresses: Pick<AddressRule, 'invokerFor' | 'requireAllowed'>;
  readonly secrets: SecretBox;
  readonly clock: Clock;
}) {
  const { repository, addresses, secrets, clock } = dependencies;
  const manage = (actor: Actor) => requireAllowed(actor, 'function', 'manage', noFacts);
  const problems = new Map<number, string | null>();
  const present = ({ created_date: _date, secret: _secret, ...row }: DashboardRow): Presented => ({
    ...row,
    problem: problems.get(row.id) ?? null,
  });

  return {
    /** One provider per dashboard; the dashboard's last answer is shown next to it. */
    providers(): FunctionProvider[] {
      return repository.dashboards.list().map((row) => {
        const { url, namespace, project, invoke } = row;
        const authorization = row.secret === '' ? undefined : secrets.open(row.secret);
        const provider = createNuclioProvider(
          { url, namespace, project, invoke, authorization },
          addresses.invokerFor(url),
        );
        return {
          ...provider,
          async list() {
            try {
              const all = await provider.list();
              problems.set(row.id, null);
              return all;
            } catch (error) {
              problems.set(row.id, error instanceof Error ? error.message : String(error));
              throw error;
            }
          },
        };
      });
    },
    /** Names of the functions of one dashboard. @throws AppError if it cannot be asked */
    async namesIn(id: number): Promise<string[]> {
      const index = repository.dashboards.list().findIndex((row) => row.id === id);
      return ((await this.providers()[index]?.list()) ?? []).map(({ name }) => name);
    },
    list(actor: Actor): Presented[] {
      manage(actor);
      return repository.dashboards.list().map(present);
    },
    async add(actor: Actor, body: z.output<typeof dashboardWriteSchema>): Promise<Presented> {
      manage(actor);
      const { url, authorization } = splitAddress(body.url);
      await addresses.requireAllowed(url);
      if (repository.dashboards.list().some((row) => row.url === url)) {
        throw new AppError('conflict', `${url} is already in use.`, { url: [`${url} is already in use.`] });
      }
      const id = repository.dashboards.insert({
        ...body,
        url,
        secret: authorization === null ? '' : secrets.seal(authorization),
        created_date: clock(),
      });
      const row = repository.dashboards.get(id);
      if (!row) throw notFound();
      return present(row);
    },
    remove(actor: Actor, id: number): void {
      manage(actor);
      if (!repository.dashboards.remove(id)) throw notFound();
    },
  };
}

/** Separates a user name and password from the URL, so that they are stored as credentials and not shown. */
function splitAddress(address: string): { url: string; authorization: string | null } {
  const url = new URL(address);
  const [name, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  url.username = '';
  url.password = '';
  const authorization = name === '' ? null : `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  return { url: url.href.replace(/\/+$/, ''), authorization };
}
