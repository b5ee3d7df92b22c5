/** Below zero, and no formula. */
const negativeNumber = /^-\d+(\.\d+)?$/

/**
 * A table with commas (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe: much of what is exported are
 * words of others. Numbers stay numbers.
 */
export const csvTable = (columns: readonly string[], lines: readonly (readonly string[])[]): string =>
  `${[columns, ...lines].map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !negativeNumber.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
