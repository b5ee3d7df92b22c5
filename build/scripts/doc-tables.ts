import { readFileSync } from 'node:fs'
import { assumptions } from '../../shared/api/assumption-list.ts'
import { assumptionTable } from '../../shared/api/assumption-table.ts'
import { coverageTable } from '../../shared/api/coverage-table.ts'
import { endpointGroups } from '../../shared/api/endpoints/all-endpoints.ts'
import { inRoot } from './project.ts'

const tables = [
  { file: 'build/docs/endpoints.md', name: 'coverage', render: () => coverageTable(endpointGroups) },
  { file: 'build/docs/assumptions.md', name: 'assumptions', render: () => assumptionTable(assumptions) },
] as const

/** `markdown` with `table` between the comments `<!-- name -->` and `<!-- /name -->`. */
export function withTable(markdown: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const from = markdown.indexOf(begin)
  const to = markdown.indexOf(end)
  if (from < 0 || to < from) throw new Error(`there is no place for the table "${name}"`)
  return `${markdown.slice(0, from + begin.length)}\n\n${table}\n${markdown.slice(to)}`
}

/** The pages with generated tables: `written` is on disk, `wanted` has the tables of the endpoint table and the list of assumptions. */
export function docTables(): readonly { readonly file: string; readonly written: string; readonly wanted: string }[] {
  return tables.map(({ file, name, render }) => {
    const written = readFileSync(inRoot(file), 'utf8')
    return { file, written, wanted: withTable(written, name, render()) }
  })
}

export const tableProblems = (pages: ReturnType<typeof docTables>): readonly string[] =>
  pages.filter(({ written, wanted }) => written !== wanted).map(({ file }) => `${file}: its table is old; \`npm run readme\` updates it`)
