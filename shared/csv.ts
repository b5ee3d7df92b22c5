const negativeNumber = /^-\d+(\.\d+)?$/
/** Marks the start of a file, so that a spreadsheet recognises the text as UTF-8. */
const byteOrderMark = '\ufeff'

/**
 * Writes a table as comma-separated text (RFC 4180), in UTF-8 with a byte order mark. Exported text may come from attackers, so text that a
 * spreadsheet would run as a formula gets a leading apostrophe. This also applies after a semicolon or tab, because some spreadsheets split there.
 * Numbers remain numbers.
 */
export const csvTable = (columns: readonly string[], lines: readonly (readonly string[])[]): string =>
  `${byteOrderMark}${[columns, ...lines].map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`

/**
 * Finds a character that starts a formula (half or full width), even after characters that a spreadsheet ignores. A match starts at the beginning
 * of a text, or at `;`, a tab or a line break. So the ignored characters must not include these, or the search would take quadratic time.
 */
const formula = /(^|[;\t\r\n])((?:[^\S\t\r\n]|["'])*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

function cell(text: string): string {
  const safe = negativeNumber.test(text) ? text : text.replace(formula, "$1$2'").replace(/^[\t\r]/, "'$&")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
