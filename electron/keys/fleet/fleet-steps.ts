import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Delivery, FleetReason } from '../../../shared/ipc/keys/fleet.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { minute, second } from '../../../shared/time.ts'
import { createQueue } from '../../kernel/deadline.ts'
import type { Every } from '../../kernel/events.ts'
import { ExpectedFailure } from '../../kernel/failures.ts'
import type { Permit } from '../../kernel/files/permit.ts'
import type { SaveText } from '../../kernel/files/write-private.ts'
import type { SecretOperationRow } from '../../store/journal/journal.ts'
import type { StoredFleetItem, StoredFleetPlan, StoredReplacement } from '../../store/records/key-records.ts'
import type { NoteSecretUse } from '../../store/secrets/secret-store.ts'
import type { HoldKey } from '../../store/secrets/stored-secrets.ts'
import type { Audit } from '../audit/audit.ts'
import { notedOutcome } from '../delivery/outlets/run-command.ts'
import type { SecretOutlets } from '../delivery/secret-handlers.ts'
import type { MayLeave } from '../issuance/issuance.ts'
import type { KeyWork } from '../keys.ts'
import type { Replacements } from '../rotation/replacements.ts'
import { type Delivered, findClient, planDelivery, runClient } from './fleet-targets.ts'
import { deliveryOf, type FleetSight, type FleetWorld, judgeUse, keptDeliveries, needsUser, proofOf, sightOf } from './fleet-walk.ts'

export interface FleetDeps extends KeyWork {
  readonly replacements: Replacements
  readonly holdKey: HoldKey
  readonly audit: Pick<Audit['handlers'], 'audit.refresh'>
  /** The bots of this app's gateway: lets those of one key use another one from now on, counts those of a key, and says whether a key ever had one. */
  readonly gatewayBots: {
    readonly move: (fromKeyId: string, toKeyId: string) => void
    readonly count: (keyId: string) => number
    readonly everHad: (keyId: string) => boolean
  }
  readonly outlets: Pick<SecretOutlets, 'confirm' | 'unlocked' | 'env' | 'home'>
  readonly baseUrl: string
  /** Withdrawn when the user stops a plan or a key of it and the disk takes nothing. */
  readonly permit: Permit
  readonly note: NoteSecretUse
  readonly saveText: SaveText
  readonly every: Every
  /** Writes to the app's own log. */
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void
}

const lookEveryMs = 5 * second
/** How often to read the service's audit for keys that wait for their bots. */
const auditEveryMs = 15 * second
const rowsRead = 500
/** The longest time between two tries of a step that fails. */
const longestRestMs = 5 * minute

/** How it is known that a bot uses its new key. */
const handedOver = { audit: 'use_in_audit', gateway: 'moved_in_gateway', user: 'by_your_word' } as const

const unseenEnd: Delivered = { outcome: 'unknown', exitCode: null, signal: null, output: '' }

/** Writes down the end of the delivery under way. If the app did not see it end, the secret may have arrived, and `endedAtMs` stays null. */
export const closed = (item: StoredFleetItem, ended: Partial<Delivery> = unseenEnd): StoredFleetItem => ({
  ...item,
  deliveries: item.deliveries.map((one) => (one.outcome === 'running' ? { ...one, ...ended } : one)),
})

/** The item with another new key, or without one. Keeps the id of the one before, which may still work. */
const withNewKey = (item: StoredFleetItem, newKeyId: string | null): StoredFleetItem => {
  const earlier = item.newKeyId === null || item.newKeyId === newKeyId ? [] : [item.newKeyId]
  return { ...item, newKeyId, earlierKeyIds: [...new Set([...item.earlierKeyIds, ...earlier])], earlierAttempts: 0 }
}
export const withoutReplacement = (item: StoredFleetItem): StoredFleetItem => ({ ...withNewKey(item, null), replacementId: null })

export const isOver = (item: StoredFleetItem): boolean => item.over !== null

interface KeysNow extends Pick<FleetWorld, 'isRevoked' | 'revocationsOf' | 'isRotatedElsewhere'> {
  /** `untilMs`: a later change does not count. */
  readonly isRotatedSince: (keyId: string, atMs: number, untilMs?: number) => boolean
  /** The id of the newest replacement of an old key; null if there is none. */
  readonly newestOf: (keyId: string) => string | null
}

/** How far the plans are, and their steps. A step is stored before and after it happens, and none is repeated whose outcome is unknown. */
export function createFleetSteps(deps: FleetDeps) {
  const { profile, journal, credentials, wallet, clock, emit, replacements, outlets, gatewayBots, note, permit } = deps
  const { fleetPlans } = journal.records
  const queue = createQueue()
  const troubles = new Map<string, FleetReason>()
  /** What the last look into the audit found about an item, beside its proof. */
  const verdicts = new Map<string, FleetReason>()
  const readAt = new Map<string, number>()
  /** Until when an item rests after failed steps; `Infinity`: until the user acts. */
  const rests = new Map<string, { readonly untilMs: number; readonly failures: number }>()
  /** After a kill switch or a lost decision: the plans that the user has run again since. The others are paused, even if the disk took no pause. */
  let resumed: Set<string> | null = null
  /** Plans that the user stopped although the disk did not take it. */
  const halted = new Set<string>()
  /** Whether plans of other profiles may run although the user stopped them, because the last run may have lost such a decision. */
  let isUnsure = false
  const ending = new AbortController()
  let end: (() => void) | null = null
  let running: Promise<unknown> = Promise.resolve()

  const asNow = (plan: StoredFleetPlan): StoredFleetPlan =>
    plan.state === 'running' && (resumed?.has(plan.id) === false || halted.has(plan.id)) ? { ...plan, state: 'paused' } : plan
  const all = (): StoredFleetPlan[] => fleetPlans.list({ profile: profile.id }).map(({ record }) => asNow(record))
  const byId = (id: string): StoredFleetPlan | null => {
    const plan = fleetPlans.read({ profile: profile.id, id })
    return plan === null ? null : asNow(plan)
  }
  const changed = () => emit({ type: 'invalidate', queries: ['fleet.list', 'app.attention'] })
  const save = (plan: StoredFleetPlan): StoredFleetPlan => {
    fleetPlans.write({ profile: profile.id, id: plan.id }, plan)
    changed()
    return plan
  }
  /**
   * Stores the pauses that only the memory has, and gives the permit once the disk holds them all. Call it regularly, because a full disk may have space
   * again. Never fails.
   */
  const secure = () => {
    if (journal.trouble() !== null) return
    try {
      let isStored = true
      for (const { key, record } of fleetPlans.list({})) {
        const isOwed = key.profile === profile.id ? asNow(record).state !== record.state : isUnsure && record.state === 'running'
        if (isOwed) isStored = storedPaused(key, record) && isStored
      }
      if (!isStored || journal.trouble() !== null) return
      isUnsure = false
      permit.give()
    } catch (error) {
      deps.log('fleet', { error: String(error) })
    }
  }
  const storedPaused = (key: { readonly profile: string; readonly id: string }, record: StoredFleetPlan): boolean => {
    try {
      fleetPlans.write(key, { ...record, state: 'paused' })
      halted.delete(key.id)
      return true
    } catch (error) {
      deps.log('fleet', { plan: key.id, error: String(error) })
      return false
    }
  }
  /** Carries out a decision to stop something, which must hold after a restart. */
  const decide = <T>(work: () => T, id: string | null = null): T => {
    try {
      return work()
    } catch (error) {
      if (id !== null) halted.add(id)
      permit.withdraw()
      throw error
    } finally {
      if (journal.trouble() !== null) permit.withdraw()
    }
  }
  const pauseAll = () => {
    resumed = new Set()
    permit.withdraw()
    secure()
    changed()
  }
  /** Changes one item of a plan as it is now, because a pause or a skip may have been stored meanwhile. */
  const change = (id: string, itemId: string, with_: (item: StoredFleetItem) => StoredFleetItem): void => {
    const plan = byId(id)
    if (plan !== null) save({ ...plan, items: plan.items.map((item) => (item.id === itemId ? with_(item) : item)) })
  }

  const serviceRows = (owner: string, keyId: string | null, kinds: ('call' | 'key_created' | 'key_rotated')[]) =>
    journal.audit.list({ profileId: profile.id, wallet: owner }, { keyId, kinds, source: 'service', ownCalls: true, text: '' }, { offset: 0, limit: rowsRead })

  /**
   * What became of the items' keys outside the plans, from the journal and the last key list. Reads each at most once, and only if it is needed, because
   * a plan may have a hundred keys.
   */
  const keysNow = (items: readonly Pick<StoredFleetItem, 'wallet' | 'oldKeyId' | 'newKeyId'>[]): KeysNow => {
    const keyIds = items.flatMap(({ oldKeyId, newKeyId }) => [oldKeyId, ...(newKeyId === null ? [] : [newKeyId])])
    let operations: Map<string | null, SecretOperationRow[]> | null = null
    const of = (keyId: string, kind: SecretOperationRow['kind']) => {
      operations ??= Map.groupBy(journal.secretOperations.list(profile.id, Number.MAX_SAFE_INTEGER, { keyIds }), (row) => row.keyId)
      return operations.get(keyId)?.filter((row) => row.kind === kind) ?? []
    }
    const isRotatedHere = (keyId: string, atMs: number, untilMs = Number.POSITIVE_INFINITY) =>
      of(keyId, 'rotate').some(({ state, updatedAtMs }) => state !== 'FAILED' && state !== 'PLANNED' && updatedAtMs >= atMs && updatedAtMs <= untilMs)
    const isRotatedElsewhere = (keyId: string, atMs: number, untilMs = Number.POSITIVE_INFINITY) => {
      const owner = items.find(({ newKeyId }) => newKeyId === keyId)?.wallet
      return (
        owner !== undefined &&
        serviceRows(owner, keyId, ['key_rotated']).some(
          (row) =>
            row.atMs >= atMs &&
            row.atMs <= untilMs &&
            (row.requestId === null || !journal.audit.madeHere(profile.id, row.requestId)) &&
            !isRotatedHere(keyId, row.atMs),
        )
      )
    }
    let newest: ReadonlyMap<string, string> | null = null
    return {
      isRevoked: (keyId) => credentials.facts(keyId)?.status === 'revoked' || of(keyId, 'revoke').some(({ state }) => state === 'SETTLED'),
      revocationsOf: (keyId, ids) => of(keyId, 'revoke').filter(({ id, state }) => ids.includes(id) && state !== 'PLANNED'),
      isRotatedSince: (keyId, atMs, untilMs) => isRotatedHere(keyId, atMs, untilMs) || isRotatedElsewhere(keyId, atMs, untilMs),
      isRotatedElsewhere: (keyId, atMs) => isRotatedElsewhere(keyId, atMs),
      newestOf: (keyId) => {
        newest ??= replacements.newest()
        return newest.get(keyId) ?? null
      },
    }
  }
  /** How the plan's work on an item ends. A rotation after that does not change what was delivered and proven. */
  const endOf = (
    { deliveries, newKeyId }: StoredFleetItem,
    end: Omit<NonNullable<StoredFleetItem['over']>, 'isRotated'>,
    keys: KeysNow,
  ): NonNullable<StoredFleetItem['over']> => {
    const last = deliveries.findLast((one) => one.newKeyId === newKeyId)
    return { ...end, isRotated: last !== undefined && keys.isRotatedSince(last.newKeyId, last.startedAtMs, end.atMs) }
  }
  const openWallet = (): string | null => {
    const connected = wallet.connected()
    return connected.ok ? connected.value.address : null
  }

  /** Whether the new key would replace a key that the user prepares. A wallet has one draft. */
  const isAfterDraft = ({ id, wallet: owner, plan, now }: StoredReplacement): boolean => {
    const draft = now.state === 'planned' && plan.agent === 'with_key' ? deps.drafts.current(owner) : null
    return draft !== null && draft.replacementId !== id
  }
  /** What keeps an item from moving although nothing is wrong with it. */
  const waitOf = (plan: StoredFleetPlan, item: StoredFleetItem): FleetReason | null => {
    if (plan.state === 'paused') return 'paused'
    if (openWallet() !== item.wallet) return 'other_wallet'
    const earlier = plan.items.slice(0, plan.items.indexOf(item))
    return earlier.some((one) => one.wallet === item.wallet && !isOver(one)) ? 'turn' : null
  }
  const sight = (plan: StoredFleetPlan, item: StoredFleetItem, keys = keysNow([item])): FleetSight => {
    if (item.over !== null) return { state: item.over.as, reason: null, may: [] }
    const replacement = item.replacementId === null ? null : replacements.current(item.replacementId)
    const isOutdated = item.replacementId !== null && keys.newestOf(item.oldKeyId) !== item.replacementId
    const trouble = waitOf(plan, item) ?? (replacement !== null && isAfterDraft(replacement) ? 'turn' : null) ?? troubles.get(item.id) ?? null
    const seen = sightOf(item, plan, { ...keys, replacement, isOutdated, trouble })
    const choice = seen.reason === 'trouble' ? 'retry' : seen.reason === 'secret_lost' ? 'remake' : null
    if (choice !== null && !seen.may.includes(choice)) return { ...seen, may: [choice, ...seen.may] }
    // What the last look found says more than that the service is out of reach now.
    const isOpen = seen.reason === null || seen.reason === 'out_of_reach'
    return seen.state === 'verifying' && isOpen ? { ...seen, reason: verdicts.get(item.id) ?? seen.reason } : seen
  }

  /** Writes down states that were reached, so that the report stays true after the key lists have changed. */
  const settle = (id: string): StoredFleetPlan | null => {
    const plan = byId(id)
    if (plan === null) return null
    const now = clock.now()
    const known = plan.items.map((item) => {
      const made = item.replacementId === null || isOver(item) ? item.newKeyId : (replacements.current(item.replacementId)?.newKeyId ?? null)
      return made === item.newKeyId ? item : withNewKey(item, made)
    })
    const keys = keysNow(known.filter((item) => !isOver(item)))
    let changed = known.some((item, at) => item !== plan.items[at])
    const items = known.map((item): StoredFleetItem => {
      if (isOver(item)) return item
      const { state } = sight(plan, item, keys)
      if (item.steps.at(-1)?.state === state) return item
      changed = true
      const steps = [...item.steps, { state, atMs: now }]
      if (state !== 'done' && state !== 'stopped' && state !== 'ended') return { ...item, steps }
      const revoked = state === 'done' ? keys.revocationsOf(item.oldKeyId, item.revocationIds).find((row) => row.state === 'SETTLED') : undefined
      return { ...item, steps, over: endOf(item, { as: state, atMs: revoked?.updatedAtMs ?? now }, keys) }
    })
    const isEnded = plan.state === 'ended' || items.every(isOver)
    return changed || isEnded !== (plan.state === 'ended') ? save({ ...plan, items, state: isEnded ? 'ended' : plan.state }) : plan
  }

  const reasonOf = ({ kind }: Failure): FleetReason => {
    switch (kind) {
      case 'sign_in_required':
        return 'sign_in'
      case 'no_wallet':
      case 'wrong_wallet':
        return 'other_wallet'
      case 'locked':
        return 'locked'
      case 'unreachable':
      case 'rate_limited':
      case 'outcome_unknown':
      case 'unreadable':
        return 'out_of_reach'
      case 'journal':
        return 'disk_full'
      case 'keychain':
        return 'not_in_keychain'
      default:
        return 'trouble'
    }
  }

  const advance = (id: string, step: 'check' | 'retry') => replacements.handlers['replacements.advance']({ id, step, confirmLabel: null })

  /** Plans the replacement, or takes over one that is under way, for example because the app ended before the plan could store its id. */
  const begin = async (plan: StoredFleetPlan, item: StoredFleetItem): Promise<Result<unknown, Failure>> => {
    const latest = replacements.latestOf(item.wallet, item.oldKeyId)
    const isUnderWay = latest !== null && latest.now.state !== 'abandoned' && latest.now.state !== 'done'
    const started = isUnderWay
      ? ok(latest)
      : await replacements.handlers['replacements.start']({ keyId: item.oldKeyId, label: null, expiresInDays: null, notBeforeMs: null })
    if (started.ok) change(plan.id, item.id, (now) => ({ ...now, replacementId: started.value.id }))
    return started
  }

  /** Whether the plan still runs, the app is unlocked, the item's wallet is open and the user has not skipped the item. */
  const mayStep = (id: string, { id: itemId, wallet: owner }: StoredFleetItem): boolean => {
    const plan = byId(id)
    if (ending.signal.aborted || !outlets.unlocked() || openWallet() !== owner || plan?.state !== 'running') return false
    return plan.items.find((one) => one.id === itemId)?.over === null
  }
  /** Does a step that asks `mayLeave` directly before its request. A step that was stopped there did nothing, and did not fail. */
  const whileRunning = async <T>(
    plan: StoredFleetPlan,
    item: StoredFleetItem,
    work: (mayLeave: MayLeave) => Promise<Result<T, Failure>>,
  ): Promise<Result<T | undefined, Failure>> => {
    let isHeld = false
    const done = await work(() => {
      isHeld = !mayStep(plan.id, item)
      return isHeld ? { kind: 'wrong_state', state: 'paused', wanted: 'running' } : null
    })
    return isHeld ? ok(undefined) : done
  }
  /** Whether the item's wallet is signed in. */
  const signedIn = async ({ wallet: expected }: StoredFleetItem): Promise<Result<unknown, Failure>> => {
    const signed = await deps.signIn()
    return signed.ok && signed.value.wallet !== expected ? fail({ kind: 'wrong_wallet', wallet: signed.value.wallet, expected }) : signed
  }

  /** Reads the new key's secret, which leaves only while the app is unlocked. */
  const hold: (item: StoredFleetItem, newKeyId: string) => ReturnType<HoldKey> = async (item, newKeyId) => {
    const held = await deps.holdKey(newKeyId)
    if (held.ok || held.failure.kind !== 'not_found' || held.failure.what !== 'key' || item.replacementId === null) return held
    // The app ended before it stored facts about the new key, so read the key list.
    const listed = await advance(item.replacementId, 'check')
    return listed.ok ? deps.holdKey(newKeyId) : listed
  }

  const noted = (plan: StoredFleetPlan, item: StoredFleetItem, newKeyId: string) => {
    const startedAtMs = clock.now()
    const blank = { newKeyId, startedAtMs, endedAtMs: startedAtMs, exitCode: null, signal: null, output: '' }
    return (delivery: Partial<Delivery> & Pick<Delivery, 'outcome'>, with_: Partial<StoredFleetItem> = {}) => {
      // What an earlier look found was about an earlier delivery.
      verdicts.delete(item.id)
      readAt.delete(item.id)
      change(plan.id, item.id, (now) => {
        // What a client wrote is kept only of the last attempt.
        const all = [...now.deliveries.map((one) => ({ ...one, output: '' })), { ...blank, ...delivery }]
        const deliveries = keptDeliveries(all)
        const countOf = (of: readonly Delivery[]) => of.filter((one) => one.newKeyId === newKeyId).length
        return { ...now, ...with_, deliveries, earlierAttempts: now.earlierAttempts + countOf(all) - countOf(deliveries) }
      })
    }
  }

  /** Bots of the gateway would lose a secret that is only in memory. */
  const notKept: Failure = { kind: 'keychain', code: 'failed', detail: null }

  /**
   * Moves the gateway's bots to the new key, unless this computer could lose its secret. They are known to use the key only if there are such bots and
   * the key works.
   */
  const moveBots = async (plan: StoredFleetPlan, item: StoredFleetItem, { plan: { label, scopes } }: StoredReplacement, newKeyId: string) => {
    const add = noted(plan, item, newKeyId)
    const held = await hold(item, newKeyId)
    if (!held.ok) return held
    const taken = held.value.secret.take()
    if (!taken.ok) return taken
    const verdict = await deps.calls.probe({ kind: 'key', keyId: newKeyId, label, apiKey: taken.value }, scopes)
    const signed = await signedIn(item)
    if (!signed.ok) return signed
    if (!mayStep(plan.id, item)) return ok(undefined)
    if (verdict === 'dead') return ok(add({ outcome: 'failed' }))
    if (credentials.whereIs(newKeyId) !== 'keychain') return fail(notKept)
    gatewayBots.move(item.oldKeyId, newKeyId)
    const isUsed = verdict === 'works' && gatewayBots.count(newKeyId) > 0
    const proof = { newKeyId, how: 'gateway', atMs: clock.now(), ip: null, requestId: null, usedAtMs: null } as const
    return ok(add({ outcome: 'done' }, isUsed ? { proof } : {}))
  }

  const deliver = async (plan: StoredFleetPlan, item: StoredFleetItem, replacement: StoredReplacement, newKeyId: string): Promise<Result<unknown, Failure>> => {
    const planned = planDelivery(item.target)
    if (!planned.ok) return planned
    if (planned.value.kind === 'gateway') return moveBots(plan, item, replacement, newKeyId)
    const { plan: command, needs } = planned.value
    const add = noted(plan, item, newKeyId)
    const client = await findClient(command.words, needs, outlets.env)
    if (client === null) return ok(add({ outcome: 'missing' }))
    const held = await hold(item, newKeyId)
    if (!held.ok) return held
    const signed = await signedIn(item)
    if (!signed.ok) return signed
    // From here to the client's start nothing waits, so that a pause, a skip, the lock or another wallet is seen.
    if (!mayStep(plan.id, item)) return ok(undefined)
    const taken = held.value.secret.take()
    if (!taken.ok) return taken
    add({ endedAtMs: null, outcome: 'running' })
    const close = (ended: Delivered) => change(plan.id, item.id, (now) => closed(now, { ...ended, endedAtMs: clock.now() }))
    if (journal.trouble() !== null) {
      // Nothing was started.
      change(plan.id, item.id, (now) => ({ ...now, deliveries: now.deliveries.filter(({ outcome }) => outcome !== 'running') }))
      return fail({ kind: 'journal', issue: 'disk_full' })
    }
    const parts = { env: outlets.env, folder: outlets.home, baseUrl: deps.baseUrl, clock, signal: ending.signal }
    // A client may fail to start, for example because the environment is too large.
    const ended = await runClient(client, command.input, taken.value, parts).catch(() => unseenEnd)
    close(ended)
    const use = { use: 'handed_over', profileId: profile.id, keyId: newKeyId, label: held.value.label, to: command.to, by: 'app' } as const
    note({ ...use, outcome: notedOutcome(ended.outcome) })
    return ok(undefined)
  }

  /** Whether to ask the service again about an item that waits. */
  const isTime = (itemId: string): boolean => {
    const now = clock.now()
    if (now - (readAt.get(itemId) ?? 0) < auditEveryMs) return false
    readAt.set(itemId, now)
    return true
  }

  /** Looks for a call of the bot with the new key in the service's audit. */
  const verify = async (plan: StoredFleetPlan, item: StoredFleetItem, replacement: StoredReplacement, newKeyId: string): Promise<Result<unknown, Failure>> => {
    const delivery = deliveryOf(item, newKeyId, keysNow([item]))
    if (delivery === null) return ok(undefined)
    if (!isTime(item.id)) return ok(undefined)
    const isLate = () => clock.now() >= (delivery.endedAtMs ?? delivery.startedAtMs) + plan.waitMs
    const read = await deps.audit['audit.refresh']({})
    if (!read.ok) {
      readAt.delete(item.id)
      if (!verdicts.has(item.id) && (isLate() || read.failure.kind === 'unreadable')) verdicts.set(item.id, 'audit_unread')
      return read
    }
    const seen = judgeUse({
      ...{ newKeyId, sinceMs: delivery.startedAtMs, madeHere: (requestId) => journal.audit.madeHere(profile.id, requestId) },
      ...{ allowed: plan.addresses, allowlist: replacement.plan.ipAllowlist },
      calls: serviceRows(item.wallet, newKeyId, ['call']),
      others: [...serviceRows(item.wallet, newKeyId, ['key_created', 'key_rotated']), ...serviceRows(item.wallet, null, [])],
      isOfGateway: gatewayBots.everHad(newKeyId),
    })
    if (seen.verdict === 'used') {
      const { ip, requestId, atMs } = seen.row
      change(plan.id, item.id, (now) => ({ ...now, proof: { newKeyId, how: 'audit', atMs: clock.now(), ip, requestId, usedAtMs: atMs } }))
      return ok(undefined)
    }
    if (seen.verdict !== 'none') verdicts.set(item.id, seen.verdict)
    else if (isLate()) verdicts.set(item.id, 'not_used')
    else verdicts.delete(item.id)
    return ok(undefined)
  }

  const revoke = async (plan: StoredFleetPlan, item: StoredFleetItem, replacement: StoredReplacement, newKeyId: string): Promise<Result<unknown, Failure>> => {
    const proof = proofOf(item, newKeyId, keysNow([item]))
    if (proof === null) return ok(undefined)
    if (replacement.now.state === 'probed') {
      const handed = await replacements.handOver(replacement.id, handedOver[proof.how])
      if (!handed.ok) return handed
    }
    let [isHeld, isKept] = [false, true]
    const revoked = await replacements.revokeOld(replacement.id, (operationId) => {
      const now = byId(plan.id)?.items.find(({ id }) => id === item.id)
      isHeld = !mayStep(plan.id, item) || now === undefined || proofOf(now, newKeyId, keysNow([now])) === null
      isKept = gatewayBots.count(item.oldKeyId) === 0 || credentials.whereIs(newKeyId) === 'keychain'
      if (isHeld || !isKept) return { kind: 'wrong_state', state: 'paused', wanted: 'running' }
      if (journal.trouble() !== null) return { kind: 'journal', issue: 'disk_full' }
      // The gateway's bots still use the old key if the plan delivers to another target.
      gatewayBots.move(item.oldKeyId, newKeyId)
      change(plan.id, item.id, (one) => ({ ...one, revocationIds: [...one.revocationIds, operationId] }))
      return null
    })
    return isHeld ? ok(undefined) : isKept ? revoked : fail(notKept)
  }

  /** Does the next step of an item. */
  const step = async (plan: StoredFleetPlan, item: StoredFleetItem, { state, reason }: FleetSight): Promise<Result<unknown, Failure>> => {
    if (state === 'waiting') return begin(plan, item)
    const replacement = item.replacementId === null ? null : replacements.current(item.replacementId)
    if (replacement === null) return ok(undefined)
    const { now, newKeyId } = replacement
    if (state === 'making') {
      if (now.state === 'planned') {
        if (isAfterDraft(replacement)) return ok(undefined)
        const begun = await whileRunning(plan, item, (mayLeave) => replacements.beginAfterDraft(replacement.id, mayLeave))
        // The user may have prepared a key meanwhile.
        return begun.ok || !isAfterDraft(replacement) ? begun : ok(undefined)
      }
      // A creation shows in the journal. Only the list of keys shows that an agent got its grant.
      const isAgents = reason === 'sign' && now.state === 'granting' && now.by === 'agent'
      return isAgents && isTime(item.id) ? advance(replacement.id, 'check') : ok(undefined)
    }
    if (newKeyId === null) return ok(undefined)
    if (state === 'delivering' && now.state === 'created') {
      const probed = await whileRunning(plan, item, (mayLeave) => replacements.probe(replacement.id, mayLeave))
      const isSecretLost = probed.ok && probed.value?.now.state === 'stuck' && probed.value.now.reason === 'secret_lost'
      return isSecretLost ? fail({ kind: 'not_found', what: 'secret' }) : probed
    }
    if (state === 'delivering') {
      // The steps follow one another, so no client runs now.
      if (item.deliveries.at(-1)?.outcome === 'running') return ok(change(plan.id, item.id, (one) => closed(one)))
      return deliver(plan, item, replacement, newKeyId)
    }
    if (state === 'verifying' && item.target.target !== 'gateway') return verify(plan, item, replacement, newKeyId)
    return state === 'revoking' ? revoke(plan, item, replacement, newKeyId) : ok(undefined)
  }

  const blocking: readonly (FleetReason | null)[] = ['paused', 'other_wallet', 'turn']
  const mostSteps = 12

  /** A step that failed for good rests until the user acts, one without an answer a while, and one that waits for the user's wallet not at all. */
  const rest = (itemId: string, reason: FleetReason, failure: Failure | null): void => {
    const failures = (rests.get(itemId)?.failures ?? 0) + 1
    const isForGood = reason === 'secret_lost' || failure?.kind === 'bad_input'
    const asked = failure?.kind === 'rate_limited' ? (failure.retryAfterMs ?? 0) : 0
    const untilMs = isForGood ? Number.POSITIVE_INFINITY : clock.now() + Math.max(asked, Math.min(longestRestMs, lookEveryMs * 2 ** failures))
    if (isForGood || reason === 'out_of_reach' || reason === 'trouble' || reason === 'not_in_keychain') rests.set(itemId, { untilMs, failures })
  }

  const placeIn = (plan: StoredFleetPlan, item: StoredFleetItem) => [
    ...[item, sight(plan, item)],
    item.replacementId === null ? null : replacements.current(item.replacementId)?.now,
  ]

  /** Moves an item until it waits for something. */
  const walk = async (id: string, itemId: string): Promise<void> => {
    for (let count = 0; count < mostSteps; count += 1) {
      const plan = settle(id)
      const item = plan?.items.find((one) => one.id === itemId)
      if (ending.signal.aborted || plan?.state !== 'running' || item === undefined || isOver(item) || blocking.includes(waitOf(plan, item))) return
      if (clock.now() < (rests.get(itemId)?.untilMs ?? 0)) return
      if (!outlets.unlocked() || journal.trouble() !== null) {
        troubles.set(itemId, outlets.unlocked() ? 'disk_full' : 'locked')
        return
      }
      troubles.delete(itemId)
      const before = sight(plan, item)
      if (needsUser(before) && before.reason !== 'sign' && before.state !== 'verifying') return
      const was = JSON.stringify(placeIn(plan, item))
      const done = await step(plan, item, before).catch((error: unknown) => {
        if (error instanceof ExpectedFailure) return fail(error.failure)
        throw error
      })
      if (!done.ok) {
        const { failure } = done
        const reason = failure.kind === 'not_found' && failure.what === 'secret' ? 'secret_lost' : reasonOf(failure)
        troubles.set(itemId, reason)
        rest(itemId, reason, failure)
        settle(id)
        return
      }
      rests.delete(itemId)
      const after = settle(id)
      const next = after?.items.find((one) => one.id === itemId)
      if (after === null || next === undefined || JSON.stringify(placeIn(after, next)) === was) return
    }
  }

  const look = (id: string): Promise<void> =>
    queue(async () => {
      // Of the open wallet's keys only the first one that is not over may move.
      for (let before: string | null = null; ; ) {
        const item = byId(id)?.items.find((one) => one.wallet === openWallet() && !isOver(one))
        if (item === undefined || item.id === before) return
        before = item.id
        try {
          await walk(id, item.id)
        } catch (error) {
          deps.log('fleet', { plan: id, error: String(error) })
          troubles.set(item.id, 'trouble')
          rest(item.id, 'trouble', null)
          throw error
        }
      }
    })

  let isLooking = false
  const tick = (): void => {
    if (ending.signal.aborted || isLooking) return
    isLooking = true
    secure()
    const looks = all().flatMap(({ id, state }) => (state === 'running' ? [look(id).catch(() => undefined)] : []))
    running = Promise.all(looks).finally(() => {
      isLooking = false
    })
  }

  return {
    ...{ all, byId, save, change, decide, secure, pauseAll, keysNow, endOf, openWallet, sight, settle, advance, deliver, walk, look, tick, queue },
    ...{ troubles, readAt, rests },
    remove: (id: string): void => {
      fleetPlans.delete({ profile: profile.id, id })
      changed()
    },
    /** Pauses the plans of all profiles if the last run may have lost a decision to stop one. The permit is of all profiles. */
    recover: (): void => {
      if (permit.isGiven() || !fleetPlans.list({}).some(({ record }) => record.state === 'running')) return
      isUnsure = true
      pauseAll()
    },
    /** Lets a plan run again that the user stopped. */
    runAgain: (id: string): void => {
      halted.delete(id)
      resumed?.add(id)
    },
    start: (): void => {
      end ??= deps.every(lookEveryMs, tick)
    },
    stop: (): void => {
      ending.abort()
      end?.()
    },
    settled: async (): Promise<void> => {
      await running
    },
  }
}
