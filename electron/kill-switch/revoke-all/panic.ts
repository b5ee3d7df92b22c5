import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Attention } from '../../../shared/ipc/host/app.ts'
import type { PanicRow, PanicState } from '../../../shared/ipc/intents/kill-switch.ts'
import { panicPhrase } from '../../../shared/phrases.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { minute, second } from '../../../shared/time.ts'
import { writePrivate } from '../../kernel/files/write-private.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { KeyWork } from '../../keys/keys.ts'
import type { SessionCredential } from '../../service/transport/api-client.ts'
import type { Urgency } from '../../service/transport/limiter.ts'
import { createPanicMemory, leftOf, type PanicRecord, panicState, type WaitsFor } from './panic-record.ts'
import { panicReport } from './panic-report.ts'
import { createRevoker } from './revoker.ts'

export interface PanicDeps extends KeyWork {
  readonly sleep: (ms: number) => Promise<void>
  /** Where the report goes; null: the user chose none. */
  readonly chooseReport: (suggested: string) => Promise<string | null>
}

export interface Panic {
  readonly handlers: HandlersOf<'panic'>
  attention(wallet: string): Attention[]
  /** Goes on removing the secrets of keys that were revoked before the app stopped. */
  recover(): void
  /** Forgets the sign-in that it holds, unless revocations are under way: they need no keychain to go on. */
  rest(): void
  /** Begins no further revocation. */
  stop(): void
  /** Resolves when none is under way. */
  settled(): Promise<void>
}

/** Revocations under way at once; the limiter keeps them below the service's 10 a second (LIM-01). */
const atOnce = 3
/** Passes over keys without an answer, before the user is asked to go on. */
const passes = 5
const firstPauseMs = second
/** Where the service asks for more, going on is the user's word. */
const longestPauseMs = minute

/**
 * Revokes many keys, one confirmation for all. Goes on past a key that fails, asks again where that is safe (KEY-09: repeating is safe), and is taken
 * up again after a crash. A full disk, a rebuilt journal and a keychain that does not answer do not hold it back.
 */
export function createPanic(deps: PanicDeps): Panic {
  const { profile, journal, credentials, wallet, signIn, clock, emit, sleep, newId } = deps
  const memory = createPanicMemory({ profile, records: journal.records })
  const revoker = createRevoker(deps)
  let running: Promise<void> | null = null
  let tidying: Promise<void> = Promise.resolve()
  let stoppedFor: WaitsFor = null
  let held: { readonly wallet: string; readonly session: SessionCredential } | null = null
  let stopping = false
  /** The longest that a key of the last pass was asked to wait. */
  let askedToWaitMs = 0

  const state = (): PanicState => panicState(memory.read(), running !== null, stoppedFor)
  const progress = () => emit({ type: 'invalidate', queries: ['panic.state', 'panic.report'] })

  const write = (row: PanicRow) => {
    const record = memory.read()
    if (record === null) return
    memory.keep({ ...record, steps: record.steps.map((one) => (one.keyId === row.keyId ? row : one)) })
    progress()
  }

  /** The session of the panic's own wallet, or what is missing. */
  const session = async (record: PanicRecord): Promise<SessionCredential | 'wallet' | 'sign_in'> => {
    try {
      const signed = await signIn()
      if (!signed.ok) return signed.failure.kind === 'no_wallet' ? 'wallet' : 'sign_in'
      if (signed.value.wallet !== record.wallet) return 'wallet'
      held = { wallet: record.wallet, session: signed.value.session }
      return signed.value.session
    } catch {
      // Where neither the keychain nor the journal gives the sign-in, the one that was read before is as good: the service decides.
      return held?.wallet === record.wallet ? held.session : 'sign_in'
    }
  }

  /** One pass over what is left. Gives why it ended early; null: every key was asked for. */
  const pass = async (record: PanicRecord, urgency: Urgency): Promise<WaitsFor> => {
    askedToWaitMs = 0
    const queue = leftOf(record)
    let early: WaitsFor = null
    const work = async () => {
      for (let row = queue.shift(); row !== undefined && early === null && !stopping; row = queue.shift()) {
        const given = await session(record)
        if (given === 'wallet' || given === 'sign_in') {
          early = given
          return
        }
        const done = await revoker.revoke(row, given, record.wallet, urgency)
        if (done.state === 'sign_in_required') early = 'sign_in'
        else {
          askedToWaitMs = Math.max(askedToWaitMs, done.retryAfterMs ?? 0)
          write(done.row)
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return stopping ? 'restart' : early
  }

  /** What the service's list says of keys whose answer was lost. */
  const compare = async (record: PanicRecord): Promise<void> => {
    if (!leftOf(record).some(({ outcome }) => outcome === 'unknown')) return
    const given = await session(record)
    if (given === 'wallet' || given === 'sign_in') return
    const listing = await deps.list.read(given, record.wallet).catch(() => null)
    if (listing?.ok !== true) return
    for (const row of leftOf(record)) {
      if (listing.value.keys.find(({ id }) => id === row.keyId)?.status !== 'revoked') continue
      write({ ...row, outcome: 'revoked', detail: { code: 'listed_as_revoked' }, atMs: clock.now() })
    }
  }

  /** Removes the secrets of revoked keys. Afterwards: a keychain that hangs for a minute must not hold a revocation back. */
  const tidy = async (): Promise<void> => {
    let removed = false
    for (const row of memory.read()?.steps ?? []) {
      if (stopping || row.outcome !== 'revoked' || credentials.whereIs(row.keyId) === 'elsewhere') continue
      const gone = await revoker.forget(row.keyId)
      removed ||= gone
      write({ ...row, leftInKeychain: !gone })
    }
    // The list was read anew when the keys were revoked, and still said that their secrets are here.
    if (removed) emit({ type: 'invalidate', queries: ['keys.list'] })
  }
  const tidyUp = () => {
    tidying = tidying.then(tidy).catch(() => undefined)
  }

  const run = async (): Promise<void> => {
    for (let round = 0; round < passes; round += 1) {
      const record = memory.read()
      if (record === null || leftOf(record).length === 0) break
      if (round > 0) {
        // The list after the pause: right after lost answers the client asks such a host for nothing that only reads.
        if (askedToWaitMs > longestPauseMs) break
        await sleep(Math.max(askedToWaitMs, firstPauseMs * 2 ** (round - 1)))
        await compare(record)
      }
      // Only the first pass is what the user pressed.
      stoppedFor = await pass(memory.read() ?? record, round === 0 ? 'exit' : 'user')
      if (stoppedFor !== null) return
    }
    const record = memory.read()
    if (record === null) return
    if (leftOf(record).length > 0) stoppedFor = 'service'
    else memory.keep({ ...record, endedAtMs: clock.now() })
  }

  const go = (): PanicState => {
    stoppedFor = null
    running = run().finally(() => {
      running = null
      tidyUp()
      progress()
      emit({ type: 'invalidate', queries: ['keys.list', 'keys.orphans', 'replacements.list', 'markets.list', 'app.attention', 'activity.secrets'] })
    })
    return state()
  }

  const labelOf = (keyId: string): string => {
    try {
      return credentials.facts(keyId)?.label ?? keyId
    } catch {
      return keyId
    }
  }

  const start = (keyIds: readonly string[], typed: string): Result<PanicState, Failure> => {
    const ids = [...new Set(keyIds)]
    const phrase = panicPhrase(ids.length)
    if (typed.trim() !== phrase) return fail({ kind: 'bad_input', field: 'typed', issue: `type ${phrase}` })
    if (running !== null) return fail({ kind: 'wrong_state', state: 'running', wanted: 'stopped' })
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const { address } = connected.value
    const steps = ids.map(
      (keyId): PanicRow => ({
        keyId,
        label: labelOf(keyId),
        outcome: 'waiting',
        detail: null,
        requestId: null,
        atMs: null,
        leftInKeychain: false,
      }),
    )
    memory.keep({ id: newId(), wallet: address, startedAtMs: clock.now(), endedAtMs: null, steps })
    return ok(go())
  }

  return {
    recover: tidyUp,
    rest: () => {
      if (running === null) held = null
    },
    stop: () => {
      stopping = true
    },
    settled: async () => {
      await running?.catch(() => undefined)
      await tidying
    },
    attention: (address) => {
      const record = memory.read()
      if (record === null || record.wallet !== address || running !== null || leftOf(record).length === 0) return []
      return [
        {
          id: `panic:${record.id}`,
          kind: 'panic_unfinished',
          severity: 'danger',
          left: leftOf(record).length,
          of: record.steps.length,
          to: '/keys/panic',
          atMs: record.startedAtMs,
          untilMs: null,
        },
      ]
    },
    handlers: {
      'panic.state': () => ok(state()),
      'panic.start': ({ keyIds, typed }) => start(keyIds, typed),
      'panic.resume': () => {
        const record = memory.read()
        if (record === null || leftOf(record).length === 0) return fail({ kind: 'not_found', what: 'panic' })
        if (running !== null) return ok(state())
        return ok(go())
      },
      'panic.report': () => ok(memory.read()?.steps ?? []),
      'panic.saveReport': async () => {
        const record = memory.read()
        if (record === null) return fail({ kind: 'not_found', what: 'panic' })
        const day = new Date(record.startedAtMs).toISOString().slice(0, 10)
        const path = await deps.chooseReport(`svc-desk-revoked-${day}.csv`)
        if (path === null) return ok({ path: null })
        const written = await writePrivate(path, panicReport(record.steps))
        return written.ok ? ok({ path }) : written
      },
    },
  }
}
