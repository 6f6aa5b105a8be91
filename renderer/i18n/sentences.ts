const placeHolder = /\{\{(\w+)\}\}/;

export interface KnownSentence<Key extends string> {
  readonly key: Key;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Recognizes English sentences of the service by the English texts, whose placeholders become values. So the window can
 * translate them, and the command line prints them unchanged.
 */
export function sentenceReader<Key extends string>(texts: Readonly<Record<Key, string>>) {
  const patterns = Object.entries<string>(texts).map(([key, text]) => {
    // Every other part is the name of a placeholder.
    const parts = text.split(placeHolder);
    const source = parts
      .map((part, index) => (index % 2 === 1 ? '(.+?)' : part.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')))
      .join('');
    return {
      // `Object.entries` loses the type of keys.
      key: key as Key,
      names: parts.filter((_part, index) => index % 2 === 1),
      pattern: new RegExp(`^${source}$`, 's'),
    };
  });
  /** All texts that the sentence may be, in their order. */
  return function* (sentence: string): Generator<KnownSentence<Key>> {
    for (const { key, names, pattern } of patterns) {
      const found = pattern.exec(sentence);
      if (!found) continue;
      yield { key, values: Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ''])) };
    }
  };
}
