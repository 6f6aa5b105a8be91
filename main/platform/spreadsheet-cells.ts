/** What a spreadsheet takes for the beginning of a formula; the wide ones too. */
const formulaStart = /^'*[=+\-@\t\r\n＝＋－＠]/;
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * A text as a cell that no spreadsheet runs: an apostrophe stands before what would begin a formula. Numbers stay
 * numbers. Nothing is lost by it, as apostrophes before such a beginning get one more: see {@link restoredText}.
 */
export function harmlessCell(text: string): string {
  return formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** The text of a cell that {@link harmlessCell} has written. */
export function restoredText(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;
}
