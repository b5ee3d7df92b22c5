import type { Spoken } from '../../shared/text/catalogue.ts'

/** undefined: English. */
let language: Spoken | undefined

/** Sets the language of what the system shows the user: dialogs, notifications, the menu and titles of windows. */
export function setUserLanguage(to: Spoken | undefined): void {
  language = to
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
