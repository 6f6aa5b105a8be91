import { expect, it } from 'vitest';
import { inTurn } from '../../../main/media/disk-turns.ts';

/** File operations that end when the test says so. */
function useOperations() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const start = (file: string): Promise<void> =>
    inTurn(file, () => {
      begun.push(file);
      const end = Promise.withResolvers<void>();
      ends.set(file, end);
      return end.promise;
    });
  return { begun, start, end: (file: string) => ends.get(file)! };
}

it('two files of a folder are read at once, and the latest one is next', async () => {
  const { begun, start, end } = useOperations();
  const [first, ...others] = ['/a/1', '/a/2', '/a/3', '/a/4'].map(start);
  expect(begun).toEqual(['/a/1', '/a/2']);
  end('/a/1').resolve();
  await first;
  expect(begun).toEqual(['/a/1', '/a/2', '/a/4']);
  for (const file of ['/a/2', '/a/4', '/a/3']) {
    await expect.poll(() => begun).toContain(file);
    end(file).resolve();
  }
  await Promise.all(others);
});

it('a folder whose files are not answered delays no other one, and a failed file gives its turn away', async () => {
  const { begun, start, end } = useOperations();
  const stuck = ['/b/1', '/b/2', '/b/3'].map(start);
  const other = start('/c/1');
  expect(begun).toEqual(['/b/1', '/b/2', '/c/1']);
  end('/c/1').resolve();
  await other;
  end('/b/1').reject(new Error('EIO'));
  await expect(stuck[0]).rejects.toThrow('EIO');
  await expect.poll(() => begun).toContain('/b/3');
  for (const file of ['/b/2', '/b/3']) end(file).resolve();
  await Promise.all(stuck.slice(1));
});
