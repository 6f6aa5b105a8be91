import type { Database, Statement } from 'better-sqlite3';

/**
 * A statement that is prepared on first use. The service has five hundred statements, of which a start runs a dozen;
 * preparing the others took 5 % of it. Errors in a statement therefore appear on first use, not at the start.
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

  /** Usually called right after `prepare`. */
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
 * This SQLite (built with STAT4) plans a statement again whenever a bare parameter is bound that may affect the plan,
 * at 10 to 20 times the cost of running it. A unary `+`, which has no other effect, prevents that. Patterns stay bare,
 * because whether an index applies depends on their first characters.
 */
export function plannedOnce(source: string): string {
  const outsideOfTexts = source.split("'");
  return outsideOfTexts
    .map((part, at) =>
      at % 2 === 1 ? part : part.replace(/(?<![+\w?]|(?:LIKE|GLOB|MATCH)\s*)(?:\?|[@:]\w)\w*/gi, '+$&'),
    )
    .join("'");
}

/** Makes the connection prepare its statements late. Call after `serializeWrites`, whose statements it wraps. */
export function prepareLate(database: Database): void {
  const prepare: (source: string) => Statement = database.prepare.bind(database);
  // The library overloads the method's type by parameters and rows, which pass through unchanged.
  Object.assign(database, { prepare: (source: string) => new LateStatement(prepare, source) });
}
