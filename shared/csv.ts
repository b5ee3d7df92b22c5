/** A negative number, which is not a formula. */
const negativeNumber = /^-\d+(\.\d+)?$/
/** Marks the start of a file, so that a spreadsheet recognises the text as UTF-8. */
const byteOrderMark = '\ufeff'

/**
 * Writes a table with commas (RFC 4180), in UTF-8 with a byte order mark. Much exported text comes from others, so anything that a spreadsheet would
 * read as a formula gets an apostrophe in front. This also applies after a semicolon or a tab, because some spreadsheets split there. Numbers stay
 * numbers.
 */
export const csvTable = (columns: readonly string[], lines: readonly (readonly string[])[]): string =>
  `${byteOrderMark}${[columns, ...lines].map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`

/**
 * Finds a character that starts a formula (half or full width), after characters that a spreadsheet skips. The skipped part excludes the characters
 * at which a match can start, such as `;` and tab: otherwise each of them would start another slow search.
 */
const formula = /(^|[;\t\r\n])((?:[^\S\t\r\n]|["'])*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

function cell(text: string): string {
  const safe = negativeNumber.test(text) ? text : text.replace(formula, "$1$2'").replace(/^[\t\r]/, "'$&")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
