import type { Drift } from '../../shared/ipc/host/service.ts'
import { shorten } from '../kit/short.ts'
import { VisibleText } from '../kit/visible-text.tsx'

const names: Readonly<Record<Drift['what'], string>> = {
  api_version: 'API version',
  schema: 'Schema',
  router: 'Router',
  scopes: 'Scopes of keys',
}

const short = (what: Drift['what'], text: string) => (what === 'router' ? shorten(text) : text)

/** What the service publishes of itself that is not what the app goes by, line by line. */
export function DriftLines({ drifts }: { readonly drifts: readonly Drift[] }) {
  return drifts.map(({ what, expected, found }, index) => (
    <span key={what} title={`${expected} → ${found ?? 'not told'}`}>
      {index === 0 ? '' : ' '}
      {names[what]}: <VisibleText text={found === null ? 'not told' : short(what, found)} /> instead of {short(what, expected)}.
    </span>
  ))
}
