import { type Language, languages } from '../../../shared/text/catalogue.ts'
import { helpText } from '../../text/en/help.en.tsx'
import type { HelpDocument } from './help-document.ts'

export const pageLanguage: Language = languages.find((language) => language === globalThis.spoken?.locale) ?? 'en'

type Chapters = readonly HelpDocument[]
const english = import.meta.glob<Chapters>('../../../build/docs/start.md', { query: '?chapters', import: 'default', eager: true })
/** Loads the translations of all chapters that are up to date with the English ones. */
const translated = import.meta.glob<Chapters>('../../../build/docs/*/start.md', { query: '?chapters', import: 'default' })
const own = await translated[`../../../build/docs/${pageLanguage}/start.md`]?.()

interface ChapterGroup {
  readonly title: string
  readonly pages: readonly string[]
}

/** The chapters in the order in which Help lists them. A test checks that no document is missing. */
export const chapterGroups: readonly ChapterGroup[] = [
  { title: helpText.gettingStarted, pages: ['start', 'practice', 'window', 'background', 'faq'] },
  { title: helpText.usingTheApp, pages: ['keys', 'gateway', 'webhooks', 'orders', 'markets', 'account'] },
  { title: helpText.safetyAndSetup, pages: ['security', 'lock', 'moving', 'terminal', 'polling'] },
  { title: helpText.forDevelopers, pages: ['bots', 'glossary', 'endpoints', 'assumptions', 'proofs'] },
]

/** The titles of chapters that exist only in English, in the language of the page. */
const englishOnly: Readonly<Record<string, string>> = { endpoints: helpText.endpoints, assumptions: helpText.assumptions }

function withTitle(document: HelpDocument): HelpDocument {
  const title = englishOnly[document.page] ?? document.title
  return { ...document, title, sections: document.sections.map((section) => (section.id === '' ? { ...section, title } : section)) }
}

/** Each chapter in the language of the page or, if there is no translation, in English with a title in the language of the page. */
const byPage = new Map([...Object.values(english).flat().map(withTitle), ...(own ?? [])].map((document) => [document.page, document]))

export const documentOf = (page: string): HelpDocument | null => byPage.get(page) ?? null

export const documents: readonly HelpDocument[] = chapterGroups.flatMap(({ pages }) => pages.flatMap((page) => byPage.get(page) ?? []))

/** The names of all documents, including those that Help does not list. */
export const documentPages: readonly string[] = [...byPage.keys()]
