import type { ReceiverAnswerPatch, WebhookReceiver } from '../../../preload/contract/schema/webhooks.ts';
import type { Actor } from '../../people/access/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import { notFound } from '../../platform/errors.ts';
import { noReceiver, startTestReceiver, type TestReceiver } from './test-receiver.ts';

/** One test receiver for each user who asks for it: what it gets is for nobody else's eyes. */
export function createTestReceivers(options: {
  /** Undefined where there is no such webhook, or one that is not the caller's to change. */
  readonly secretOf: (caller: Actor, webhookId: number) => string | undefined;
  readonly clock: Clock;
}) {
  const receivers = new Map<number, Promise<TestReceiver>>();

  async function opened({ userId }: Actor): Promise<TestReceiver> {
    const receiver = await receivers.get(userId);
    if (!receiver) throw notFound('The test receiver does not run. Start it first.');
    return receiver;
  }

  async function stop(userId: number): Promise<void> {
    const receiver = receivers.get(userId);
    receivers.delete(userId);
    await (await receiver)?.stop();
  }

  return {
    state: async ({ userId }: Actor): Promise<WebhookReceiver> => (await receivers.get(userId))?.state() ?? noReceiver,
    /** One that runs already goes on, with what it got. */
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
