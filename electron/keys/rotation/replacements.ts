import { limits } from '../../../shared/api/limits.ts'
import { defaultScopes, Scope } from '../../../shared/api/scopes.ts'
import type { Failure, InputIssue } from '../../../shared/ipc/failure.ts'
import type { Attention } from '../../../shared/ipc/host/app.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import type { Replacement, ReplacementStep } from '../../../shared/ipc/keys/replacements.ts'
import type { OperationNote } from '../../../shared/ipc/reads/activity.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { day } from '../../../shared/time.ts'
import { createQueue } from '../../kernel/deadline.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { Credentials, KeyFacts } from '../../service/credentials/credentials.ts'
import type { StoredReplacement } from '../../store/records/key-records.ts'
import { quotaIssue } from '../calls/key-list.ts'
import type { MayLeave } from '../issuance/issuance.ts'
import type { KeyWork } from '../keys.ts'
import { type BindExecutor, createConclude, createReplacementStore, creationsOf, isOver } from './conclude.ts'
import { createSteps, type Step, wrongState } from './rotation-steps.ts'

export interface Replacements {
  readonly handlers: HandlersOf<'replacements'>
  /**
   * Call once, after the recovery of the keys. Handles new keys whose secret was only in memory when the app quit, and is therefore lost. If the
   * user had already given the secret to the bot, the key still works, so the app does not list it as unmatched.
   */
  recover(): void
  /** A replacement as it is now; null if it is unknown. Makes no request. */
  current(id: string): StoredReplacement | null
  /** The newest replacement of an old key; null if there is none. Makes no request. */
  latestOf(wallet: string, oldKeyId: string): StoredReplacement | null
  /** The id of the newest replacement of each old key. Makes no request. */
  newest(): ReadonlyMap<string, string>
  /** Begins, but fails with `wrong_state` instead of dropping the draft of a key that the user prepares. `mayLeave`: see `MayLeave`. */
  beginAfterDraft(id: string, mayLeave: MayLeave): Promise<Result<Replacement, Failure>>
  /** Does the step `probe`. `mayLeave`: see `MayLeave`. */
  probe(id: string, mayLeave: MayLeave): Promise<Result<Replacement, Failure>>
  /** Does the step `handed_over`. `note`: how it is known that the bot uses the new key. */
  handOver(id: string, note: OperationNote): Promise<Result<Replacement, Failure>>
  /** Revokes the old key. `mayLeave`: see `Revocation`. */
  revokeOld(id: string, mayLeave: (operationId: string) => Failure | null): Promise<Result<Replacement, Failure>>
  /** Replacements that need the user's attention. Makes no request. */
  attention(wallet: string): Attention[]
}

/**
 * Replaces a key without interrupting its bot. A rotation stops the old secret at once (KEY-07); a replacement keeps both keys working until the
 * bot has the new one. The app saves every step. So after a crash, the replacement is at the last step or the next one, and the app never makes a
 * second new key.
 */
export function createReplacements(work: KeyWork & { readonly bindExecutor: BindExecutor }): Replacements {
  const { profile, journal, credentials, list, wallet, signIn, clock, newId } = work
  const store = createReplacementStore({ profile, records: journal.records, clock })
  const conclude = createConclude({ ...work, store })
  const steps = createSteps({ ...work, store, conclude })
  // Runs one step at a time. After a double click, the second click finds that the step is already done.
  const queue = createQueue()

  const view = (stored: StoredReplacement): Replacement => replacementView(stored, credentials, clock.now())

  const own = (id: string): Result<StoredReplacement, Failure> => {
    const connected = wallet.connected()
    if (!connected.ok) return connected
    const found = store.byId(id)
    return found?.wallet === connected.value.address ? ok(conclude(found)) : fail({ kind: 'not_found', what: 'replacement' })
  }

  const take = (id: string, step: Step): Promise<Result<Replacement, Failure>> =>
    queue(async () => {
      const found = own(id)
      if (!found.ok) return found
      const taken = await step(found.value)
      return taken.ok ? ok(view(taken.value)) : taken
    })

  const abandon =
    (newKey: 'keep' | 'revoke'): Step =>
    async (replacement) => {
      // While it is unknown whether the old key was revoked, the user may leave a new key whose secret is lost.
      const isLeft = replacement.now.state === 'revoking' && newKey === 'keep'
      if (!isLeft && !nextSteps(replacement).includes('abandon')) return wrongState(replacement.now.state, 'under_way')
      const draft = replacement.draftId === null ? null : work.drafts.byId(replacement.draftId, replacement.wallet)
      if (replacement.newKeyId === null) {
        // If the response to the creation was lost, keep the draft. The user resolves the creation in the list of unmatched keys, and may send the
        // draft again.
        if (draft !== null && draft.state !== 'unknown') await work.drafts.drop(draft)
        return ok(store.move(replacement, { state: 'abandoned', newKey: 'none' }))
      }
      if (newKey === 'keep') return ok(store.move(replacement, { state: 'abandoned', newKey: isLeft ? 'unsure' : 'kept' }))
      const revoked = await work.revocation.revoke(replacement.newKeyId, null)
      return revoked.ok ? ok(store.move(replacement, { state: 'abandoned', newKey: 'revoked' })) : revoked
    }

  return {
    recover: () => {
      for (const one of store.all()) {
        const { state } = one.now
        if (one.newKeyId === null || (state !== 'handed_over' && state !== 'revoking' && state !== 'done')) continue
        for (const operation of creationsOf(work, one))
          if (operation.state === 'UNKNOWN') journal.secretOperations.move(operation.id, 'SETTLED', { keyId: one.newKeyId, note: 'handed_over' })
      }
    },
    current: (id) => {
      const found = store.byId(id)
      return found === null ? null : conclude(found)
    },
    latestOf: (address, oldKeyId) => {
      const found = store.ofWallet(address).find((one) => one.oldKeyId === oldKeyId)
      return found === undefined ? null : conclude(found)
    },
    newest: () =>
      new Map(
        store
          .all()
          .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
          .map(({ oldKeyId, id }) => [oldKeyId, id]),
      ),
    beginAfterDraft: (id, mayLeave) => take(id, (replacement) => steps.begin(replacement, true, mayLeave)),
    probe: (id, mayLeave) => take(id, (replacement) => steps.probe(replacement, mayLeave)),
    handOver: (id, note) => take(id, (replacement) => steps.handOver(replacement, note)),
    revokeOld: (id, mayLeave) => take(id, (replacement) => steps.revokeOld(replacement, mayLeave)),
    attention: (address) =>
      replacementAttention(
        store.ofWallet(address).filter((one) => !isOver(one)),
        clock.now(),
      ),
    handlers: {
      'replacements.list': async () => {
        const connected = wallet.connected()
        return connected.ok ? ok(store.ofWallet(connected.value.address).map((one) => view(conclude(one)))) : connected
      },
      'replacements.start': ({ keyId, label, expiresInDays, notBeforeMs }) =>
        queue(async () => {
          const signed = await signIn()
          if (!signed.ok) return signed
          const { session, wallet: address } = signed.value
          const listing = await list.read(session, address)
          if (!listing.ok) return listing
          const key = listing.value.keys.find(({ id }) => id === keyId)
          if (key === undefined) return fail({ kind: 'not_found', what: 'key' })
          if (key.status === 'revoked') return wrongState('revoked', 'active')
          const underWay = store
            .ofWallet(address)
            .map(conclude)
            .find((one) => one.oldKeyId === keyId && !isOver(one))
          if (underWay !== undefined) return wrongState(underWay.now.state, 'none_under_way')
          const plan = planFor(key, credentials.facts(keyId), listing.value.keys, { label, expiresInDays }, clock.now())
          if (!plan.ok) return plan
          const now = clock.now()
          const planned = store.move(
            {
              id: newId(),
              wallet: address,
              oldKeyId: keyId,
              oldLabel: key.label,
              plan: plan.value,
              now: { state: 'planned' },
              newKeyId: null,
              operationId: null,
              draftId: null,
              agentSettled: false,
              notBeforeMs,
              createdAtMs: now,
              updatedAtMs: now,
              steps: [],
            },
            { state: 'planned' },
          )
          return ok(view(planned))
        }),
      'replacements.advance': ({ id, step, confirmLabel }) => {
        switch (step) {
          case 'begin':
            return take(id, (replacement) => steps.begin(replacement))
          case 'check':
            return take(id, steps.check)
          case 'without_agent':
            return take(id, steps.withoutAgent)
          case 'probe':
            return take(id, (replacement) => steps.probe(replacement))
          case 'handed_over':
            return take(id, (replacement) => steps.handOver(replacement))
          case 'revoke':
            return take(id, async (replacement) =>
              confirmLabel === replacement.oldLabel
                ? steps.revokeOld(replacement)
                : fail({ kind: 'bad_input', field: 'confirmLabel', issue: `type_word ${replacement.oldLabel}` }),
            )
          case 'retry':
            return take(id, steps.retry)
        }
      },
      'replacements.abandon': ({ id, newKey }) => take(id, abandon(newKey)),
    },
  }
}

/** Lists the replacements that are due, running or stuck. Omits a scheduled replacement until its time has come. */
function replacementAttention(open: readonly StoredReplacement[], nowMs: number): Attention[] {
  return open.flatMap((replacement): Attention[] => {
    const { id, now, oldKeyId, oldLabel, plan, notBeforeMs, updatedAtMs } = replacement
    const common = { id: `replacement:${id}`, atMs: updatedAtMs, untilMs: null, label: oldLabel, to: `/keys/${oldKeyId}/replace` }
    if (now.state === 'stuck') return [{ ...common, kind: 'replacement_stuck', severity: 'warn', reason: now.reason }]
    if (now.state === 'planned' && notBeforeMs !== null && notBeforeMs > nowMs) return []
    const planned = now.state === 'planned'
    return [{ ...common, kind: 'replacement_due', severity: planned && notBeforeMs !== null ? 'warn' : 'info', planned, signs: plan.agent !== 'none' }]
  })
}

/** Describes the replacement of a key for the window, with the steps that the user can take next. */
function replacementView(stored: StoredReplacement, credentials: Pick<Credentials, 'whereIs' | 'facts'>, nowMs: number): Replacement {
  const { id, oldKeyId, oldLabel, plan, now, newKeyId, notBeforeMs, createdAtMs, updatedAtMs, steps } = stored
  return {
    id,
    oldKey: { id: oldKeyId, label: oldLabel },
    newKey: newKeyId === null ? null : { id: newKeyId, label: credentials.facts(newKeyId)?.label ?? plan.label, kept: kept(newKeyId, credentials) },
    plan,
    now,
    next: nextSteps(stored),
    notBeforeMs,
    due: now.state === 'planned' && (notBeforeMs === null || notBeforeMs <= nowMs),
    createdAtMs,
    updatedAtMs,
    steps,
  }
}

const kept = (keyId: string, { whereIs, facts }: Pick<Credentials, 'whereIs' | 'facts'>) => {
  const where = whereIs(keyId)
  return where === 'elsewhere' && facts(keyId)?.removed === true ? 'removed' : where
}

function nextSteps({ now }: StoredReplacement): ReplacementStep[] {
  switch (now.state) {
    case 'planned':
      return ['begin', 'abandon']
    case 'granting':
      return now.by === 'preparation' ? ['sign_grant', 'check', 'abandon'] : ['sign_agent', 'check', 'without_agent', 'abandon']
    case 'created':
      return ['probe', 'abandon']
    case 'probed':
      return now.verdict === 'works' ? ['handed_over', 'abandon'] : ['handed_over', 'probe', 'abandon']
    case 'handed_over':
      return ['revoke', 'check', 'abandon']
    case 'revoking':
      return ['revoke', 'check']
    case 'stuck':
      return ['retry', 'check', 'abandon']
    case 'done':
    case 'abandoned':
      return []
  }
}

type Plan = Replacement['plan']

const longestLabel = 60

/**
 * Plans the new key with the old key's scopes, addresses, limits, executor and remaining days (at least one). `facts`: what the app knows about the
 * key from its own requests, for properties that the service does not report. Fails with `bad_input` if the scopes or addresses are unknown, or if
 * the service reports a property in a form that the app cannot request for a new key.
 */
function planFor(
  key: KeySummary,
  facts: KeyFacts | null,
  others: readonly KeySummary[],
  asked: { readonly label: string | null; readonly expiresInDays: number | null },
  nowMs: number,
): Result<Plan, Failure> {
  const unclear = (issue: InputIssue) => fail<Failure>({ kind: 'bad_input', field: 'keyId', issue })
  if (key.scopes === null) return unclear('scopes_unknown')
  const scopes = key.scopes.filter((scope) => Scope.safeParse(scope).success)
  if (scopes.length === 0 || scopes.length < key.scopes.length) return unclear('foreign_scope')
  const ipAllowlist = key.allowlist ?? facts?.allowlist ?? null
  if (ipAllowlist === null) return unclear('addresses_unknown')
  const quotas = key.quotas ?? []
  if (quotaIssue(quotas) !== null) return unclear('foreign_limit')
  return ok({
    label: asked.label ?? nextLabel(key.label, new Set(others.map(({ label }) => label))),
    scopes,
    expiresInDays: asked.expiresInDays ?? daysLeft(key.expiresAtMs, nowMs),
    ipAllowlist,
    quotas,
    executor: key.executor ?? facts?.executor ?? null,
    agent: agentOf(key),
  })
}

/**
 * Decides how the new key gets a trading agent. Bot-ready creation supports only the default scopes. For other scopes, the app first creates the key
 * and then grants its agent.
 */
function agentOf({ agent, scopes }: KeySummary): Plan['agent'] {
  if (agent === null || agent.granted === false) return 'none'
  const isDefault = scopes?.length === defaultScopes.length && defaultScopes.every((scope) => scopes.includes(scope))
  return isDefault ? 'with_key' : 'after_key'
}

const daysLeft = (expiresAtMs: number | null, nowMs: number): number =>
  expiresAtMs === null
    ? limits.keyExpiryDays.default
    : Math.min(limits.keyExpiryDays.max, Math.max(limits.keyExpiryDays.min, Math.ceil((expiresAtMs - nowMs) / day)))

/** Returns the label with the next free number: “bot” → “bot 2” → “bot 3”. */
function nextLabel(label: string, taken: ReadonlySet<string>): string {
  const [, base = label, number] = /^(.*?)(?: (\d{1,6}))?$/s.exec(label) ?? []
  for (let next = Number(number ?? 1) + 1; ; next += 1) {
    const suffix = ` ${next}`
    const candidate = `${base.slice(0, longestLabel - suffix.length)}${suffix}`
    if (!taken.has(candidate)) return candidate
  }
}
