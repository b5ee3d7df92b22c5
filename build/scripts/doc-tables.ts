import { readFileSync, writeFileSync } from 'node:fs'
import { benchTable } from '../../e2e/bench/record/readme-table.ts'
import { commandsMarkdown, exitCodesMarkdown } from '../../electron/terminal/commands/table.ts'
import { assumptions, assumptionTable, coverageTable } from '../../shared/api/coverage-table.ts'
import { endpointGroups } from '../../shared/api/endpoints/all-endpoints.ts'
import { inRoot } from './project.ts'

const terminal = { commands: commandsMarkdown, 'exit-codes': exitCodesMarkdown }

/** The generated tables of each documentation page, by name. Translated pages show them in English too, because `svc-desk` prints English. */
const pages: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'build/docs/endpoints.md': { coverage: () => coverageTable(endpointGroups) },
  'build/docs/assumptions.md': { assumptions: () => assumptionTable(assumptions) },
  'build/docs/terminal.md': terminal,
  'build/docs/de/terminal.md': terminal,
  'build/docs/ja/terminal.md': terminal,
  'README.md': { speed: () => benchTable() },
}

/** Returns the page `markdown` with `table` in place of the text between the comments `<!-- name -->` and `<!-- /name -->`. */
export function withTable(markdown: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const from = markdown.indexOf(begin)
  const to = markdown.indexOf(end)
  if (from < 0 || to < from) throw new Error(`there is no place for the table "${name}"`)
  return `${markdown.slice(0, from + begin.length)}\n\n${table}\n${markdown.slice(to)}`
}

/** The pages with generated tables. `written`: the page on disk. `wanted`: the page with its tables generated again. */
export function docTables(): readonly { readonly file: string; readonly written: string; readonly wanted: string }[] {
  return Object.entries(pages).map(([file, tables]) => {
    const written = readFileSync(inRoot(file), 'utf8')
    return { file, written, wanted: Object.entries(tables).reduce((page, [name, render]) => withTable(page, name, render()), written) }
  })
}

export const tableProblems = (all: ReturnType<typeof docTables>): readonly string[] =>
  all.filter(({ written, wanted }) => written !== wanted).map(({ file }) => `${file}: its table is old; \`npm run readme\` updates it`)

export function writeDocTables(): void {
  for (const { file, wanted } of docTables()) writeFileSync(inRoot(file), wanted)
}
