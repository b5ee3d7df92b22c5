/** The languages of the app; English needs no translation. */
export const languages = ['en', 'de', 'ja'] as const
export type Language = (typeof languages)[number]

/** Each language as its speakers write it. No catalogue translates these names. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', ja: '日本語' }

/** The forms of dates and times where the system speaks another language than the app. */
const ownLocales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', ja: 'ja-JP' }

/** Linux gives POSIX names, too: `de_DE.UTF-8` is de-DE, and `C` is no language. */
function parsed(name: string): Intl.Locale | null {
  try {
    return new Intl.Locale(name.replace(/[.@].*$/, '').replaceAll('_', '-'))
  } catch {
    return null
  }
}

const tagsOf = (preferred: readonly string[]): readonly Intl.Locale[] => preferred.map(parsed).filter((tag) => tag !== null)

/** `preferred`: the system's languages, the preferred one first. The first one that the app speaks, else English. */
export function chosenLanguage(choice: Language | 'system', preferred: readonly string[]): Language {
  if (choice !== 'system') return choice
  const spoken = tagsOf(preferred).map((tag) => languages.find((language) => language === tag.language))
  return spoken.find((language) => language !== undefined) ?? 'en'
}

/** The locale of dates and times: the language with the system's region where the system speaks it too. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  const tag = tagsOf(preferred).find((one) => one.language === language && one.region !== undefined)
  return tag?.baseName ?? ownLocales[language]
}
