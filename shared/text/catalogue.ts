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

/** The texts of one area: words, and functions of typed values. */
type Texts = object
/** Returns an area's texts in the language of the screen; null: the language lacks the area, so it is shown in English. */
export type Translate = <T extends Texts>(english: T, area: string) => T | null

/** A language other than English. */
export interface Spoken {
  readonly locale: string
  readonly translate: Translate
}

declare global {
  /**
   * The current language, set before any text is read; absent: English. The loader of a page sets it (`renderer/translated.ts`), so that no
   * page waits for a language.
   */
  var spoken: Spoken | undefined
}

/** Declares the English texts of an area. Reading from the result returns the text in the current language. */
export const catalogue = <T extends Texts>(area: string, english: T): T =>
  new Proxy(english, { get: (texts, key) => Reflect.get(globalThis.spoken?.translate(texts, area) ?? texts, key) })

/** Creates a language from its texts, keyed by area. Missing areas are shown in English. */
export const languageOf = (locale: string, texts: Readonly<Record<string, Texts>>): Spoken => ({
  locale,
  translate: <T extends Texts>(_: T, area: string) => (Object.hasOwn(texts, area) ? (texts[area] as T) : null), // typed where the language is declared
})

/** The text of a code that may be unknown. */
export const textOf = <T extends Texts>(texts: T, code: string): T[keyof T] | undefined => (Object.hasOwn(texts, code) ? texts[code as keyof T] : undefined) // checked before

const rulesOf = new Map<string, Intl.PluralRules>()

/** Returns the form for `count` (CLDR plural categories) in the current language. */
export function plural(count: number, forms: { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>): string {
  const locale = globalThis.spoken?.locale ?? 'en'
  const rules = rulesOf.get(locale) ?? new Intl.PluralRules(locale)
  rulesOf.set(locale, rules)
  return forms[rules.select(count)] ?? forms.other
}

/** Every area of `shared/text`. A language has all of them. */
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

/** The languages of the app; English needs no translation. */
export const languages = ['en', 'de', 'ja'] as const
export type Language = (typeof languages)[number]

/** Each language's own name for itself. No catalogue translates these names. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', ja: '日本語' }

/** The locales for dates and times if the system uses another language than the app. */
const ownLocales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', ja: 'ja-JP' }

/** Linux also provides POSIX names: `de_DE.UTF-8` is de-DE, and `C` is not a language. */
function parsed(name: string): Intl.Locale | null {
  try {
    return new Intl.Locale(name.replace(/[.@].*$/, '').replaceAll('_', '-'))
  } catch {
    return null
  }
}

const tagsOf = (preferred: readonly string[]): readonly Intl.Locale[] => preferred.map(parsed).filter((tag) => tag !== null)

/** Returns the first of the system's languages that the app has, else English. `preferred`: the system's languages, preferred first. */
export function chosenLanguage(choice: Language | 'system', preferred: readonly string[]): Language {
  if (choice !== 'system') return choice
  const spoken = tagsOf(preferred).map((tag) => languages.find((language) => language === tag.language))
  return spoken.find((language) => language !== undefined) ?? 'en'
}

/** The locale for dates and times: the app's language, with the system's region if the system uses that language too. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  const tag = tagsOf(preferred).find((one) => one.language === language && one.region !== undefined)
  return tag?.baseName ?? ownLocales[language]
}
