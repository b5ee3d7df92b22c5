import { isUnread } from '../../../shared/check-counts.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { CheckDetail, CheckRow, ServiceCheckState } from '../../../shared/ipc/host/service-check.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import type { VerifyDeps } from '../../intents/prepare/verification.ts'
import { createVerify } from '../../intents/prepare/verification.ts'
import type { Emit } from '../../kernel/events.ts'
import { dialogWords, fileKind } from '../../kernel/files/dialog-words.ts'
import type { SaveText } from '../../kernel/files/write-private.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { OnAnswer } from '../../service/api/kept-reads.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { FieldMapService } from '../../service/field-names/field-map.ts'
import { polling } from '../../service/polling/polling-rate.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import { createAccepting } from './accepting.ts'
import { type AskDeps, type Asked, createAsk } from './ask.ts'
import { createCheckAnswers } from './check-answers.ts'
import { namesCommand } from './judge-answer.ts'
import { createChangeWatch, reportText } from './report.ts'
import { createSigningCheck } from './signing-check.ts'
import { planOf, type Step, tellingSteps } from './steps.ts'
import { createStoredCheck, type StoredCheck, type StoredStep } from './stored-check.ts'

export interface ServiceCheckDeps extends AskDeps, VerifyDeps {
  readonly credentials: Pick<Credentials, 'forScope' | 'usable' | 'forKey'>
  readonly wallet: WalletReport
  readonly journal: Pick<Journal, 'intents'>
  readonly fieldMap: Pick<FieldMapService, 'names' | 'answers' | 'place'>
  readonly saveText: SaveText
  readonly emit: Emit
  readonly sleep: (ms: number) => Promise<void>
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void
}

export interface ServiceCheck {
  readonly handlers: HandlersOf<'serviceCheck'>
  /** Resolves the next time the state changes. */
  next(): Promise<void>
  /**
   * Call with each successful answer of a route, or with null if the answer couldn't be read. If the last check could read more of this route's
   * answer, checks the route again.
   */
  readonly answered: OnAnswer
  stop(): void
  settled(): Promise<void>
}

interface Run {
  readonly wallet: string
  readonly abort: AbortController
  readonly ended: Promise<void>
  waitsUntilMs: number | null
}

/** How many times the check repeats a step when the service asks it to wait. After that, the step counts as failed. */
const mostWaits = 5
const unnamedWaitMs = 5 * second

const never: readonly StoredStep['outcome'][] = ['waiting']

/**
 * Reads every GET route once, previews an order's risk, and prepares each action that the account allows. Signs, relays and executes nothing.
 * The result shows how much of this service's answers the app can read. Needed because the exchange's documentation doesn't show most answers
 * (Resources).
 */
export function createServiceCheck(deps: ServiceCheckDeps): ServiceCheck {
  const { profile, records, credentials, wallet, journal, saveText, emit, sleep, clock, trust, log } = deps
  const { answers: fieldMap, place } = deps.fieldMap
  const ask = createAsk({ ...deps, api: polling(deps.api) })
  const store = createStoredCheck({ profile, records })
  const answers = createCheckAnswers({ store, fieldMap })
  const signing = createSigningCheck({ profile, trust, verify: createVerify(deps) })
  let run: Run | null = null
  let drifted = false

  let change = Promise.withResolvers<void>()
  const changedNow = () => {
    emit({ type: 'invalidate', queries: ['serviceCheck.state', 'serviceCheck.detail', 'serviceCheck.tops'] })
    change.resolve()
    change = Promise.withResolvers()
  }
  const knownNow = (address: string) => {
    const command = journal.intents.list(profile.id, { wallet: address, beforeMs: null, limit: 50 }).intents.find(({ commandId }) => commandId !== null)
    return answers.known(address, command?.commandId ?? null)
  }

  const take = (address: string, step: Step, { json, raw, asked, sent }: Extract<Asked, { kind: 'answered' }>): Pick<StoredStep, 'outcome' | 'asked'> => {
    answers.keep(address, step, json, raw)
    if (step.kind === 'dry_run' && namesCommand(json, sent)) return { outcome: 'acted', asked }
    return { outcome: answers.judged(step, json).outcome, asked }
  }

  const perform = async (step: Step, { wallet: address, abort }: Run, onWait: (ms: number | null) => void): Promise<StoredStep | null> => {
    for (let waits = 0; ; waits += 1) {
      const gone = await ask(step, knownNow(address), address, abort.signal)
      if (abort.signal.aborted) return null
      const plain = { scope: null, failure: null, asked: null, checkedAtMs: clock.now() }
      switch (gone.kind) {
        case 'answered':
          return { ...plain, ...take(address, step, gone) }
        case 'no_scope':
          return { ...plain, outcome: 'no_scope', scope: gone.scope }
        case 'nothing_yet':
        case 'impossible':
        case 'signed_out':
          return { ...plain, outcome: gone.kind }
        case 'failed': {
          const { failure, retryAfterMs } = gone
          const asksToWait = failure.kind === 'rate_limited' || retryAfterMs !== null
          if (asksToWait && waits < mostWaits) {
            const ms = retryAfterMs ?? unnamedWaitMs
            onWait(ms)
            await Promise.race([sleep(ms), ended(abort.signal)])
            onWait(null)
            if (abort.signal.aborted) return null
            continue
          }
          // These dry runs cancel an order that doesn't exist, alone or in a batch. A service that validates dry runs refuses both.
          const isExpected =
            step.kind === 'dry_run' && (step.action === 'cancel' || step.action === 'batch') && failure.kind === 'refused' && failure.status < 500
          return { ...plain, outcome: isExpected ? 'refused_as_expected' : 'failed', failure }
        }
      }
    }
  }

  const begin = (address: string, check: StoredCheck, only: readonly string[] | null, because: 'user' | 'drift' = 'user'): void => {
    const abort = new AbortController()
    const over = Promise.withResolvers<void>()
    const mine: Run = { wallet: address, abort, ended: over.promise, waitsUntilMs: null }
    run = mine
    let now = check
    const write = (change: Partial<StoredCheck>) => {
      now = { ...now, ...change }
      store.write(address, now)
      changedNow()
    }
    const isDue = ({ id }: Step): boolean => {
      if (only !== null) return only.includes(id)
      const kept = now.steps[id]
      // Repeat a step whose answer was too large to store, but only if later steps need that answer.
      return kept === undefined || never.includes(kept.outcome) || (tellingSteps.has(id) && kept.outcome === 'read' && answers.of(address, id) === undefined)
    }
    const work = async () => {
      write({ endedAtMs: null })
      for (const step of planOf(now.dryRuns).filter(isDue)) {
        const result = await perform(step, mine, (ms) => {
          mine.waitsUntilMs = ms === null ? null : clock.now() + ms
          changedNow()
        })
        if (result === null) return
        write({ steps: { ...now.steps, [step.id]: result } })
        if (result.outcome === 'acted') break
      }
      drifted = because === 'drift' && (only ?? []).some((id) => now.steps[id]?.outcome !== 'read')
      store.dismiss(true)
      write({ endedAtMs: clock.now() })
    }
    void work()
      // If the check fails, it counts as stopped, and the user can continue it.
      .catch((error: unknown) => log('service_check', { error: String(error) }))
      .finally(() => {
        if (run === mine) run = null
        over.resolve()
        changedNow()
      })
  }

  const rowOf = (address: string, step: Step, kept: StoredStep | undefined): CheckRow => {
    const json = kept === undefined ? undefined : answers.of(address, step.id)
    const { outcome, resources } = answers.judgedNow(step, kept, json)
    const held = resources.filter(({ records }) => records > 0)
    const fields = held.flatMap((one) => one.fields)
    const read = fields.filter(({ state }) => state === 'read').length
    const unread = fields.filter(isUnread).map(({ field, state, reason }) => ({ field, state, reason }))
    return {
      ...{ id: step.id, kind: step.kind, route: step.endpoint.route, action: step.action, outcome },
      ...{ scope: kept?.scope ?? null, failure: kept?.failure ?? null, checkedAtMs: kept?.checkedAtMs ?? null },
      ...{ read, fields: read + unread.length, unread },
      ...{ records: held.reduce((sum, { records }) => sum + records, 0), incomplete: held.reduce((sum, { incomplete }) => sum + incomplete, 0) },
    }
  }

  const stateOf = (address: string | null): ServiceCheckState => {
    const check = address === null ? null : store.read(address)
    const isRunning = run !== null && run.wallet === address
    const rows = address === null || check === null ? [] : planOf(check.dryRuns).map((step) => rowOf(address, step, check.steps[step.id]))
    const hasKey = address !== null && credentials.usable(address).length > 0
    return {
      phase: isRunning ? 'running' : check === null ? 'none' : check.endedAtMs === null ? 'stopped' : 'done',
      rows,
      done: rows.filter(({ outcome }) => outcome !== 'waiting').length,
      ...{ startedAtMs: check?.startedAtMs ?? null, endedAtMs: check?.endedAtMs ?? null, dryRuns: check?.dryRuns ?? false },
      waitsUntilMs: isRunning ? (run?.waitsUntilMs ?? null) : null,
      offer: !hasKey || isRunning ? null : drifted ? 'drift' : check === null && !store.dismissed() ? 'first' : null,
    }
  }

  interface Found {
    readonly address: string
    readonly step: Step
    readonly kept: StoredStep
    readonly json: unknown
  }
  const find = (id: string): Result<Found, Failure> => {
    const address = wallet.current()?.address
    const check = address === undefined ? null : store.read(address)
    const step = check === null ? undefined : planOf(check.dryRuns).find((one) => one.id === id)
    const kept = check?.steps[id]
    if (address === undefined || step === undefined || kept === undefined) return fail({ kind: 'not_found', what: 'check' })
    return ok({ address, step, kept, json: answers.of(address, id) })
  }
  const preparedOf = ({ address, step, kept: { asked, checkedAtMs }, json }: Found) =>
    step.kind !== 'prepare' || asked === null || json === undefined
      ? null
      : { id: step.id, action: step.action, wallet: address, asked, json, atMs: checkedAtMs }

  const detailOf = async (found: Found): Promise<CheckDetail> => {
    const { address, step, kept, json } = found
    const prepared = preparedOf(found)
    return {
      row: rowOf(address, step, kept),
      resources: [...answers.judgedNow(step, kept, json).resources],
      signing: prepared === null ? null : await signing.show(prepared),
    }
  }

  const accepting = createAccepting({ answers, fieldMap, place })
  const topsNow = () => {
    const address = wallet.current()?.address
    const check = address === undefined ? null : store.read(address)
    return address === undefined || check === null || run !== null
      ? []
      : accepting.tops(
          address,
          planOf(check.dryRuns).filter(({ id }) => check.steps[id] !== undefined),
        )
  }

  const drift = createChangeWatch({ answers, fieldMap, clock })
  const stop = () => run?.abort.abort()

  return {
    next: () => change.promise,
    answered: (route, raw) => {
      const address = wallet.current()?.address
      if (address === undefined || run !== null || !drift.isDue(route, raw)) return
      const check = store.read(address)
      if (check === null || check.endedAtMs === null) return
      const due = drift.dueFor(route, raw, address, check)
      if (due.length > 0) begin(address, check, due, 'drift')
    },
    stop,
    settled: async () => run?.ended,
    handlers: {
      'serviceCheck.state': () => ok(stateOf(wallet.current()?.address ?? null)),
      'serviceCheck.detail': async ({ id }) => {
        const found = find(id)
        return found.ok ? ok(await detailOf(found.value)) : found
      },
      'serviceCheck.start': ({ how, dryRuns, only }) => {
        const connected = wallet.connected()
        if (!connected.ok) return connected
        const { address } = connected.value
        if (credentials.usable(address).length === 0) return fail({ kind: 'api_key_required', scope: null })
        if (run !== null) return run.wallet === address ? ok({}) : fail({ kind: 'wrong_state', state: 'running', wanted: 'stopped' })
        const before = how === 'again' && only === null ? null : store.read(address)
        begin(address, before === null ? store.begin(address, clock.now(), dryRuns) : { ...before, dryRuns }, before === null ? null : only)
        return ok({})
      },
      'serviceCheck.cancel': async () => {
        stop()
        await run?.ended
        return ok({})
      },
      'serviceCheck.accept': async ({ id, ...wish }) => {
        const found = find(id)
        if (!found.ok) return found
        const placed = accepting.accept((await detailOf(found.value)).resources, wish)
        return placed.ok ? ok(await detailOf(found.value)) : placed
      },
      'serviceCheck.tops': () => ok({ tops: [...topsNow()] }),
      'serviceCheck.acceptTops': ({ tops }) => accepting.acceptTops(topsNow(), tops),
      'serviceCheck.pin': async ({ id, digests, typed }) => {
        const found = find(id)
        if (!found.ok) return found
        const prepared = preparedOf(found.value)
        if (prepared === null) return fail({ kind: 'not_found', what: 'preparation' })
        const pinned = await signing.pin(prepared, digests, typed)
        if (!pinned.ok) return pinned
        changedNow()
        return ok(await detailOf(found.value))
      },
      'serviceCheck.save': async ({ wallet: withWallet }) => {
        const address = wallet.current()?.address ?? null
        const { rows, startedAtMs, endedAtMs } = stateOf(address)
        const details: CheckDetail[] = []
        for (const { id } of rows) {
          const found = find(id)
          if (found.ok) details.push(await detailOf(found.value))
        }
        const saved = await saveText({ ...dialogWords('saveServiceCheck'), kinds: [fileKind('json')], suggested: 'service-check.json' }, () =>
          reportText({ details, startedAtMs, endedAtMs, wallet: address, withWallet }),
        )
        return saved.ok ? ok({ path: saved.value }) : saved
      },
      'serviceCheck.dismiss': () => {
        store.dismiss(true)
        drifted = false
        return ok({})
      },
    },
  }
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
