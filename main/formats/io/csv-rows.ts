import { AppError } from '../../platform/errors.ts';
import { createUtf8Decoder } from './text-encoding.ts';

/** Longer fields or rows are not CSV. */
const maxFieldLength = 16 * 1024 * 1024;
const maxFields = 10_000;

export interface CsvOptions {
  /** Default: the delimiter of a first line `sep=`, else a comma. */
  readonly delimiter?: string;
  /** Awaited after the rows of each chunk and at the end, for slow work. */
  readonly between?: () => Promise<void> | void | undefined;
}

interface CsvReader {
  write(text: string): void;
  end(): void;
}

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/** Excel reads the delimiter from a first line such as `sep=;`. */
const delimiterLine = /^sep=(.)(?:\r\n|\n|\r|$)/i;

/** Splits off the first line that states the delimiter. */
export function withoutDelimiterLine(text: string): { readonly text: string; readonly delimiter: string | undefined } {
  const [line = '', delimiter] = delimiterLine.exec(text) ?? [];
  return { text: text.slice(line.length), delimiter };
}

function createCsvReader(
  onRow: (fields: readonly string[], line: number) => void,
  delimiter: string,
  firstLine = 1,
): CsvReader {
  const separator = delimiter.charCodeAt(0);
  let fields: string[] = [];
  let field = '';
  let isQuoted = false;
  /** True after a quote that closed the quoted part. Another quote directly after it is a literal quote. */
  let isClosed = false;
  let hasContent = false;
  let line = firstLine;
  let rowLine = firstLine;
  let lastWasReturn = false;

  const keep = (text: string): void => {
    if (text === '') return;
    hasContent = true;
    field += text;
    if (field.length > maxFieldLength)
      throw new AppError(
        'invalid',
        `Cannot read the CSV at line ${rowLine}: a field never ends. Check if a quote is missing.`,
      );
  };
  const endField = (): void => {
    fields.push(field);
    field = '';
    isClosed = false;
    if (fields.length > maxFields)
      throw new AppError('invalid', `Cannot read the CSV at line ${line}: a row has too many fields.`);
  };
  const endRow = (): void => {
    if (hasContent) {
      endField();
      onRow(fields, rowLine);
    }
    fields = [];
    hasContent = false;
    rowLine = line + 1;
  };

  /** Takes text of a quoted part from `at`; returns the position after its closing quote, or the end. */
  const takeQuoted = (text: string, at: number): number => {
    const end = text.indexOf('"', at);
    const part = text.slice(at, end < 0 ? undefined : end);
    for (let feed = part.indexOf('\n'); feed >= 0; feed = part.indexOf('\n', feed + 1)) line += 1;
    keep(part);
    if (end < 0) return text.length;
    isQuoted = false;
    isClosed = true;
    return end + 1;
  };

  const takeQuote = (): void => {
    hasContent = true;
    if (isClosed) keep('"');
    // A quote inside an unquoted field is an ordinary character.
    else if (field !== '') return keep('"');
    isQuoted = true;
    isClosed = false;
    return undefined;
  };

  return {
    write(text) {
      let at = 0;
      while (at < text.length) {
        if (isQuoted) {
          at = takeQuoted(text, at);
          lastWasReturn = false;
          continue;
        }
        const start = at;
        let code = text.charCodeAt(at);
        while (code !== quote && code !== separator && code !== lineFeed && code !== carriageReturn) {
          at += 1;
          if (at === text.length) break;
          code = text.charCodeAt(at);
        }
        if (at > start) {
          isClosed = false;
          lastWasReturn = false;
          keep(text.slice(start, at));
        }
        if (at === text.length) return;
        at += 1;
        if (code === quote) takeQuote();
        else if (code === separator) {
          hasContent = true;
          endField();
        } else if (!(code === lineFeed && lastWasReturn)) {
          endRow();
          line += 1;
        }
        lastWasReturn = code === carriageReturn;
      }
    },
    end() {
      endRow();
    },
  };
}

/**
 * Calls `onRow` with the fields and first line number of every CSV row. Quoted fields may contain delimiters, line ends
 * and doubled quotes. Empty lines are skipped, and a byte order mark is dropped. Uses memory for one chunk and one row.
 */
export async function readCsv(
  input: AsyncIterable<Uint8Array>,
  onRow: (fields: readonly string[], line: number) => void,
  { delimiter, between }: CsvOptions = {},
): Promise<void> {
  const decode = createUtf8Decoder();
  let reader: CsvReader | undefined;
  const write = (chunk: string): void => {
    if (reader) return reader.write(chunk);
    const { text, delimiter: stated } = withoutDelimiterLine(chunk);
    reader = createCsvReader(onRow, delimiter ?? stated ?? ',', stated === undefined ? 1 : 2);
    return reader.write(text);
  };
  for await (const chunk of input) {
    write(decode(chunk));
    await between?.();
  }
  write(decode());
  reader?.end();
  await between?.();
}

/** Problem of a row with more fields than columns. An unquoted comma shifts all fields behind it. */
export function surplusProblem(fields: readonly string[], columns: number): string | undefined {
  if (fields.length <= columns || fields.slice(columns).every((field) => field.trim() === '')) return undefined;
  return `the row has ${fields.length} fields for ${columns} columns: does a number have a decimal comma?`;
}

export interface CsvRecordOptions extends CsvOptions {
  /** Called for rows with more fields than columns. They are not passed on as records. */
  readonly onBad: (line: number, reason: string) => void;
}

/** Reads rows as records by the column names in the first row. Missing fields are undefined. */
export async function readCsvRecords(
  input: AsyncIterable<Uint8Array>,
  onRecord: (record: ReadonlyMap<string, string>, line: number) => void,
  { onBad, ...options }: CsvRecordOptions,
): Promise<readonly string[]> {
  let columns: readonly string[] | undefined;
  await readCsv(
    input,
    (fields, line) => {
      if (!columns) columns = fields.map((field) => field.trim());
      else {
        const problem = surplusProblem(fields, columns.length);
        if (problem !== undefined) onBad(line, problem);
        else onRecord(new Map(columns.map((column, index) => [column, fields[index] ?? ''])), line);
      }
    },
    options,
  );
  return columns ?? [];
}

export function csvFields(line: string, delimiter: string): readonly string[] {
  let found: readonly string[] = [];
  const reader = createCsvReader((fields) => {
    if (found.length === 0) found = fields;
  }, delimiter);
  reader.write(line);
  reader.end();
  return found;
}

/** A CSV row with its line end. Fields are quoted if necessary. */
export function csvRow(fields: readonly (string | number)[], lineEnd = '\n'): string {
  const written = fields.map((field) => {
    const text = String(field);
    return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${written.join(',')}${lineEnd}`;
}
