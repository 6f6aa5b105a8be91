import type {
  Webhook,
  WebhookPatch,
  WebhookSettings,
  WebhookSettingsPatch,
  WebhookType,
  WebhookWrite,
} from '../../../preload/contract/schema/webhooks.ts';
import { valuesFor } from '../../db/columns.ts';
import { listRows } from '../../db/list-rows.ts';
import type { Store } from '../../db/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError, invalidField } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { forbidden, isAdmin, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor, Listing, ListRequest } from '../../users/access/actor.ts';
import type { Subscriptions } from '../events/subscriptions.ts';
import type { ProjectRepository } from '../../work/tables/project-repository.ts';
import { organizationOf, visibleTo } from '../../users/access/scope.ts';
import type { WorkAccess } from '../../work/work-access.ts';
import type { OutboxRepository } from '../store/outbox-repository.ts';
import type { WebhookSettingStore } from '../store/setting-repository.ts';
import { hasStars, hideCredentials, sharesCredentials } from '../store/target-address.ts';
import type { WebhookAccess } from './webhook-access.ts';
import { presentWebhook } from './webhook-presenter.ts';
import {
  webhookColumns,
  webhookList,
  webhookScope,
  type NewWebhook,
  type WebhookChange,
  type WebhookRepository,
  type WebhookRow,
} from '../store/webhook-repository.ts';
import { checkEvents, checkPlace, checkTargetUrl, eventsOfType, type WebhookPlace } from './webhook-rules.ts';

/** Time that a replaced secret still signs. */
const overlapMs = 24 * 60 * 60 * 1000;

/** Notifications for the delivery part. */
export interface WebhookListener {
  readonly changed: (webhookIds: readonly number[]) => void;
  /** There are rows to delete in the background. */
  readonly sweep: () => void;
  /** New connections must use the changed settings. */
  readonly settingsChanged: () => void;
}

/** CRUD for webhooks. Secrets are write-only. */
export function createWebhookService(dependencies: {
  readonly database: Store;
  readonly webhooks: WebhookRepository;
  readonly outbox: Pick<OutboxRepository, 'skipAll'>;
  readonly projects: Pick<ProjectRepository, 'get'>;
  readonly access: WorkAccess;
  readonly webhookAccess: WebhookAccess;
  readonly subscriptions: Pick<Subscriptions, 'invalidate'>;
  readonly settings: WebhookSettingStore;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly nowMs: () => number;
  readonly listener: WebhookListener;
}) {
  const { database, webhooks, outbox, access, webhookAccess, subscriptions, settings, secrets, listener } =
    dependencies;
  const { clock, nowMs } = dependencies;

  const sealed = (secret: string): string => (secret === '' ? '' : secrets.seal(secret));

  /**
   * Splits a URL for the store. A URL with asterisks, as shown to clients, keeps its password, but only for the same
   * receiver. Otherwise a user could send an unknown password to another server.
   */
  function addressFields(
    text: string,
    row?: Pick<WebhookRow, 'target_url' | 'target_credentials'>,
  ): Pick<WebhookRow, 'target_url' | 'target_credentials'> {
    const address = hideCredentials(checkTargetUrl(text));
    const { shown, credentials } = address;
    if (!hasStars(address)) return { target_url: shown, target_credentials: sealed(credentials) };
    if (row && row.target_credentials !== '' && sharesCredentials(shown, row.target_url)) {
      return { target_url: shown, target_credentials: row.target_credentials };
    }
    throw invalidField(
      'target_url',
      'The asterisks stand for a password that is not known for this address. Nothing was changed. Enter the name and ' +
        'password instead.',
    );
  }

  /** A replaced secret signs for another day, so that receivers can switch; a removed one does not. */
  function exchanged(secret: string, row: Pick<WebhookRow, 'secret'>): WebhookChange {
    const next = { secret: sealed(secret), previous_secret: '', previous_secret_until_ms: 0 };
    if (secret === '' || row.secret === '') return next;
    if (isSame(row.secret, secret)) return {};
    return { ...next, previous_secret: row.secret, previous_secret_until_ms: nowMs() + overlapMs };
  }

  /** False if the stored secret cannot be decrypted. */
  function isSame(known: string, secret: string): boolean {
    try {
      return secrets.open(known) === secret;
    } catch {
      return false;
    }
  }

  /** Invalidates the webhooks in memory whether the transaction succeeded or not. */
  function change<Result>(work: () => Result): Result {
    try {
      return database.write(work);
    } finally {
      subscriptions.invalidate();
    }
  }

  function requireCreation(actor: Actor, place: WebhookPlace): void {
    if (place.type === 'server') return requireAdmin(actor);
    if (place.type === 'organization') {
      const facts = access.facts.place(actor, place.organizationId);
      return requireAllowed(actor, 'webhook', 'create@organization', facts);
    }
    const project = dependencies.projects.get(place.projectId);
    if (!project) throw unknownProject(place.projectId);
    access.project(actor, project.id, 'view');
    const facts = { ...access.facts.place(actor, project.organization_id), people: { projectOwner: project.owner_id } };
    requireAllowed(actor, 'webhook', 'create@project', facts);
  }

  function update(actor: Actor, id: number, body: WebhookPatch): Webhook {
    const row = webhookAccess.open(actor, id, 'update');
    const changed = {
      ...webhookChange(body, row),
      ...(body.target_url === undefined ? {} : addressFields(body.target_url, row)),
      ...(body.secret === undefined ? {} : exchanged(body.secret, row)),
    };
    change(() => {
      webhooks.update(id, changed, clock());
      if (changed.is_active === 0) outbox.skipAll(id, 'The webhook was disabled.');
    });
    listener.changed([id]);
    return presentWebhook(webhookAccess.stored(id), actor.baseUrl);
  }

  return {
    list(actor: Actor, request: ListRequest): Listing<Webhook> {
      const visible = visibleTo(actor, 'webhook', webhookScope);
      const scope = { sql: `${webhookScope.live} AND (${visible.sql})`, params: visible.params };
      const { count, results } = listRows<WebhookRow>(database, webhookList, request, scope);
      return { count, results: results.map((row) => presentWebhook(row, actor.baseUrl)) };
    },
    get: (actor: Actor, id: number): Webhook => presentWebhook(webhookAccess.open(actor, id, 'view'), actor.baseUrl),
    /** @param type `all` or a type of webhooks */
    eventsOfType: (type: string | undefined) => eventsOfType(type ?? 'all'),

    create(actor: Actor, body: WebhookWrite): Webhook {
      const fields = { ...newWebhookFields(body, sealed), ...addressFields(body.target_url) };
      const place = checkPlace(body, organizationOf(actor));
      requireCreation(actor, place);
      const id = change(() =>
        webhooks.insert({
          ...fields,
          owner_id: actor.userId,
          project_id: place.type === 'project' ? place.projectId : null,
          organization_id: place.type === 'organization' ? place.organizationId : null,
          date: clock(),
        }),
      );
      return presentWebhook(webhookAccess.stored(id), actor.baseUrl);
    },

    update,

    /** Waiting messages are dropped, and the log is deleted. */
    remove(actor: Actor, id: number): void {
      webhookAccess.open(actor, id, 'delete');
      change(() => webhooks.discard(id));
      listener.changed([id]);
      listener.sweep();
    },

    settings: (): WebhookSettings => settings.get(),
    updateSettings(actor: Actor, body: WebhookSettingsPatch): WebhookSettings {
      requireAdmin(actor);
      const next = settings.set(body);
      listener.settingsChanged();
      return next;
    },
  };
}

function requireAdmin(actor: Actor): void {
  if (!isAdmin(actor)) throw forbidden();
}

function newWebhookFields(
  body: WebhookWrite,
  sealed: (secret: string) => string,
): Omit<NewWebhook, 'target_url' | 'target_credentials' | 'owner_id' | 'project_id' | 'organization_id'> {
  return {
    ...valuesFor(webhookColumns, 'plain', body),
    type: body.type,
    secret: sealed(body.secret),
    is_active: Number(body.is_active),
    enable_ssl: Number(body.enable_ssl),
    events: checkEvents(body.events, body.type),
  };
}

function webhookChange(body: WebhookPatch, { type }: { readonly type: WebhookType }): WebhookChange {
  return {
    ...valuesFor(webhookColumns, 'plain', body),
    enable_ssl: body.enable_ssl === undefined ? undefined : Number(body.enable_ssl),
    events: body.events === undefined ? undefined : checkEvents(body.events, type),
    is_active: body.is_active === undefined ? undefined : Number(body.is_active),
    deactivation_reason: body.is_active === undefined ? undefined : null,
  };
}

function unknownProject(id: number): AppError {
  const message = `Could not find project with provided id: ${id}`;
  return new AppError('invalid', message, [message]);
}
