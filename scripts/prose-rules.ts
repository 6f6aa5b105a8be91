/** The words of the project, as docs/contributing/style.md explains them. */

/** Texts that a rule is for: comments and docstrings; messages in code; texts of screens; Markdown. */
export type TextKind = 'comment' | 'message' | 'screen' | 'page';

interface Rule {
  readonly pattern: RegExp;
  readonly advice: string;
  /** Without it, the rule is for all kinds. */
  readonly kinds?: readonly TextKind[];
}

const rules: readonly Rule[] = [
  { pattern: /\banew\b/i, advice: 'again' },
  { pattern: /\b(?:nobody|somebody|whoever)\b/i, advice: 'no one, a user, the user who' },
  { pattern: /\bby (?:itself|themselves)\b/i, advice: 'automatically, or alone' },
  { pattern: /\bgo(?:es)? away\b/i, advice: 'is deleted, is removed' },
  { pattern: /\b(?:is|are|was|were) (?:told|said)\b/i, advice: 'say who tells whom' },
  { pattern: /\bas (?:it|they) came\b/i, advice: 'unchanged' },
  { pattern: /\bfor so long\b|\bmeanwhile\b/i, advice: 'while …' },
  { pattern: /\bwhere wanted\b/i, advice: 'optional' },
  { pattern: /\bof (?:theirs|(?:its|their) own)\b/i, advice: 'its, their' },
  {
    pattern: /\b(?:stands?|lies|lie) (?:in|on|at|there|here|beside|below|above|under)\b/i,
    advice: 'is, are',
  },
  { pattern: /\bpictures?\b/i, advice: 'image, frame, screenshot' },
  { pattern: /\bdata sets?\b/i, advice: 'dataset' },
  { pattern: /\bgraphics cards?\b/i, advice: 'GPU' },
  { pattern: /\bprocessors?\b/i, advice: 'CPU' },
  { pattern: /\bfiles? of weights\b/i, advice: 'model file' },
  { pattern: /\bkeepers?\b|\bnewsroom\b/i, advice: 'the name of the part: runtime, scheduler, store, change feed' },
];

/** Docstrings begin with their noun or verb. */
const openings = /^(?:What|Of|Those|Who|Whose|Whom|As|Where|Whether|In whose|For whom)\b/;
const longestSentence = 30;

/**
 * Faults of one text, each as a phrase with its advice; none for a text that follows the rules.
 * @param isDoc the text is a docstring, whose opening counts
 */
export function faultsOf(text: string, kind: TextKind, isDoc = false): string[] {
  const prose = withoutCode(text);
  const faults = rules.flatMap(({ pattern, advice, kinds }) => {
    const found = kinds === undefined || kinds.includes(kind) ? pattern.exec(prose) : null;
    return found === null ? [] : [`“${found[0]}”: ${advice}`];
  });
  if (isDoc && openings.test(prose))
    faults.push(`begins with “${prose.split(' ', 1)[0] ?? ''}”: begin with the noun or verb`);
  if (kind === 'screen' || kind === 'page') faults.push(...longSentences(prose));
  return faults;
}

/** Names in backquotes and addresses are no prose. */
const withoutCode = (text: string): string => text.replaceAll(/`[^`]*`|https?:\/\/\S+/g, 'x');

function longSentences(prose: string): string[] {
  return prose
    .split(/(?<=[.!?])\s+|\n{2,}/)
    .filter((sentence) => sentence.split(/\s+/).length > longestSentence)
    .map(
      (sentence) => `${sentence.split(/\s+/).length} words in “${sentence.slice(0, 40)}…”: at most ${longestSentence}`,
    );
}

/** Comments that contain or begin with the word `what`, in percent of all; how the project keeps from falling back. */
export function whatShares(comments: readonly string[]): { readonly contain: number; readonly begin: number } {
  const share = (pattern: RegExp): number =>
    (comments.filter((text) => pattern.test(text)).length / Math.max(1, comments.length)) * 100;
  return { contain: share(/\bwhat\b/i), begin: share(/^what\b/i) };
}
