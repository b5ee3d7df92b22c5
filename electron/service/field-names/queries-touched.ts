import type { MapChanges } from '../../../shared/field-map/field-map.ts'
import { contract, type QueryName } from '../../../shared/ipc/contract.ts'

const isQuery = (name: string): name is QueryName => Object.entries(contract).some(([known, { kind }]) => known === name && kind === 'query')

/** Queries of the areas that show what the service answers. */
const readFromAnswers: readonly QueryName[] = Object.keys(contract).filter(
  (name): name is QueryName => isQuery(name) && /^(account|markets|keys|service|serviceCheck|webhooks)\./.test(name),
)

/** What is read again after a change of the field map: what the changed names are sent with, and what the changed answers are shown in. */
export function queriesTouched({ added, changed, removed }: MapChanges): readonly QueryName[] {
  const entries = [...added, ...removed, ...changed.map(({ after }) => after)]
  if (entries.some(({ part }) => part === 'answers')) return readFromAnswers
  return entries.some(({ part }) => part === 'payloads') ? ['account.riskPreview'] : []
}
