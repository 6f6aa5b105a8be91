import type { Database, Statement } from 'better-sqlite3';

/**
 * A statement that is prepared when it is first used: a service has five hundred, of which a start runs a dozen, and
 * preparing the others took a twentieth of it. What is wrong with one shows then, not at the start.
 */
class LateStatement implements Statement {
  readonly source: string;
  readonly #prepare: (source: string) => Statement;
  #prepared: Statement | undefined;
  #isPlucked = false;

  constructor(prepare: (source: string) => Statement, source: string) {
    this.#prepare = prepare;
    this.source = source;
  }

  #ready(): Statement {
    if (this.#prepared) return this.#prepared;
    const prepared = this.#prepare(plannedOnce(this.source));
    this.#prepared = this.#isPlucked ? prepared.pluck() : prepared;
    return this.#prepared;
  }

  get database() {
    return this.#ready().database;
  }
  get reader() {
    return this.#ready().reader;
  }
  get readonly() {
    return this.#ready().readonly;
  }
  get busy() {
    return this.#prepared?.busy ?? false;
  }

  run(...values: unknown[]) {
    return this.#ready().run(...values);
  }
  get(...values: unknown[]) {
    return this.#ready().get(...values);
  }
  all(...values: unknown[]) {
    return this.#ready().all(...values);
  }
  iterate(...values: unknown[]) {
    return this.#ready().iterate(...values);
  }
  columns() {
    return this.#ready().columns();
  }

  /** Chosen where a statement is made, mostly. */
  pluck(isPlucked = true): this {
    this.#isPlucked = isPlucked;
    this.#prepared?.pluck(isPlucked);
    return this;
  }
  expand(isExpanded = true): this {
    this.#ready().expand(isExpanded);
    return this;
  }
  raw(isRaw = true): this {
    this.#ready().raw(isRaw);
    return this;
  }
  bind(...values: unknown[]): this {
    this.#ready().bind(...values);
    return this;
  }
  safeIntegers(isSafe = true): this {
    this.#ready().safeIntegers(isSafe);
    return this;
  }
}

/**
 * This SQLite (built with STAT4) plans a statement anew whenever a bare parameter of it is bound that the plan might
 * depend on, at 10 to 20 times the cost of running it. Behind a `+`, which does nothing else, nobody asks for its value.
 * Patterns are left as they are: whether an index serves one depends on what it begins with.
 */
export function plannedOnce(source: string): string {
  const outsideOfTexts = source.split("'");
  return outsideOfTexts
    .map((part, at) =>
      at % 2 === 1 ? part : part.replace(/(?<![+\w?]|(?:LIKE|GLOB|MATCH)\s*)(?:\?|[@:]\w)\w*/gi, '+$&'),
    )
    .join("'");
}

/** Makes the connection prepare its statements late. Call after `writeInTurns`, whose statements they are. */
export function prepareLate(database: Database): void {
  const prepare: (source: string) => Statement = database.prepare.bind(database);
  // The library overloads the type of the method by parameters and rows, which pass through unchanged.
  Object.assign(database, { prepare: (source: string) => new LateStatement(prepare, source) });
}
