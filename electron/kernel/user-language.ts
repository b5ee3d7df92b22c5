import { languageOf, type Spoken } from '../../shared/text/catalogue.ts'

/** Loaders of the languages. A language is loaded only if the user chooses it. */
const languages = {
  de: async () => languageOf('de', { ...(await import('../../shared/text/de.ts')).de }),
  ja: async () => languageOf('ja', { ...(await import('../../shared/text/ja.ts')).ja }),
}

/** The loaded texts of the current language; `undefined` for English. */
let language: Spoken | undefined

/** Sets the language of dialogs, notifications, the menu and window titles. An unknown name means English. */
export async function speakToUser(name: string | undefined): Promise<void> {
  language = name === 'de' || name === 'ja' ? await languages[name]() : undefined
}

/**
 * Creates a text in the user’s language. All other texts of the main process are English, because scripts and other people read them: log, journal,
 * exported tables, reports and terminal output.
 */
export function inUserLanguage<T>(make: () => T): T {
  const before = globalThis.spoken
  globalThis.spoken = language
  try {
    return make()
  } finally {
    globalThis.spoken = before
  }
}
