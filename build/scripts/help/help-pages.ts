import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { folder, readDocument } from './read-document.ts'
import { languageOf, readTranslation } from './read-translation.ts'

const query = '?chapters'

/**
 * Build plugin: `import.meta.glob('…/build/docs/start.md', { query: '?chapters' })` imports all pages of that folder as data. The app thus needs no
 * Markdown parser. A translated page that is older than its English page is left out, so Help shows the English page.
 */
export const helpPages: Plugin = {
  name: 'help-pages',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith(`.md${query}`)) return null
    const path = dirname(id)
    const language = languageOf(basename(path))
    const read = (file: string) => {
      this.addWatchFile(file)
      return readFileSync(file, 'utf8')
    }
    const pages = readdirSync(path)
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) => {
        const markdown = read(join(path, name))
        if (language === null) return [readDocument(`${folder}/${name}`, markdown)]
        const page = readTranslation(`${folder}/${language}/${name}`, markdown, read(join(path, '..', name)))
        return page.changed.length > 0 ? [] : [page]
      })
    const problems = pages.flatMap((page) => page.problems)
    if (problems.length > 0) throw new Error(problems.join('\n'))
    return { code: `export default ${JSON.stringify(pages.map(({ document }) => document))}`, map: null }
  },
}
