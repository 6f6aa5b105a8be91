import { z } from 'zod';

const phrasesSchema = z.array(z.string().max(256)).max(256);

/** Phrases are kept by project, or by task without one. */
export interface PhrasesOwner {
  readonly project_id: number | null;
  readonly task_id: number;
}

const keyOf = ({ project_id: project, task_id: task }: PhrasesOwner): string =>
  project === null ? `limner.phrases.task.${task}` : `limner.phrases.project.${project}`;

export function keptPhrases(owner: PhrasesOwner): readonly string[] {
  try {
    return phrasesSchema.parse(JSON.parse(localStorage.getItem(keyOf(owner)) ?? '[]'));
  } catch {
    return [];
  }
}

export const keepPhrases = (owner: PhrasesOwner, phrases: readonly string[]): void =>
  localStorage.setItem(keyOf(owner), JSON.stringify(phrases));
