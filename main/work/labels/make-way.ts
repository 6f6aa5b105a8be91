import { randomUUID } from 'node:crypto';
import { AppError } from '../../platform/errors.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** All names in use by siblings, and the new ones of some of them by id. */
interface Renames<Sibling extends Named> {
  readonly what: 'label' | 'attribute';
  readonly siblings: readonly Sibling[];
  readonly names: ReadonlyMap<number, string>;
  readonly rename: (sibling: Sibling, name: string) => void;
}

/**
 * Before siblings get new names: those whose name another of them takes get a passing one, so that two may swap.
 * @throws AppError where the name is one that a sibling keeps
 */
export function makeWay<Sibling extends Named>({ what, siblings, names, rename }: Renames<Sibling>): void {
  const holders = new Map(siblings.map((sibling) => [sibling.name, sibling]));
  for (const [id, name] of names) {
    const holder = holders.get(name);
    if (!holder || holder.id === id) continue;
    if ((names.get(holder.id) ?? name) === name) {
      throw new AppError('invalid', `There is a ${what} "${name}" already.`, [
        `All ${what} names must be unique; "${name}" exists already.`,
      ]);
    }
    rename(holder, randomUUID());
  }
}
