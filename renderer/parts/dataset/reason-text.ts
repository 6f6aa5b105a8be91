import en from '../../i18n/en.json' with { type: 'json' };
import type { TextFunction } from '../../i18n/index.ts';

const { sentences, things } = en.reasons;
const { shape: shown } = en.annotate;
type Sentence = keyof typeof sentences;
type Thing = keyof typeof things;

interface Reason {
  readonly sentence: Sentence;
  readonly values: Readonly<Record<string, string>>;
  /** What the format lacks, or has alone, where the sentence names it. */
  readonly thing?: Thing;
}

const placeHolder = /\{\{(\w+)\}\}/;

/** Each sentence as a pattern, and the names of what stands in its place holders. */
const patterns = Object.entries(sentences).map(([sentence, text]) => {
  // Every other part is the name of a place holder.
  const parts = text.split(placeHolder);
  const source = parts
    .map((part, index) => (index % 2 === 1 ? '(.+?)' : part.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')))
    .join('');
  return {
    // Its own key: `Object.entries` has forgotten the names.
    sentence: sentence as Sentence,
    names: parts.filter((_part, index) => index % 2 === 1),
    pattern: new RegExp(`^${source}$`, 's'),
  };
});

const isThing = (text: string): text is Thing => Object.hasOwn(things, text);
/** A sentence may name one of them: `cuboid`. */
const thingOf = (text: string): Thing | undefined => [text, `${text}s`].find(isThing);

/** The sentence that a format's reason is, or null for words of its own. */
export function knownReason(rule: string): Reason | null {
  for (const { sentence, names, pattern } of patterns) {
    const found = pattern.exec(rule);
    if (!found) continue;
    const values = Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? '']));
    const { what } = values;
    if (what === undefined) return { sentence, values };
    const thing = thingOf(what);
    if (thing) return { sentence, values, thing };
  }
  return null;
}

/** A format's reason in the language of the window; its own words where nobody has translated them. */
export function reasonText(t: TextFunction, rule: string): string {
  const reason = knownReason(rule);
  if (!reason) return rule;
  const { sentence, values, thing } = reason;
  // Which place holders a sentence has, only the table knows: they are those of its pattern.
  const say = t as unknown as (key: string, given: Reason['values']) => string;
  const what = thing === undefined ? {} : { what: t(`reasons.things.${thing}`) };
  return say(`reasons.sentences.${sentence}`, { ...values, ...what });
}

const { types } = en.reasons;
const isOwnType = (type: string): type is keyof typeof types => Object.hasOwn(types, type);
const isShown = (type: string): type is keyof typeof shown => Object.hasOwn(shown, type);

/** What kind of object a row of a report is about. */
export function typeText(t: TextFunction, type: string): string {
  if (isOwnType(type)) return t(`reasons.types.${type}`);
  return isShown(type) ? t(`annotate.shape.${type}`) : type;
}
