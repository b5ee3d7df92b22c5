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

/** The texts of one area of the interface: plain text, and functions that build a sentence from values. */
type Texts = object
/** Returns an area's texts in the current language; null if the language has no texts for the area. The app then shows English. */
export type Translate = <T extends Texts>(english: T, area: string) => T | null

/** The current language, if it is not English. */
export interface Spoken {
  readonly locale: string
  readonly translate: Translate
}

declare global {
  /**
   * The current language; absent for English. It must be set before any text is read. So the loader (`renderer/translated.ts`) sets it before it
   * loads a page.
   */
  var spoken: Spoken | undefined
}

/** Declares an area's English texts. Reading a text from the result returns it in the current language. */
export const catalogue = <T extends Texts>(area: string, english: T): T =>
  new Proxy(english, { get: (texts, key) => Reflect.get(globalThis.spoken?.translate(texts, area) ?? texts, key) })

/** Creates a language from its texts, keyed by area. Areas without texts are shown in English. */
export const languageOf = (locale: string, texts: Readonly<Record<string, Texts>>): Spoken => ({
  locale,
  translate: <T extends Texts>(_: T, area: string) => (Object.hasOwn(texts, area) ? (texts[area] as T) : null), // The cast is safe: the compiler checks the texts of every language
})

/** Returns the text for a code; undefined if the catalogue does not contain the code. */
export const textOf = <T extends Texts>(texts: T, code: string): T[keyof T] | undefined => (Object.hasOwn(texts, code) ? texts[code as keyof T] : undefined) // The cast is safe: `hasOwn` has just found the code

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

/** Languages of the interface. Texts are written in English, so English has no translation file. */
export const languages = ['en', 'de', 'ja'] as const
export type Language = (typeof languages)[number]

/** The name of each language in that language. These names are never translated. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', ja: '日本語' }

/** Locales for formatting dates and times if the system's language differs from the app's language. */
const ownLocales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', ja: 'ja-JP' }

/** Parses a locale name. Also accepts the POSIX names of Linux: `de_DE.UTF-8` means de-DE, and `C` means no language. */
function parsed(name: string): Intl.Locale | null {
  try {
    return new Intl.Locale(name.replace(/[.@].*$/, '').replaceAll('_', '-'))
  } catch {
    return null
  }
}

const tagsOf = (preferred: readonly string[]): readonly Intl.Locale[] => preferred.map(parsed).filter((tag) => tag !== null)

/**
 * Returns the language of the interface. With the setting `system`, this is the first of the system's languages that the app supports, or English if
 * there is none. `preferred`: the system's languages, most preferred first.
 */
export function chosenLanguage(choice: Language | 'system', preferred: readonly string[]): Language {
  if (choice !== 'system') return choice
  const spoken = tagsOf(preferred).map((tag) => languages.find((language) => language === tag.language))
  return spoken.find((language) => language !== undefined) ?? 'en'
}

/** Returns the locale for dates and times: the interface's language. Adds the system's region if the system uses the same language. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  const tag = tagsOf(preferred).find((one) => one.language === language && one.region !== undefined)
  return tag?.baseName ?? ownLocales[language]
}
