import { afterEach, expect, test } from 'vitest'
import { languageOf, type Spoken } from '../../shared/text/catalogue.ts'
import { de } from '../../shared/text/de.ts'
import { ja } from '../../shared/text/ja.ts'
import { de as germanPages } from './de.tsx'
import { ja as japanesePages } from './ja.tsx'

const languages = { de: [de, germanPages], ja: [ja, japanesePages] } as const

afterEach(() => {
  globalThis.spoken = undefined
})

function readEnglish(modules: readonly unknown[]): ReadonlyMap<string, object> {
  const areas = new Map<string, object>()
  const noting: Spoken = {
    locale: 'en',
    translate: (english, area) => {
      areas.set(area, english)
      return null
    },
  }
  globalThis.spoken = noting
  for (const module of modules)
    for (const exported of Object.values(module as object)) if (typeof exported === 'object' && exported !== null) Reflect.get(exported, 'any')
  globalThis.spoken = undefined
  return areas
}

const english = readEnglish(Object.values(import.meta.glob(['../../shared/text/*-text.ts', './en/*.en.tsx'], { eager: true })))

/** Returns all text that a value shows. For a part of a page, this is the text in its elements. */
function shownBy(part: unknown): string {
  if (typeof part === 'string' || typeof part === 'number' || typeof part === 'bigint') return String(part)
  if (Array.isArray(part)) return part.map(shownBy).join(' ')
  if (typeof part === 'function') return shownBy(part(''))
  if (typeof part !== 'object' || part === null) return ''
  return 'props' in part && typeof part.props === 'object' && part.props !== null ? Object.values(part.props).map(shownBy).join(' ') : ''
}

const digitsOf = (shown: string): string => shown.replace(/(?<=\d),(?=\d{3})/g, '')

/**
 * Sample arguments for text functions, each easy to find in the resulting text: a word, a number for counts, a list, and a function that wraps
 * words.
 */
const marks = [
  (at: number) => `‹${at}›`,
  (at: number) => 7_700_001 + at,
  (at: number) => [`‹${at}›`],
  (at: number) => (words: unknown) => [`‹${at}›`, words],
] as const

interface Called {
  readonly shown: string
  readonly values: readonly unknown[]
}

function call(text: (...values: unknown[]) => unknown, values: readonly unknown[]): Called | null {
  try {
    return { shown: digitsOf(shownBy(text(...values))), values }
  } catch {
    return null
  }
}

const callMarked = (text: (...values: unknown[]) => unknown): Called =>
  marks
    .map((mark) =>
      call(
        text,
        Array.from({ length: text.length }, (_, at) => mark(at)),
      ),
    )
    .find((called) => called !== null) ?? expect.fail(`cannot be called: ${text}`)

/** Codes that English texts contain as plain words, but for which translations must use their own words. */
const codes = ['order', 'change', 'deposit', 'grant', 'long', 'short', 'router', 'collateral token'] as const

/** Whether the translation replaces the codes in the argument at index `at` by words of its own. Tries several codes and compares the results. */
function hasWordsForCodes(text: (...values: unknown[]) => unknown, values: readonly unknown[], at: number): boolean {
  const isOther = (others: readonly unknown[]): boolean => {
    const shown = codes.flatMap((code) => call(text, others.with(at, Array.isArray(values[at]) ? [code] : code))?.shown ?? [])
    return new Set(shown.filter((one) => !one.includes('undefined'))).size > 1
  }
  // A text may take two codes. Then the other argument must also be a code, because sample values have no translation.
  return [values, values.map(() => 'long')].some(isOther)
}

/** Compares an English text with its translation. Returns a message about inserted values, such as a count, that only one of the two contains; `null` if they agree. */
function lostValues(ours: unknown, theirs: unknown): string | null {
  if (typeof ours !== 'function') return null
  if (typeof theirs !== 'function') return 'is no function'
  const { shown, values } = callMarked(ours as () => unknown)
  const translated = call(theirs as () => unknown, values)
  const isShown = (value: unknown) => translated !== null && shown.includes(shownBy(value)) === translated.shown.includes(shownBy(value))
  const wrong = values.filter((value, at) => !isShown(value) && !hasWordsForCodes(theirs as () => unknown, values, at))
  return wrong.length === 0 ? null : `differs in ${wrong.map(shownBy).join(', ')}: ${translated?.shown ?? 'cannot be called'}`
}

test('the test of the translations reads the English texts of every area of the app', () => {
  expect(english.size).toBeGreaterThan(35)
  expect([...english.keys()]).toEqual(expect.arrayContaining(['reasons', 'remarks', 'notices', 'forms', 'events', 'menu', 'keys', 'trade']))
})

test('the test of the translations notices a translation that drops a value, such as a number', () => {
  const two = (name: string, count: number) => `${name}: ${count.toLocaleString('en-US')}`
  expect(lostValues(two, (name: string, count: number) => `${count} von ${name}`)).toBeNull()
  expect(lostValues(two, (name: string) => `nur ${name}`)).toContain('differs in ‹1›')
  expect(
    lostValues(
      (by: number) => by.toFixed(0),
      (by: number) => `${by}`,
    ),
  ).toBeNull()
  expect(
    lostValues(
      (by: number) => by.toFixed(0),
      () => 'nichts',
    ),
  ).toContain('differs in 7700001')
})

test.each(Object.entries(languages))('the translation %s contains every text of the English catalogue, with all values in the texts', (locale, parts) => {
  const areas = new Map(parts.flatMap((part) => Object.entries(part)))
  globalThis.spoken = languageOf(locale, {})
  const problems = [...areas].flatMap(([area, texts]) => {
    const ours = english.get(area)
    if (ours === undefined) return [`${area}: no such area`]
    const keys = Object.keys(ours)
    const strange = Object.keys(texts).filter((key) => !keys.includes(key))
    return [
      ...strange.map((key) => `${area}.${key}: no such text`),
      ...keys.flatMap((key) => {
        const [one, other] = [Reflect.get(ours, key), Reflect.get(texts, key)] as [unknown, unknown]
        if (typeof one === 'string' && (typeof other !== 'string' || (other.trim() === '') !== (one.trim() === ''))) return [`${area}.${key}: no text`]
        const lost = lostValues(one, other)
        return lost === null ? [] : [`${area}.${key}: ${lost}`]
      }),
    ]
  })
  expect(problems).toEqual([])
})
