import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A secret to search for. Findings contain only its `name`, because a report must not repeat the secret. */
export interface Sought {
  readonly name: string
  readonly value: string
}

export interface Finding {
  readonly secret: string
  readonly encoding: string
  readonly place: string
  readonly offset: number
}

interface Needle {
  readonly encoding: string
  readonly bytes: Buffer
}

/** Number of leading base64 characters that depend on the bytes before the secret. Index: the secret’s position in its group of three bytes. */
const leading = [0, 2, 3] as const

/** The part of the secret’s base64 that does not depend on surrounding bytes. `shift`: the secret’s position in its group of three bytes. */
function base64At(bytes: Buffer, shift: 0 | 1 | 2, alphabet: 'base64' | 'base64url'): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString(alphabet)
    .replace(/=+$/, '')
  const whole = (shift + bytes.length) % 3 === 0
  return text.slice(leading[shift], whole ? undefined : -1)
}

/** All encodings of a secret that the search covers. */
export function needlesOf(value: string): readonly Needle[] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const wide = Buffer.from(value, 'utf16le')
  const texts: readonly (readonly [string, string])[] = [
    ['plain', value],
    ['hex', hex],
    ['hex, upper case', hex.toUpperCase()],
    ['URL-encoded', encodeURIComponent(value)],
    ['URL-encoded throughout', hex.replace(/../g, '%$&')],
    ['JSON', JSON.stringify(value).slice(1, -1)],
    ['list of bytes', bytes.join(',')],
    ...([0, 1, 2] as const).flatMap((shift) =>
      (['base64', 'base64url'] as const).map((alphabet): readonly [string, string] => [`${alphabet}, from byte ${shift}`, base64At(bytes, shift, alphabet)]),
    ),
    ...([0, 1, 2] as const).map((shift): readonly [string, string] => [`base64 of UTF-16, from byte ${shift}`, base64At(wide, shift, 'base64')]),
  ]
  const unique = new Map(texts.map(([encoding, text]) => [text, encoding]).reverse() as [string, string][])
  return [...unique].flatMap(([text, encoding]) => [
    { encoding, bytes: Buffer.from(text) },
    { encoding: `${encoding}, in UTF-16`, bytes: Buffer.from(text, 'utf16le') },
  ])
}

export function createSearch(secrets: readonly Sought[]) {
  for (const { name, value } of secrets) if (value.length < 16) throw new Error(`${name} is too short to be told from chance`)
  const wanted = secrets.map(({ name, value }) => ({ name, needles: needlesOf(value) }))

  const inBytes = (place: string, bytes: Buffer): Finding[] =>
    wanted.flatMap(({ name, needles }) =>
      needles.flatMap(({ encoding, bytes: needle }) => {
        const offset = bytes.indexOf(needle)
        return offset < 0 ? [] : [{ secret: name, encoding, place, offset }]
      }),
    )

  return {
    inBytes,
    inText: (place: string, text: string): Finding[] => inBytes(place, Buffer.from(text)),
    /** Searches the content of every file in the folder and all file names. */
    inFolder: (folder: string): Finding[] =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
        const file = join(entry.parentPath, entry.name)
        return [...inBytes(`the name of ${file}`, Buffer.from(entry.name)), ...(entry.isFile() ? inBytes(file, readFileSync(file)) : [])]
      }),
  }
}
