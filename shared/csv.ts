/** A negative number, which is not a formula. */
const negativeNumber = /^-\d+(\.\d+)?$/
/** Tells a spreadsheet that the text is UTF-8. */
const byteOrderMark = '\ufeff'

/**
 * Writes a table with commas (RFC 4180), in UTF-8 with a byte order mark. Puts an apostrophe before anything that a spreadsheet would read as a
 * formula, also after a semicolon or a tab, because some spreadsheets split there: much exported text comes from others. Numbers stay numbers.
 */
export const csvTable = (columns: readonly string[], lines: readonly (readonly string[])[]): string =>
  `${byteOrderMark}${[columns, ...lines].map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`

/**
 * The character that starts a formula, in either width, after characters that a spreadsheet skips. The skipped part contains no possible start,
 * because searching from each one would be slow.
 */
const formula = /(^|[;\t\r\n])((?:[^\S\t\r\n]|["'])*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

function cell(text: string): string {
  const safe = negativeNumber.test(text) ? text : text.replace(formula, "$1$2'").replace(/^[\t\r]/, "'$&")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
