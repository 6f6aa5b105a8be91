import { expect, it } from 'vitest';
import { createWriteBarrier } from '../../../main/platform/write-barrier.ts';

const settled = async (promise: Promise<unknown>): Promise<boolean> => {
  let isSettled = false;
  void promise.then(() => (isSettled = true));
  await new Promise((resolve) => setImmediate(resolve));
  return isSettled;
};

it('closes only after every running change has ended', async () => {
  const gate = createWriteBarrier();
  const leaveFirst = await gate.enter();
  const leaveSecond = await gate.enter();
  const closed = gate.close();
  leaveFirst();
  expect(await settled(closed)).toBe(false);
  leaveSecond();
  expect(await settled(closed)).toBe(true);
});

it('holds new changes back until it opens again', async () => {
  const gate = createWriteBarrier();
  await gate.close();
  const entered = gate.enter();
  expect(await settled(entered)).toBe(false);
  gate.open();
  expect(await settled(entered)).toBe(true);
});
