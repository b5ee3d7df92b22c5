import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { scopes as allScopes, type Scope } from '../../../shared/api/scopes.ts'
import { roundToStep } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { DoctorCheck, DoctorCheckId, DoctorReport } from '../../../shared/ipc/keys/doctor.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { ApiAnswer, ApiClient, ApiFailure, KeyCredential, SessionCredential } from '../../service/transport/api-client.ts'
import type { Records } from '../../store/records/registry.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { KeyList } from '../calls/key-list.ts'
import type { GrantEnds } from '../issuance/grant-check.ts'
import {
  admission,
  agentCheck,
  type CallFinding,
  type Cause,
  check,
  clockCheck,
  executorCheck,
  type Found,
  findingOf,
  knownBefore,
  type Patient,
  paymentCheck,
  scopeCheck,
  walletCheck,
} from './findings.ts'

export interface DoctorDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly records: Records
  readonly credentials: Credentials
  readonly list: KeyList
  readonly wallet: WalletReport
  readonly signIn: () => Promise<Result<{ readonly session: SessionCredential; readonly wallet: string }, Failure>>
  readonly ends: GrantEnds
  /** Payments for a key, newest first. */
  readonly paymentsOf: (keyId: string) => readonly Intent[]
  readonly clock: ServiceClock
  readonly newId: () => string
}

export interface Doctor {
  readonly handlers: HandlersOf<'doctor'>
}

type Examination = Pick<DoctorReport, 'checks' | 'cause'>

const scopeId = (scope: Scope) => `scope:${scope}` as const
/** The ids of the checks that need a call with the key, in display order. */
const needsKey = ['accepted', 'address', 'wallet', ...allScopes.map(scopeId), 'executor'] as const
/** The checks to skip when the service does not accept the key: all except `accepted` and `address`. */
const needsAdmission = needsKey.slice(2)

const skip = (ids: readonly DoctorCheck['id'][], why: Found): DoctorCheck[] => ids.map((id) => check(id, 'skipped', why))

/**
 * Finds out why a key does not work (AUTH-04, AUTH-05). Its calls only read, only prepare something, or are refused. No call executes, signs or
 * changes anything.
 */
export function createDoctor(deps: DoctorDeps): Doctor {
  const { profile, api, records, credentials, list, wallet, signIn, ends, paymentsOf, clock } = deps
  const probes = createProbes(deps)
  const keyOf = (keyId: string) => ({ profile: profile.id, keyId })

  /**
   * Collects what the app knows about the key to examine. Fails with `no_wallet`, or with `not_found` if the key does not belong to the connected
   * wallet.
   */
  const admit = async (keyId: string): Promise<Result<Patient, Failure>> => {
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const { address } = connected.value
    const signed = await signIn()
    const listing = signed.ok && signed.value.wallet === address ? await list.read(signed.value.session, address) : null
    const listed = listing?.ok === true ? (listing.value.keys.find(({ id }) => id === keyId) ?? null) : null
    const facts = credentials.facts(keyId)
    const held = credentials.inMemory().find((entry) => entry.keyId === keyId)
    if (listed === null && facts?.wallet !== address && held?.wallet !== address) return fail({ kind: 'not_found', what: 'key' })
    return ok({
      keyId,
      label: listed?.label ?? facts?.label ?? held?.label ?? keyId,
      wallet: address,
      listed,
      unlisted: listing?.ok === true && listed === null,
      scopes: listed?.scopes ?? facts?.scopes ?? null,
      status: listed?.status ?? facts?.status ?? 'unknown',
      expiresAtMs: listed?.expiresAtMs ?? facts?.expiresAtMs ?? null,
      allowlist: listed?.allowlist ?? facts?.allowlist ?? null,
    })
  }

  /** Makes one harmless call for each scope, then runs the checks that depend on the results of those calls. */
  const abilities = async (patient: Patient, key: KeyCredential, status: CallFinding): Promise<DoctorCheck[]> => {
    const account = await probes.account(key)
    const manage = await probes.manage(key)
    const collateral = await probes.collateral(key)
    const execute = await probes.execute(key)
    const findings: Readonly<Record<Scope, CallFinding>> = {
      'market:read': status,
      'account:read': account.finding,
      'trade:prepare': await probes.prepare(key),
      'orders:manage': manage,
      'collateral:manage': collateral,
      'trade:execute': execute,
    }
    // The three requests have invalid bodies. If the service refuses one of them because of a missing scope, it checks scopes before bodies.
    const scopeFirst = [manage, collateral, execute].some(({ verdict }) => verdict === 'scope')
    return [
      walletCheck(patient, account),
      ...allScopes.map((scope) => scopeCheck({ scope, claimed: patient.scopes?.includes(scope) ?? null, finding: findings[scope], scopeFirst })),
      executorCheck(patient, execute),
    ]
  }

  const examine = async (patient: Patient): Promise<Examination> => {
    const { keyId } = patient
    const secret = await credentials.secretOf(keyId)
    const here = secret.ok ? secret.value : null
    const place = credentials.whereIs(keyId) === 'memory' ? 'only_in_memory' : 'in_keychain'
    const before = knownBefore(patient, clock.now())
    const service = await probes.service()
    const reached = service.verdict !== 'down'
    const first = [
      here !== null ? check('secret', 'pass', place) : check('secret', 'fail', secret.ok ? 'not_here' : 'keychain_withholds'),
      ...before.checks,
      check('service', reached ? 'pass' : 'fail', reached ? 'answers' : 'silent', service),
      reached ? clockCheck(api.clockOffsetMs()) : check('clock', 'skipped', 'time_untold'),
    ]
    const last = [agentCheck(patient, ends.of(keyId), clock.now()), paymentCheck(paymentsOf(keyId)[0])]
    const done = (middle: readonly DoctorCheck[], cause: Cause | null): Examination => {
      const checks = [...first, ...middle, ...last]
      return { checks, cause: conclude(checks, before.cause ?? cause) }
    }

    if (here === null) return done(skip(needsKey, 'no_secret'), secret.ok ? 'secret_missing' : 'keychain')
    if (!reached) return done(skip(needsKey, 'service_silent'), 'service_down')
    const { label, wallet: address, allowlist } = patient
    const key: KeyCredential = { kind: 'key', keyId, label, apiKey: here, wallet: address, ...(allowlist === null ? {} : { allowlist }) }
    const status = await probes.status(key)
    const admitted = admission(patient, status)
    return admitted.cause === null
      ? done([...admitted.checks, ...(await abilities(patient, key, status))], null)
      : done([...admitted.checks, ...skip(needsAdmission, 'not_let_in')], admitted.cause)
  }

  return {
    handlers: {
      'doctor.run': async ({ keyId }) => {
        const admitted = await admit(keyId)
        if (!admitted.ok) return admitted
        const { label, wallet: address } = admitted.value
        const startedAtMs = clock.now()
        const found = await examine(admitted.value)
        const report: DoctorReport = { keyId, label, startedAtMs, finishedAtMs: clock.now(), ...found }
        records.doctorReports.write(keyOf(keyId), { wallet: address, report })
        return ok(report)
      },
      'doctor.last': async ({ keyId }) => {
        const whose = wallet.shown()
        if (!whose.ok) return whose
        const stored = records.doctorReports.read(keyOf(keyId))
        return ok(stored?.wallet === whose.value ? stored.report : null)
      },
    },
  }
}

const causes: Readonly<Partial<Record<DoctorCheckId, Cause>>> = {
  secret: 'secret_missing',
  status: 'revoked',
  expiry: 'expired',
  service: 'service_down',
  clock: 'clock_skew',
  accepted: 'missing_or_revoked',
  address: 'ip_not_allowed',
  wallet: 'other_wallet',
  executor: 'executor_not_bound',
  agent: 'agent_not_granted',
}

const causeOf = (id: DoctorCheckId): Cause => (id.startsWith('scope:') ? 'scope_missing' : (causes[id] ?? 'unclear'))

/**
 * Picks the cause of the problem: the first failed check. A clock difference is the cause only if no other check failed, because a wrong clock does
 * not stop this app's calls. `known`: a more precise cause, which takes precedence; null if there is none.
 */
function conclude(checks: readonly DoctorCheck[], known: Cause | null): Cause {
  if (known !== null) return known
  const failed = checks.filter(({ verdict }) => verdict === 'fail')
  const first = failed.find(({ id }) => id !== 'clock') ?? failed[0]
  if (first !== undefined) return causeOf(first.id)
  const lacking = checks.find(({ id, verdict }) => verdict === 'warn' && (id === 'executor' || id === 'agent'))
  return lacking === undefined ? 'healthy' : causeOf(lacking.id)
}

/** The test calls of an examination: one for each permission that a key may have. No test call can execute anything. */
interface Probes {
  /** Tests without a key whether the service answers at all. The `Date` header of the response contains the service's time. */
  service(): Promise<CallFinding>
  /** Calls `GET /status`, which needs the scope `market:read`. */
  status(key: KeyCredential): Promise<CallFinding>
  /** Calls `GET /account`, which needs the scope `account:read`. `wallet`: the account owner that the response names. */
  account(key: KeyCredential): Promise<{ readonly finding: CallFinding; readonly wallet: string | null }>
  /**
   * Prepares a limit order of the smallest size with the key. Preparing executes nothing, and the app never asks a wallet to sign the prepared order.
   */
  prepare(key: KeyCredential): Promise<CallFinding>
  /** Cancels an order that cannot exist. */
  manage(key: KeyCredential): Promise<CallFinding>
  /** Withdraws zero collateral. The service must refuse this request. */
  collateral(key: KeyCredential): Promise<CallFinding>
  /** Makes a dry run of an invalid order. Even a service that ignores `prepare_only` would refuse the order, because its payload is invalid. */
  execute(key: KeyCredential): Promise<CallFinding>
}

const deadlineMs = 8 * second
const nothing = { params: {}, query: {}, body: undefined, deadlineMs } as const
/** The smallest order size to use if the market catalogue names no minimum. */
const usualMinimum = '10'

function createProbes({ api, clock, newId }: { readonly api: ApiClient; readonly clock: Clock; readonly newId: () => string }): Probes {
  const timed = async <T>(call: () => Promise<Result<ApiAnswer<T>, ApiFailure>>): Promise<{ finding: CallFinding; value: T | null }> => {
    const started = clock.monotonic()
    const answer = await call()
    return {
      finding: findingOf(answer.ok ? { ok: true, value: answer.value } : answer, clock.monotonic() - started),
      value: answer.ok ? answer.value.value : null,
    }
  }
  const asked = async <T>(call: () => Promise<Result<ApiAnswer<T>, ApiFailure>>): Promise<CallFinding> => (await timed(call)).finding

  const preparing = (key: KeyCredential, action: string, payload: Readonly<Record<string, unknown>>) => {
    const body = { action, payload: { ...payload } }
    return asked(() =>
      api.call(endpoints.prepareOrder, {
        ...nothing,
        body,
        rawBody: JSON.stringify(body),
        headers: { 'Idempotency-Key': `doctor-${newId()}` },
        credential: key,
      }),
    )
  }

  /**
   * Builds a limit order, because a limit order needs no current price. If the market cannot be read, the service refuses the order, but the refusal
   * still shows what the key may do.
   */
  const smallestOrder = async (): Promise<Readonly<Record<string, unknown>>> => {
    const catalogue = await api.call(endpoints.getPublicMarkets, { ...nothing, credential: null })
    const market = catalogue.ok ? catalogue.value.value.markets[0] : undefined
    if (market === undefined) return { pair_id: 0 }
    const marks = await api.call(endpoints.getMarks, { ...nothing, query: { pair_ids: String(market.id) }, credential: null })
    const mark = marks.ok ? (marks.value.value.marks.find(({ pairId }) => pairId === market.id)?.mark ?? null) : null
    const price = mark === null || market.tickSize === null ? mark : roundToStep(mark, market.tickSize)
    return {
      pair_id: market.id,
      side: 'long',
      order_type: 'limit',
      margin_mode: 'cross',
      leverage: 1,
      order_value_usdc: market.minOrderUsdc ?? usualMinimum,
      limit_price: price ?? '1',
      time_in_force: 'gtc',
    }
  }

  return {
    service: () => asked(() => api.call(endpoints.getPublicStatus, { ...nothing, credential: null })),
    status: (key) => asked(() => api.call(endpoints.getStatus, { ...nothing, credential: key })),
    account: async (key) => {
      const { finding, value } = await timed(() => api.call(endpoints.getAccount, { ...nothing, credential: key }))
      return { finding, wallet: value?.wallet ?? null }
    },
    prepare: async (key) => preparing(key, 'open_position', await smallestOrder()),
    manage: (key) => preparing(key, 'cancel_order', { order_id: 'none' }),
    collateral: (key) => preparing(key, 'withdraw_collateral', { amount: '0' }),
    execute: (key) => {
      const payload = { pair_id: -1, order_value_usdc: '0', client_order_id: `doctor-${newId()}` }
      return asked(() => api.call(endpoints.executeOrder, { ...nothing, body: { action: 'open_position', payload, prepare_only: true }, credential: key }))
    },
  }
}
