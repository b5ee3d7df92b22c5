import { helpText } from '../../text/en/help.en.tsx'
import type { HelpDocument } from './help-document.ts'

const read = import.meta.glob<HelpDocument>('../../../build/docs/*.md', { query: '?help', import: 'default', eager: true })

interface ChapterGroup {
  readonly title: string
  readonly pages: readonly string[]
}

/** The chapters in the order in which Help lists them. A test checks that no document is missing. */
export const chapterGroups: readonly ChapterGroup[] = [
  { title: helpText.gettingStarted, pages: ['start', 'practice', 'window', 'faq'] },
  { title: helpText.usingTheApp, pages: ['keys', 'webhooks', 'orders', 'markets', 'account'] },
  { title: helpText.safetyAndSetup, pages: ['security', 'lock', 'terminal', 'polling'] },
  { title: helpText.forDevelopers, pages: ['bots', 'endpoints', 'assumptions', 'proofs'] },
]

const byPage = new Map(Object.values(read).map((document) => [document.page, document]))

export const documentOf = (page: string): HelpDocument | null => byPage.get(page) ?? null

/** All chapters, in their order. */
export const documents: readonly HelpDocument[] = chapterGroups.flatMap(({ pages }) => pages.flatMap((page) => byPage.get(page) ?? []))

/** The names of all documents, whether or not Help lists them. */
export const documentPages: readonly string[] = [...byPage.keys()]
