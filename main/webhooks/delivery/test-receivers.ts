import type { ReceiverAnswerPatch, WebhookReceiver } from '../../../preload/contract/schema/webhooks.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import { notFound } from '../../platform/errors.ts';
import { noReceiver, startTestReceiver, type TestReceiver } from './test-receiver.ts';

/** One test receiver per user, so that users do not see each other's requests. */
export function createTestReceivers(options: {
  /** Undefined for an unknown webhook, or one that the caller may not change. */
  readonly secretOf: (caller: Actor, webhookId: number) => string | undefined;
  readonly clock: Clock;
}) {
  const receivers = new Map<number, Promise<TestReceiver>>();

  async function opened({ userId }: Actor): Promise<TestReceiver> {
    const receiver = await receivers.get(userId);
    if (!receiver) throw notFound('The test receiver is not running. Start it first.');
    return receiver;
  }

  async function stop(userId: number): Promise<void> {
    const receiver = receivers.get(userId);
    receivers.delete(userId);
    await (await receiver)?.stop();
  }

  return {
    state: async ({ userId }: Actor): Promise<WebhookReceiver> => (await receivers.get(userId))?.state() ?? noReceiver,
    /** A running receiver keeps running with its requests. */
    async start(caller: Actor, answer: ReceiverAnswerPatch): Promise<WebhookReceiver> {
      const { userId } = caller;
      const secretOf = (webhookId: number) => options.secretOf(caller, webhookId);
      const starting = receivers.get(userId) ?? startTestReceiver({ secretOf, clock: options.clock });
      receivers.set(userId, starting);
      try {
        const receiver = await starting;
        receiver.setAnswer(answer);
        return receiver.state();
      } catch (error) {
        receivers.delete(userId);
        throw error;
      }
    },
    async setAnswer(caller: Actor, answer: ReceiverAnswerPatch): Promise<WebhookReceiver> {
      const receiver = await opened(caller);
      receiver.setAnswer(answer);
      return receiver.state();
    },
    clear: async (caller: Actor): Promise<void> => (await opened(caller)).clear(),
    stop: ({ userId }: Actor): Promise<void> => stop(userId),
    async stopAll(): Promise<void> {
      await Promise.all([...receivers.keys()].map(stop));
    },
  };
}
