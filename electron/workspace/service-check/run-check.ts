import type { Failure } from '../../../shared/ipc/failure.ts'
import type { CheckDetail, TopCandidate } from '../../../shared/ipc/host/service-check.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import { shownDetail } from './report.ts'
import type { ServiceCheck } from './service-check.ts'

/** The progress of a check for `svc-desk`, without secrets and without the wallet. */
export type CheckProgress = { readonly type: 'step'; readonly detail: CheckDetail } | { readonly type: 'accepted'; readonly tops: readonly TopCandidate[] }

export interface CheckWish {
  readonly dryRuns: boolean
  /** After all steps, accepts the most likely place of each missing field, then judges all answers again. */
  readonly acceptTops: boolean
}

/** Runs a whole check and reports each step when it ends. Aborting `gone` stops the check; the user can continue it in the app. */
export type RunCheck = (wish: CheckWish, told: (what: CheckProgress) => void, gone: AbortSignal) => Promise<Result<void, Failure>>

interface RunCheckDeps {
  readonly check: Pick<ServiceCheck, 'handlers' | 'next'>
  readonly wallet: Pick<WalletReport, 'current'>
}

export function createRunCheck({ check: { handlers, next: changed }, wallet }: RunCheckDeps): RunCheck {
  const runOnce = async (dryRuns: boolean, told: (what: CheckProgress) => void, gone: AbortSignal): Promise<Result<void, Failure>> => {
    const started = await handlers['serviceCheck.start']({ how: 'again', dryRuns, only: null })
    if (!started.ok) return started
    const address = wallet.current()?.address ?? ''
    const seen = new Set<string>()
    for (;;) {
      const next = changed()
      const state = await handlers['serviceCheck.state']({})
      if (!state.ok) return state
      for (const { id, checkedAtMs } of state.value.rows) {
        if (checkedAtMs === null || seen.has(id)) continue
        seen.add(id)
        const detail = await handlers['serviceCheck.detail']({ id })
        if (detail.ok) told({ type: 'step', detail: shownDetail(detail.value, address) })
      }
      if (state.value.phase !== 'running') return ok(undefined)
      await next
      if (gone.aborted) {
        await handlers['serviceCheck.cancel']({})
        return ok(undefined)
      }
    }
  }

  return async ({ dryRuns, acceptTops }, told, gone) => {
    const before = await handlers['serviceCheck.state']({})
    if (before.ok && before.value.phase === 'running') return fail({ kind: 'wrong_state', state: 'running', wanted: 'stopped' })
    const read = await runOnce(dryRuns, told, gone)
    if (!read.ok || !acceptTops || gone.aborted) return read
    const found = await handlers['serviceCheck.tops']({})
    if (!found.ok) return found
    const { tops } = found.value
    if (tops.length > 0) {
      const accepted = await handlers['serviceCheck.acceptTops']({ tops: tops.map(({ resource, field, path }) => ({ resource, field, path })) })
      if (!accepted.ok) return accepted
    }
    told({ type: 'accepted', tops })
    return tops.length === 0 ? ok(undefined) : runOnce(dryRuns, told, gone)
  }
}
