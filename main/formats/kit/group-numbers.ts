/**
 * Groups as files name them, by number or text, become numbers counted from 1 over the whole import: which objects
 * belong together is kept, the numbers are not. `scope` keeps apart what two files or images call alike.
 */
export function createGroupNumbers(nextGroup: () => number): (scope: string, group: unknown) => number {
  const known = new Map<string, number>();
  return (scope, group) => {
    if ((typeof group !== 'number' && typeof group !== 'string') || group === '') return 0;
    const key = `${scope}\u0000${group}`;
    const number = known.get(key) ?? nextGroup();
    known.set(key, number);
    return number;
  };
}
