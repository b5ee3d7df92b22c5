import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Plugin } from 'vite'
import { folder, readDocument } from './read-document.ts'

const query = '?help'

/** `import.meta.glob('…/build/docs/*.md', { query: '?help' })` imports the pages as data. The Markdown parser runs only in the build. */
export const helpPages: Plugin = {
  name: 'help-pages',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith(`.md${query}`)) return null
    const path = id.slice(0, -query.length)
    this.addWatchFile(path)
    const { document, problems } = readDocument(`${folder}/${basename(path)}`, await readFile(path, 'utf8'))
    if (problems.length > 0) throw new Error(problems.join('\n'))
    return { code: `export default ${JSON.stringify(document)}`, map: null }
  },
}
