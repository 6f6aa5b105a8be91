import type { Clock } from '../../platform/clock.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { defaults } from '../configuration/defaults.ts';
import { noFacts, requireAllowed } from '../../users/access/access-rules.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { FunctionRecords } from '../records/function-records.ts';
import type { FunctionRepository } from '../records/function-repository.ts';

export interface FunctionProject {
  readonly name: string;
  readonly description: string;
}

/** Nuclio's function projects, which are unrelated to annotation projects. */
export function createFunctionProjects(dependencies: {
  readonly repository: Pick<FunctionRepository, 'projects'>;
  readonly records: FunctionRecords;
  readonly clock: Clock;
}) {
  const { repository, records, clock } = dependencies;

  /** `default`, created projects, and projects named by functions. */
  function all(): FunctionProject[] {
    const named = [defaults.project, ...records.list().map(({ row }) => row.project)];
    const made = repository.projects.list();
    const names = new Set([...named, ...made.map(({ name }) => name)]);
    return [...names]
      .toSorted()
      .map((name) => ({ name, description: made.find((one) => one.name === name)?.description ?? '' }));
  }

  return {
    exists: (name: string): boolean => all().some((one) => one.name === name),
    list(actor: Actor): FunctionProject[] {
      requireAllowed(actor, 'function', 'view', noFacts);
      return all();
    },
    get(actor: Actor, name: string): FunctionProject {
      requireAllowed(actor, 'function', 'view', noFacts);
      const found = all().find((one) => one.name === name);
      if (!found) throw notFound('Project not found');
      return found;
    },
    put(actor: Actor, name: string, description: string): void {
      requireAllowed(actor, 'function', 'manage', noFacts);
      if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) {
        throw new AppError('invalid', `"${name}" is not a valid project name. Use lower-case letters, digits and "-".`);
      }
      repository.projects.put(name, description, clock());
    },
    /** Deletes an empty project; `default` and projects with functions are rejected. `check` validates only. */
    remove(actor: Actor, name: string, { check = false } = {}): void {
      requireAllowed(actor, 'function', 'manage', noFacts);
      if (name === defaults.project) throw new AppError('forbidden', 'The default project cannot be deleted.');
      const inside = records.list().filter(({ row }) => row.project === name);
      if (inside.length > 0) {
        const names = inside.map(({ row }) => row.name).join(', ');
        throw new AppError('conflict', `Project "${name}" has functions (${names}). Delete them first.`);
      }
      if (!check) repository.projects.remove(name);
    },
  };
}
