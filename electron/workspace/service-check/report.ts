import type { FieldMap } from '../../../shared/api/reader/field.ts'
import { redact } from '../../../shared/api/redact.ts'
import { parseJson } from '../../../shared/foreign/parse-json.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { CheckDetail, type CheckedResource, type TopCandidate } from '../../../shared/ipc/host/service-check.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute } from '../../../shared/time.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { CheckAnswers } from './check-answers.ts'
import { judge } from './judge-answer.ts'
import type { ServiceCheck } from './service-check.ts'
import { planOf, type Step } from './steps.ts'
import type { StoredCheck } from './stored-check.ts'

export const reportVersion = 1

interface Report {
  readonly details: readonly CheckDetail[]
  readonly startedAtMs: number | null
  readonly endedAtMs: number | null
  readonly wallet: string | null
  readonly withWallet: boolean
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Replaces the wallet's address with `[wallet]`. Searches for it without `0x`, because calldata and bytes32 contain it that way. */
const withoutWallet = (text: string, wallet: string): string => text.replaceAll(new RegExp(wallet.slice(2), 'gi'), '[wallet]')

/** The result of a check as a file: no secrets, and the wallet's address only if requested. */
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

/** The most characters of one step to show in a terminal. */
const longestDetail = 200_000

/** Prepares one step of a check for a terminal: removes secrets and the wallet's address, and drops details if the step is too long. */
export function shownDetail(detail: CheckDetail, wallet: string): CheckDetail {
  const text = withoutWallet(JSON.stringify(redact(detail)), wallet)
  const shown = CheckDetail.parse(JSON.parse(text))
  return text.length <= longestDetail ? shown : { ...shown, resources: shown.resources.map((one) => ({ ...one, unread: [] })), signing: null }
}

/**
 * Whether the app can read less in an answer than in an earlier answer. That is so if a record lacks a required field, or if a field has become
 * unreadable, for example because its unit changed. A null or absent field doesn't count.
 */
const tellsLess = (before: readonly CheckedResource[], now: readonly CheckedResource[]): boolean =>
  now.some(({ resource, incomplete, fields }) => {
    const earlier = before.find((one) => one.resource === resource)
    if (earlier === undefined || earlier.records === 0) return false
    if (incomplete > 0 && earlier.incomplete === 0) return true
    return fields.some(({ field, state }) => state === 'unknown' && earlier.fields.some((one) => one.field === field && one.state === 'read'))
  })

interface ChangeWatchDeps {
  readonly answers: Pick<CheckAnswers, 'of' | 'judgedNow'>
  readonly fieldMap: () => FieldMap | undefined
  readonly clock: Pick<Clock, 'monotonic'>
}

const holdEveryMs = minute

/** Watches whether the app can still read as much in the service's answers as at the last service check. */
export function createChangeWatch({ answers, fieldMap, clock }: ChangeWatchDeps) {
  /** When each route's answers were last compared, in monotonic ms. Comparing takes time, so not every answer is compared. */
  const heldAt = new Map<string, number>()
  return {
    /** Whether to compare this answer now. `raw` returns the answer's text; null if the app couldn't read the answer. */
    isDue: (route: string, raw: (() => string) | null): boolean => {
      const now = clock.monotonic()
      if (raw !== null && now - (heldAt.get(route) ?? Number.NEGATIVE_INFINITY) < holdEveryMs) return false
      if (raw !== null) heldAt.set(route, now)
      return true
    },
    /** Compares an answer with the last check. Returns the IDs of the steps that the check must repeat, because the app can now read less. */
    dueFor: (route: string, raw: (() => string) | null, address: string, check: StoredCheck): readonly string[] => {
      const lost = (step: Step, json: unknown): boolean => {
        const before = answers.judgedNow(step, check.steps[step.id], answers.of(address, step.id))
        return before.resources.length > 0 && tellsLess(before.resources, judge(step.endpoint.response, json, fieldMap()).resources)
      }
      const steps = planOf(false).filter(({ kind, endpoint, id }) => kind === 'read' && endpoint.route === route && check.steps[id]?.outcome !== 'not')
      const json = raw === null || steps.length === 0 ? null : parseJson(raw())
      return raw === null || steps.some((step) => lost(step, json)) ? steps.map(({ id }) => id) : []
    },
  }
}

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
