import type { auditEvents, operationNotes } from './audit-text.ts'
import type { comparedSubjects, comparisonWords, lineNames, lineValues, lineWords } from './comparison-text.ts'
import type { deliveryWords, eventWords } from './delivery-text.ts'
import type { dialogText, errorText, menuText, windowText } from './desktop-text.ts'
import type { expiryWords } from './expiry-text.ts'
import type { formWords } from './form-text.ts'
import type { handoverWords } from './handover-text.ts'
import type { inputIssueWords } from './input-issue-text.ts'
import type { againstWords, intentWords, remarkWords } from './intent-text.ts'
import type { killSwitchWords } from './kill-switch-text.ts'
import type { noticeWords } from './notice-text.ts'
import type { contradictionWords, exchangeWords, reasonWords, serviceReasonWords, typedDataWords } from './reason-text.ts'
import type { receiverAlterations, receiverChecks, receiverSent, receiverWhy } from './receiver-test-text.ts'
import type { challengeCheckWords, challengeProblemWords, grantWords, spendingWords } from './signing-text.ts'
import type { titleWords } from './title-text.ts'
import type { unitWords } from './units-text.ts'

/** The texts of one area of the interface: words, and functions that build a sentence from values. */
type Texts = object
/** Returns the texts of one area in the current language; null: the language has none, so the app shows English. */
export type Translate = <T extends Texts>(english: T, area: string) => T | null

/** A language other than English. */
export interface Spoken {
  readonly locale: string
  readonly translate: Translate
}

declare global {
  /**
   * The current language; absent: English. It must be set before any text is read. The loader of each page (`renderer/translated.ts`) sets it
   * beforehand, so that no page has to wait for a language.
   */
  var spoken: Spoken | undefined
}

/** Declares the English texts of an area. Reading from the result returns the text in the current language. */
export const catalogue = <T extends Texts>(area: string, english: T): T =>
  new Proxy(english, { get: (texts, key) => Reflect.get(globalThis.spoken?.translate(texts, area) ?? texts, key) })

/** Creates a language from its texts, keyed by area. Missing areas are shown in English. */
export const languageOf = (locale: string, texts: Readonly<Record<string, Texts>>): Spoken => ({
  locale,
  translate: <T extends Texts>(_: T, area: string) => (Object.hasOwn(texts, area) ? (texts[area] as T) : null), // declared languages are type-checked
})

/** Returns the text for a code; undefined: the catalogue has no such code. */
export const textOf = <T extends Texts>(texts: T, code: string): T[keyof T] | undefined => (Object.hasOwn(texts, code) ? texts[code as keyof T] : undefined) // checked before

const rulesOf = new Map<string, Intl.PluralRules>()

/** Picks the plural form for `count`, by the rules of the current language (CLDR categories). */
export function plural(count: number, forms: { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>): string {
  const locale = globalThis.spoken?.locale ?? 'en'
  const rules = rulesOf.get(locale) ?? new Intl.PluralRules(locale)
  rulesOf.set(locale, rules)
  return forms[rules.select(count)] ?? forms.other
}

/** The texts of all areas in `shared/text`. A translation must contain every area. */
export interface SharedTexts {
  readonly against: typeof againstWords
  readonly auditEvents: typeof auditEvents
  readonly challengeChecks: typeof challengeCheckWords
  readonly challengeProblems: typeof challengeProblemWords
  readonly comparedSubjects: typeof comparedSubjects
  readonly comparison: typeof comparisonWords
  readonly contradictions: typeof contradictionWords
  readonly delivery: typeof deliveryWords
  readonly dialogs: typeof dialogText
  readonly errorBox: typeof errorText
  readonly events: typeof eventWords
  readonly exchangeWords: typeof exchangeWords
  readonly expiry: typeof expiryWords
  readonly forms: typeof formWords
  readonly grants: typeof grantWords
  readonly handover: typeof handoverWords
  readonly inputIssues: typeof inputIssueWords
  readonly intents: typeof intentWords
  readonly killSwitch: typeof killSwitchWords
  readonly lineNames: typeof lineNames
  readonly lineValues: typeof lineValues
  readonly lineWords: typeof lineWords
  readonly menu: typeof menuText
  readonly notices: typeof noticeWords
  readonly operationNotes: typeof operationNotes
  readonly reasons: typeof reasonWords
  readonly receiverAlterations: typeof receiverAlterations
  readonly receiverChecks: typeof receiverChecks
  readonly receiverSent: typeof receiverSent
  readonly receiverTest: typeof receiverWhy
  readonly remarks: typeof remarkWords
  readonly serviceReasons: typeof serviceReasonWords
  readonly spending: typeof spendingWords
  readonly titles: typeof titleWords
  readonly typedData: typeof typedDataWords
  readonly units: typeof unitWords
  readonly windows: typeof windowText
}

/** The languages of the interface. English is the original, so it has no translation file. */
export const languages = ['en', 'de', 'ja'] as const
export type Language = (typeof languages)[number]

/** Each language's own name for itself. No catalogue translates these names. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', ja: '日本語' }

/** The locales for dates and times if the system uses another language than the app. */
const ownLocales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', ja: 'ja-JP' }

/** Parses a locale name. Linux also uses POSIX names: `de_DE.UTF-8` means de-DE, and `C` is not a language. */
function parsed(name: string): Intl.Locale | null {
  try {
    return new Intl.Locale(name.replace(/[.@].*$/, '').replaceAll('_', '-'))
  } catch {
    return null
  }
}

const tagsOf = (preferred: readonly string[]): readonly Intl.Locale[] => preferred.map(parsed).filter((tag) => tag !== null)

/**
 * Returns the language of the interface. For the setting `system`: the first of the system's languages that the app has, else English. `preferred`:
 * the system's languages, the most preferred first.
 */
export function chosenLanguage(choice: Language | 'system', preferred: readonly string[]): Language {
  if (choice !== 'system') return choice
  const spoken = tagsOf(preferred).map((tag) => languages.find((language) => language === tag.language))
  return spoken.find((language) => language !== undefined) ?? 'en'
}

/**
 * Returns the locale for formatting dates and times: the language of the interface, with the region from the system if the system uses that language
 * too.
 */
export function localeOf(language: Language, preferred: readonly string[]): string {
  const tag = tagsOf(preferred).find((one) => one.language === language && one.region !== undefined)
  return tag?.baseName ?? ownLocales[language]
}
