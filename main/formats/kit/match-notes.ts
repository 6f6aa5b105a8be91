import { ambiguous } from './path-finder.ts';
import type { FrameMatch } from './task-data.ts';

const maxNamed = 5;

/** Message for names that match several images, whose objects are dropped. */
function ambiguousNames(count: number, names: readonly string[]): string {
  const quoted = names.map((name) => `"${name.slice(0, 200)}"`).join(', ');
  const list = count > names.length ? `${quoted} and ${count - names.length} more` : quoted;
  return `The file has image names that match several images equally, and their objects were left out: ${list}. Give the images different names, or add their folders in the file.`;
}

/** Collects ambiguous names, except for images that another name identified. */
export function createMatchNotes() {
  const names = new Set<string>();
  let last: string | undefined;
  return {
    take(item: FrameMatch, found: number | undefined): void {
      const isFurther = item.isGuess === true;
      if (isFurther && found !== undefined && found !== ambiguous && last !== undefined) names.delete(last);
      if (!isFurther) last = undefined;
      if (found !== ambiguous || item.name === undefined) return;
      if (last !== undefined) return;
      last = item.name;
      names.add(item.name);
    },
    sentences: (): readonly string[] =>
      names.size === 0 ? [] : [ambiguousNames(names.size, [...names].slice(0, maxNamed))],
  };
}
