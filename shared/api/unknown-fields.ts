/**
 * Fields of an answer that this app does not know are kept as the JSON text of one object and shown on demand (ERR-02).
 * They are bounded: what goes beyond is cut or counted, so that no answer can fill the window.
 */
export const unknownFieldsBounds = { characters: 8_192, name: 80, value: 600 } as const

/** Under this name stands how many fields were left out. */
export const leftOutName = '…'

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

/** The same text where it is short enough; else its first fields, the long ones cut, and how many were left out. Takes an object's JSON text. */
export function boundFields(text: string): string {
  const { characters, name: longestName, value: longestValue } = unknownFieldsBounds
  if (text.length <= characters) return text
  const entries = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>) // by what this function takes
  const kept: [string, unknown][] = []
  // Room for the count of what is left out.
  let left = characters - 40
  for (const [name, value] of entries) {
    const written = JSON.stringify(value)
    const short = written.length <= longestValue ? value : cut(typeof value === 'string' ? value : written, longestValue)
    const entry: [string, unknown] = [cut(name, longestName), short]
    left -= JSON.stringify(Object.fromEntries([entry])).length
    if (left < 0) break
    kept.push(entry)
  }
  const leftOut = entries.length - kept.length
  return JSON.stringify(Object.fromEntries(leftOut === 0 ? kept : [...kept, [leftOutName, leftOut]]))
}

/** Unknown fields of several parts of one record as those of one, each name after that of its part; `''` stands for the record itself. */
export function joinFields(parts: Readonly<Record<string, string | null>>): string | null {
  const entries = Object.entries(parts).flatMap(([part, text]) =>
    text === null
      ? []
      : Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>).map(([name, value]) => [part === '' ? name : `${part}.${name}`, value]),
  )
  return entries.length === 0 ? null : boundFields(JSON.stringify(Object.fromEntries(entries)))
}
