import { redact } from '../../../shared/api/redact.ts'
import { CheckDetail } from '../../../shared/ipc/host/service-check.ts'

export const reportVersion = 1

interface Report {
  readonly details: readonly CheckDetail[]
  readonly startedAtMs: number | null
  readonly endedAtMs: number | null
  readonly wallet: string | null
  readonly withWallet: boolean
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Calldata and bytes32 hold it without its prefix. */
const withoutWallet = (text: string, wallet: string): string => text.replaceAll(new RegExp(wallet.slice(2), 'gi'), '[wallet]')

/** The result of a check for a file: no secret, and the wallet's address only where it was asked for. */
export function reportText({ details, startedAtMs, endedAtMs, wallet, withWallet }: Report): string {
  const resources = details.map(({ row: { failure, checkedAtMs, ...row }, resources: read, signing }) => ({
    ...row,
    checkedAt: iso(checkedAtMs),
    failure: failure?.kind ?? null,
    resources: read,
    signing,
  }))
  const shown = { version: reportVersion, startedAt: iso(startedAtMs), endedAt: iso(endedAtMs), ...(withWallet ? { wallet } : {}), steps: redact(resources) }
  const text = `${JSON.stringify(shown, null, 2)}\n`
  return withWallet || wallet === null ? text : withoutWallet(text, wallet)
}

/** More than that of one step is not shown in a terminal. */
const longestDetail = 200_000

/** One step for a terminal: no secret, and not the wallet's address. */
export function shownDetail(detail: CheckDetail, wallet: string): CheckDetail {
  const text = withoutWallet(JSON.stringify(redact(detail)), wallet)
  const shown = CheckDetail.parse(JSON.parse(text))
  return text.length <= longestDetail ? shown : { ...shown, resources: shown.resources.map((one) => ({ ...one, unread: [] })), signing: null }
}
