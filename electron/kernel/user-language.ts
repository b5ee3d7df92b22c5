import { languageOf, type Spoken } from '../../shared/text/catalogue.ts'

/** A language is loaded only when the user chooses it. */
const languages = {
  de: async () => languageOf('de', { ...(await import('../../shared/text/de.ts')).de }),
  ja: async () => languageOf('ja', { ...(await import('../../shared/text/ja.ts')).ja }),
}

/** The current language; `undefined` for English. */
let language: Spoken | undefined

/** Sets the language of what the system shows the user: dialogs, notifications, the menu and titles of windows. An unknown name means English. */
export async function speakToUser(name: string | undefined): Promise<void> {
  language = name === 'de' || name === 'ja' ? await languages[name]() : undefined
}

/**
 * Makes a text in the user's language. Everything else that the main process writes is English: scripts and people elsewhere read its log, its journal,
 * exported tables and reports, and its answers to the terminal.
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
