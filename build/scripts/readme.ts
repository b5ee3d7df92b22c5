import { readFileSync } from 'node:fs'
import { assumptions } from '../../shared/api/assumption-list.ts'
import { assumptionTable } from '../../shared/api/assumption-table.ts'
import { coverageTable } from '../../shared/api/coverage-table.ts'
import { endpointGroups } from '../../shared/api/endpoints/all-endpoints.ts'
import { inRoot } from './project.ts'

const parts: Readonly<Record<string, () => string>> = {
  coverage: () => coverageTable(endpointGroups),
  assumptions: () => assumptionTable(assumptions),
}

/** The README with its tables made anew from the endpoint table and the list of assumptions. */
export function currentReadme(): { readonly written: string; readonly wanted: string } {
  const written = readFileSync(inRoot('README.md'), 'utf8')
  let wanted = written
  for (const [name, render] of Object.entries(parts)) {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    const from = wanted.indexOf(begin)
    const to = wanted.indexOf(end)
    if (from < 0 || to < from) throw new Error(`README.md has no place for "${name}"`)
    wanted = `${wanted.slice(0, from + begin.length)}\n\n${render()}\n${wanted.slice(to)}`
  }
  return { written, wanted }
}
