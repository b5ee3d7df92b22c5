/** Below zero, and no formula. */
const negativeNumber = /^-\d+(\.\d+)?$/
/** By it a spreadsheet knows that the text is UTF-8. */
const byteOrderMark = '\ufeff'

/**
 * A table with commas (RFC 4180), in UTF-8 with a byte order mark. What a spreadsheet would take for a formula begins with an apostrophe, also
 * behind a semicolon or a tab, by which others split: much of what is exported are words of others. Numbers stay numbers.
 */
export const csvTable = (columns: readonly string[], lines: readonly (readonly string[])[]): string =>
  `${byteOrderMark}${[columns, ...lines].map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`

/** The sign that begins one, in either width, after whatever a spreadsheet passes over. What passes over holds no begin: a search from each would be slow. */
const formula = /(^|[;\t\r\n])((?:[^\S\t\r\n]|["'])*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

function cell(text: string): string {
  const safe = negativeNumber.test(text) ? text : text.replace(formula, "$1$2'").replace(/^[\t\r]/, "'$&")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
