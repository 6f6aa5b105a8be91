import { expect, test } from 'vitest';
import { createReceiverSlots } from '../../../main/webhooks/delivery/receiver-slots.ts';

test('at most eight requests run at one receiver, in the order they came, and other receivers do not wait', async () => {
  const slots = createReceiverSlots(8);
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  const ended: string[] = [];
  const request = (origin: string, name: string) =>
    slots.run(origin, async () => {
      running.set(origin, (running.get(origin) ?? 0) + 1);
      most.set(origin, Math.max(most.get(origin) ?? 0, running.get(origin) ?? 0));
      await new Promise((resolve) => setImmediate(resolve));
      running.set(origin, (running.get(origin) ?? 0) - 1);
      ended.push(name);
    });
  const names = Array.from({ length: 100 }, (_, index) => `a${index}`);
  await Promise.all([...names.map((name) => request('http://a', name)), request('http://b', 'b')]);
  expect(most.get('http://a')).toBe(8);
  expect(ended.indexOf('b')).toBeLessThan(9);
  expect(ended.filter((name) => name !== 'b')).toEqual(names);
});

test('a failed request frees its slot, and a stop rejects the waiting ones', async () => {
  const slots = createReceiverSlots(1);
  await expect(slots.run('http://a', () => Promise.reject(new Error('reset')))).rejects.toThrow('reset');
  const gate = Promise.withResolvers<void>();
  const first = slots.run('http://a', () => gate.promise);
  const second = slots.run('http://a', () => Promise.resolve());
  slots.refuseWaiting(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  gate.resolve();
  await first;
  await slots.run('http://a', () => Promise.resolve());
});
