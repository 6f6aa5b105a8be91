// Standard methods that the program uses and that Node 16 and Chromium 108 lack.
{
  const add = (prototype, methods) => {
    for (const [name, value] of Object.entries(methods))
      if (!(name in prototype)) Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  };
  const copying = {
    toSorted(compare) {
      return [...this].sort(compare);
    },
    toReversed() {
      return [...this].reverse();
    },
    toSpliced(...args) {
      const copy = [...this];
      copy.splice(...args);
      return copy;
    },
    with(index, value) {
      const copy = [...this];
      copy[index < 0 ? index + copy.length : index] = value;
      return copy;
    },
    findLast(test) {
      return [...this].reverse().find(test);
    },
    findLastIndex(test) {
      for (let index = this.length - 1; index >= 0; index -= 1) if (test(this[index], index, this)) return index;
      return -1;
    },
  };
  add(Array.prototype, copying);
  const typed = Object.getPrototypeOf(Uint8Array.prototype);
  add(typed, {
    toSorted(compare) {
      return this.slice().sort(compare);
    },
    toReversed() {
      return this.slice().reverse();
    },
  });
  add(Object, {
    groupBy(items, keyOf) {
      const groups = Object.create(null);
      let index = 0;
      for (const item of items) (groups[keyOf(item, index++)] ??= []).push(item);
      return groups;
    },
  });
  add(Map, {
    groupBy(items, keyOf) {
      const groups = new Map();
      let index = 0;
      for (const item of items) {
        const key = keyOf(item, index++);
        groups.set(key, [...(groups.get(key) ?? []), item]);
      }
      return groups;
    },
  });
  add(Promise, {
    withResolvers() {
      let resolve, reject;
      const promise = new Promise((...both) => ([resolve, reject] = both));
      return { promise, resolve, reject };
    },
  });
  add(Set.prototype, {
    union(other) {
      return new Set([...this, ...other.keys()]);
    },
    intersection(other) {
      return new Set([...this].filter((item) => other.has(item)));
    },
    difference(other) {
      return new Set([...this].filter((item) => !other.has(item)));
    },
    isSubsetOf(other) {
      return [...this].every((item) => other.has(item));
    },
    isDisjointFrom(other) {
      return ![...this].some((item) => other.has(item));
    },
  });
  const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  const onArray = (name) => ({
    [name](...args) {
      const result = [...this][name](...args);
      return Array.isArray(result) ? result.values() : result;
    },
  });
  for (const name of ['map', 'filter', 'flatMap', 'find', 'some', 'every', 'reduce', 'forEach'])
    add(iterators, onArray(name));
  add(iterators, {
    toArray() {
      return [...this];
    },
    take(count) {
      return [...this].slice(0, count).values();
    },
    drop(count) {
      return [...this].slice(count).values();
    },
  });
  add(URL, {
    canParse(text, base) {
      try {
        return Boolean(new URL(text, base));
      } catch {
        return false;
      }
    },
    parse(text, base) {
      try {
        return new URL(text, base);
      } catch {
        return null;
      }
    },
  });
  add(String.prototype, {
    isWellFormed() {
      return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(this);
    },
    toWellFormed() {
      return this.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
    },
  });
  if (typeof AbortSignal !== 'undefined')
    add(AbortSignal, {
      any(signals) {
        const controller = new AbortController();
        for (const signal of signals) {
          if (signal.aborted) controller.abort(signal.reason);
          signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
        }
        return controller.signal;
      },
    });
}
