import { assumed } from './assumptions.ts'
import type { Endpoint } from './endpoint.ts'
import { assumedResources } from './schemas/all-resources.ts'

const headings: Readonly<Record<string, string>> = {
  developer: 'Developer routes',
  market: 'Market data',
  account: 'Account',
  trading: 'Trading',
  public: 'Unversioned public routes',
  relay: 'Relay and receipt',
}

const credentials: Record<Endpoint['credential'], string> = { none: 'none', session: 'sign-in', key: 'key' }

/**
 * Returns the coverage table for build/docs/endpoints.md as Markdown. `called`: names of the endpoints that an end-to-end run called. Without this
 * argument, the table has no column for them.
 */
export function coverageTable(groups: Readonly<Record<string, Readonly<Record<string, Endpoint>>>>, called: ReadonlySet<string> | null = null): string {
  const columns = ['Endpoint', 'Credential', 'Scope', 'Answer', 'Client call', ...(called === null ? [] : ['Called end to end'])]
  const sections = Object.entries(groups).map(([group, endpoints]) => {
    const rows = Object.entries(endpoints).map(([name, { route, credential, scope, evidence }]) => [
      `\`${route}\``,
      credentials[credential],
      scope === null ? '—' : scope === 'by_action' ? 'by action' : `\`${scope}\``,
      evidence,
      `\`${name}\``,
      ...(called === null ? [] : [called.has(name) ? 'yes' : 'no']),
    ])
    const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
    return [`## ${headings[group] ?? group} (${rows.length})`, '', ...lines].join('\n')
  })
  return `${sections.join('\n\n')}\n`
}

export interface Assumption {
  readonly name: string
  /** What the app assumes, in one sentence. */
  readonly sentence: string
  /** The place where the API document says that it leaves this detail out. */
  readonly source: string
}

/**
 * Everything that the app assumes because the API document does not show it. Some assumptions are declared together with a resource's fields; the
 * others are listed here.
 */
export const assumptions: readonly Assumption[] = [
  ...assumedResources.flatMap(({ name, sentence, source }) => (sentence === null ? [] : [{ name, sentence, source }])),
  ...Object.entries(assumed).map(([name, { sentence, source }]) => ({ name, sentence, source })),
]

/** Returns the Markdown table for build/docs/assumptions.md. */
export function assumptionTable(rowsOf: readonly Assumption[]): string {
  const rows = rowsOf.map(({ name, sentence, source }) => [`\`${name}\``, sentence.replaceAll('|', '\\|'), source.replaceAll('|', '\\|')])
  return `${[['Assumption', 'What is assumed', 'Where the document leaves it open'], ['---', '---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}
