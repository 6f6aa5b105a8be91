import { beforeEach, describe, expect, test } from 'vitest';
import {
  createAgentQueues,
  leaseMs,
  type AgentQuestion,
  type AgentQueues,
} from '../../../../main/functions/native/agent-queues.ts';

let timers: { atMs: number; work: () => void }[] = [];
let nowMs = 0;
let queues: AgentQueues;
beforeEach(() => {
  timers = [];
  nowMs = 0;
  queues = createAgentQueues({
    after(delayMs, work) {
      const timer = { atMs: nowMs + delayMs, work };
      timers.push(timer);
      return () => void (timers = timers.filter((one) => one !== timer));
    },
  });
});
function pass(ms: number): void {
  nowMs += ms;
  for (const timer of timers.filter(({ atMs }) => atMs <= nowMs)) {
    timers = timers.filter((one) => one !== timer);
    timer.work();
  }
}

const nobody = { onTaken: () => undefined };
const frame = (number: number, more: Partial<AgentQuestion> = {}): AgentQuestion => ({
  category: 'batch',
  agentId: null,
  parameters: { type: 'annotate_frame', frame: number },
  ...more,
});
const nothing = { agent_id: '', annotations: { tags: [], shapes: [] } };
const take = (agent: string, category: 'batch' | 'interactive' = 'batch') => queues.acquire(1, agent, category);
const numberOf = (taken: ReturnType<AgentQueues['acquire']>) => taken?.parameters['frame'] ?? null;

describe('requests for an agent', () => {
  test('are the oldest of the requested category, of its function', async () => {
    const requested = [frame(0), frame(1), frame(2, { category: 'interactive' })].map((one) =>
      queues.ask(1, one, nobody),
    );
    const elsewhere = queues.ask(2, frame(9), nobody);
    expect(numberOf(take('a', 'interactive'))).toBe(2);
    expect(numberOf(take('a', 'interactive'))).toBeNull();
    expect([take('a'), take('b'), take('a')].map(numberOf)).toEqual([0, 1, null]);
    expect(queues.counts(1)).toEqual({ waiting: 0, taken: 3 });
    expect(queues.counts(2)).toEqual({ waiting: 1, taken: 0 });
    queues.remove(1);
    queues.remove(2);
    for (const one of [...requested, elsewhere]) await expect(one).rejects.toThrow('The function was deleted.');
  });

  test('are given to the only agent that can answer', async () => {
    const requested = queues.ask(1, frame(0, { agentId: 'a' }), nobody);
    expect(take('b')).toBeNull();
    const taken = take('a');
    queues.answer(1, taken?.id ?? '', 'a', { result: nothing });
    expect(await requested).toMatchObject({ agentId: 'a' });
  });

  test('notify a listener of each new one, until it leaves', async () => {
    const heard: string[] = [];
    const { leave } = queues.listen(1, { tell: (category) => heard.push(category), end: () => heard.push('end') });
    expect(queues.isThere(1)).toBe(true);
    const controller = new AbortController();
    const requested = [frame(0), frame(1, { category: 'interactive' })].map((one) =>
      queues.ask(1, one, { ...nobody, signal: controller.signal }),
    );
    leave();
    const unheard = queues.ask(1, frame(2), { ...nobody, signal: controller.signal });
    expect(heard).toEqual(['batch', 'interactive']);
    expect(queues.isThere(1)).toBe(false);
    controller.abort();
    for (const one of [...requested, unheard]) await expect(one).rejects.toThrow('The call was cancelled.');
    expect(queues.counts(1)).toEqual({ waiting: 0, taken: 0 });
  });
});

describe('the owner of a request', () => {
  test('is no agent after two minutes: another one is notified and takes it', async () => {
    const requested = [queues.ask(1, frame(0), nobody), queues.ask(1, frame(1), nobody)];
    const slow = take('slow');
    const heard: string[] = [];
    queues.listen(1, { tell: (category) => heard.push(category), end: () => undefined });
    pass(leaseMs - 1);
    expect(queues.counts(1).taken).toBe(1);
    pass(1);
    expect(queues.counts(1)).toEqual({ waiting: 2, taken: 0 });
    expect(heard).toEqual(['batch']);
    const again = take('quick');
    expect(again).toEqual(slow);
    // The request belongs to the other agent now.
    expect(() => queues.answer(1, slow?.id ?? '', 'slow', { result: nothing })).toThrow('Another agent has this');
    queues.answer(1, again?.id ?? '', 'quick', { result: nothing });
    expect(await requested[0]).toMatchObject({ agentId: 'quick' });
    expect(() => queues.answer(1, again?.id ?? '', 'quick', { result: nothing })).toThrow('This request has ended');
    queues.remove(1);
    await expect(requested[1]).rejects.toThrow();
  });

  test('keeps it for two more minutes after an update', async () => {
    const requested = queues.ask(1, frame(0), nobody);
    const taken = take('a');
    pass(leaseMs - 1);
    queues.update(1, taken?.id ?? '', 'a');
    pass(leaseMs - 1);
    expect(queues.counts(1).taken).toBe(1);
    queues.answer(1, taken?.id ?? '', 'a', { failure: 'The card is gone' });
    expect(await requested).toEqual({ failure: 'The card is gone', agentId: 'a' });
  });

  test('can answer late as long as no other agent has taken it', async () => {
    const requested = queues.ask(1, frame(0), nobody);
    const taken = take('slow');
    pass(leaseMs);
    queues.answer(1, taken?.id ?? '', 'slow', { result: nothing });
    expect(await requested).toMatchObject({ agentId: 'slow' });
    expect(queues.counts(1)).toEqual({ waiting: 0, taken: 0 });
  });

  test('is no agent when the last listening agent is gone', async () => {
    const requested = queues.ask(1, frame(0), nobody);
    const listeners = [1, 2].map(() => queues.listen(1, { tell: () => undefined, end: () => undefined }));
    take('a');
    listeners[0]?.leave();
    expect(queues.counts(1).taken).toBe(1);
    listeners[1]?.leave();
    expect(queues.counts(1)).toEqual({ waiting: 1, taken: 0 });
    const again = take('b');
    queues.answer(1, again?.id ?? '', 'b', { result: nothing });
    expect(await requested).toMatchObject({ agentId: 'b' });
  });

  test('fails a request after three agents ended during it', async () => {
    const requested = queues.ask(1, frame(0), nobody);
    for (const agent of ['a', 'b', 'c']) {
      expect(numberOf(take(agent))).toBe(0);
      pass(leaseMs);
    }
    await expect(requested).rejects.toThrow('3 agents took this request');
    expect(take('d')).toBeNull();
  });

  test('is notified of a cancelled request', async () => {
    const controller = new AbortController();
    const requested = queues.ask(1, frame(0), { ...nobody, signal: controller.signal });
    const taken = take('a');
    controller.abort();
    await expect(requested).rejects.toThrow('The call was cancelled.');
    expect(() => queues.update(1, taken?.id ?? '', 'a')).toThrow('This request has ended');
    expect(timers).toEqual([]);
  });
});
