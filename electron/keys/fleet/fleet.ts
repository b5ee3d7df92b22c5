import { csvTable } from '../../../shared/csv.ts'
import { reportColumns, reportLines } from '../../../shared/fleet-report.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Attention } from '../../../shared/ipc/host/app.ts'
import type { Delivery, FleetChoice, FleetItem, FleetPlan, FleetReason } from '../../../shared/ipc/keys/fleet.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { minute, second } from '../../../shared/time.ts'
import { createQueue } from '../../kernel/deadline.ts'
import type { Every } from '../../kernel/events.ts'
import { ExpectedFailure } from '../../kernel/failures.ts'
import { dialogWords, fileKind, fleetAddressesText, fleetQuestion } from '../../kernel/files/dialog-words.ts'
import { most } from '../../kernel/files/dialogs.ts'
import type { Permit } from '../../kernel/files/permit.ts'
import type { SaveText } from '../../kernel/files/write-private.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { SecretOperationRow } from '../../store/journal/journal.ts'
import type { StoredFleetItem, StoredFleetPlan, StoredReplacement } from '../../store/records/key-records.ts'
import type { NoteSecretUse } from '../../store/secrets/secret-store.ts'
import type { HoldKey } from '../../store/secrets/stored-secrets.ts'
import type { Audit } from '../audit/audit.ts'
import { notedOutcome } from '../delivery/outlets/run-command.ts'
import type { SecretOutlets } from '../delivery/secret-handlers.ts'
import type { KeyWork } from '../keys.ts'
import type { Replacements } from '../rotation/replacements.ts'
import { consentTo, type Delivered, findClient, placeOf, planDelivery, runClient } from './fleet-targets.ts'
import { deliveryOf, type FleetSight, type FleetWorld, judgeUse, needsUser, proofOf, readRange, sightOf } from './fleet-walk.ts'

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
}

export interface Fleet {
  readonly handlers: HandlersOf<'fleet'>
  attention(wallet: string): Attention[]
  /** Pauses all running plans, before a kill switch revokes their keys. Never fails, even if the disk takes nothing. */
  pauseAll(): void
  /**
   * Call once, before `start`. A delivery that the last run did not see end has an unknown outcome. Pauses all plans if the last run may have lost a
   * decision to stop one.
   */
  recover(): void
  /** Continues the running plans every few seconds. */
  start(): void
  stop(): void
  settled(): Promise<void>
}

const lookEveryMs = 5 * second
/** How often to read the service's audit for keys that wait for their bots. */
const auditEveryMs = 15 * second
/** How many deliveries of a key keep what their client wrote. */
const mostOutputs = 20
const rowsRead = 500
/** How many addresses one page of the dialog shows. */
const addressesShown = 16
/** The longest time between two tries of a step that fails. */
const longestRestMs = 5 * minute

const unseenEnd: Delivered = { outcome: 'unknown', exitCode: null, signal: null, output: '' }

/** Writes down the end of the delivery under way. If the app did not see it end, the secret may have arrived, and `endedAtMs` stays null. */
const closed = (item: StoredFleetItem, ended: Partial<Delivery> = unseenEnd): StoredFleetItem => ({
  ...item,
  deliveries: item.deliveries.map((one) => (one.outcome === 'running' ? { ...one, ...ended } : one)),
})

/** Whether a new key may have reached its target. */
const isGiven = ({ deliveries }: Pick<StoredFleetItem, 'deliveries'>, keyId: string | null): boolean =>
  deliveries.some(({ newKeyId, outcome }) => newKeyId === keyId && outcome !== 'failed' && outcome !== 'missing')

interface KeysNow extends Pick<FleetWorld, 'isRevoked' | 'revocationOf' | 'isRotatedSince' | 'isRotatedElsewhere'> {
  /** The id of the newest replacement of an old key; null if there is none. */
  readonly newestOf: (keyId: string) => string | null
}

/**
 * Fleet plans: replace many keys one after another, deliver each new key to where its bot runs, wait until the service's audit shows that the bot uses
 * it, then revoke the old key. A plan acts only while it is running and the key's wallet is open; the wallet signs as for a single replacement. Every
 * step is stored before and after it happens, and none is repeated whose outcome is unknown. Revocations elsewhere never wait for a plan.
 */
export function createFleet(deps: FleetDeps): Fleet {
  const { profile, journal, credentials, wallet, clock, emit, newId, replacements, outlets, gatewayBots, note, permit } = deps
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
  const ending = new AbortController()
  let end: (() => void) | null = null
  let running: Promise<unknown> = Promise.resolve()

  const asNow = (plan: StoredFleetPlan): StoredFleetPlan => (plan.state === 'running' && resumed?.has(plan.id) === false ? { ...plan, state: 'paused' } : plan)
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
  /** Gives the permit once the disk holds what the user decided. Call it regularly, because a full disk may have space again. */
  const secure = () => {
    if (journal.trouble() === null) permit.give()
  }
  /** Carries out a decision to stop something, which must hold after a restart. */
  const decide = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      permit.withdraw()
      throw error
    } finally {
      if (journal.trouble() !== null) permit.withdraw()
    }
  }
  const pauseEach = (where: { readonly profile?: string }) => {
    resumed = new Set()
    for (const { key, record } of fleetPlans.list(where)) if (record.state === 'running') fleetPlans.write(key, { ...record, state: 'paused' })
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
    const isRotatedHere = (keyId: string, atMs: number) =>
      of(keyId, 'rotate').some(({ state, updatedAtMs }) => state !== 'FAILED' && state !== 'PLANNED' && updatedAtMs >= atMs)
    const isRotatedElsewhere = (keyId: string, atMs: number) => {
      const owner = items.find(({ newKeyId }) => newKeyId === keyId)?.wallet
      return (
        owner !== undefined &&
        serviceRows(owner, keyId, ['key_rotated']).some(
          (row) => row.atMs >= atMs && (row.requestId === null || !journal.audit.madeHere(profile.id, row.requestId)) && !isRotatedHere(keyId, row.atMs),
        )
      )
    }
    let newest: ReadonlyMap<string, string> | null = null
    return {
      isRevoked: (keyId) => credentials.facts(keyId)?.status === 'revoked' || of(keyId, 'revoke').some(({ state }) => state === 'SETTLED'),
      revocationOf: (keyId, atMs) => of(keyId, 'revoke').findLast((row) => row.atMs >= atMs) ?? null,
      isRotatedSince: (keyId, atMs) => isRotatedHere(keyId, atMs) || isRotatedElsewhere(keyId, atMs),
      isRotatedElsewhere,
      newestOf: (keyId) => {
        newest ??= replacements.newest()
        return newest.get(keyId) ?? null
      },
    }
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
  const isOver = (item: StoredFleetItem): boolean => item.over !== null
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
    if ((seen.reason === 'trouble' || seen.reason === 'secret_lost') && !seen.may.includes('retry')) return { ...seen, may: ['retry', ...seen.may] }
    return seen.state === 'verifying' && seen.reason === null ? { ...seen, reason: verdicts.get(item.id) ?? null } : seen
  }

  /** Writes down states that were reached, so that the report stays true after the key lists have changed. */
  const settle = (id: string): StoredFleetPlan | null => {
    const plan = byId(id)
    if (plan === null) return null
    const now = clock.now()
    const known = plan.items.map((item) => {
      const made = item.replacementId === null || isOver(item) ? item.newKeyId : (replacements.current(item.replacementId)?.newKeyId ?? null)
      return made === item.newKeyId ? item : { ...item, newKeyId: made }
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
      const revoked = state === 'done' && item.revokingAtMs !== null ? keys.revocationOf(item.oldKeyId, item.revokingAtMs) : null
      return { ...item, steps, over: { as: state, atMs: revoked?.state === 'SETTLED' ? revoked.updatedAtMs : now } }
    })
    const isEnded = plan.state === 'ended' || items.every(isOver)
    return changed || isEnded !== (plan.state === 'ended') ? save({ ...plan, items, state: isEnded ? 'ended' : plan.state }) : plan
  }

  const view = (plan: StoredFleetPlan, keys = keysNow(plan.items.filter((item) => !isOver(item)))): FleetPlan => ({
    ...plan,
    isDue: plan.state === 'paused' && plan.dueAtMs !== null && plan.dueAtMs <= clock.now(),
    items: plan.items.map((item): FleetItem => {
      const seen = sight(plan, item, keys)
      const { id, wallet: owner, target, deliveries, steps, newKeyId, over } = item
      // What happened to the new key after the end does not change what was proven.
      const proof = newKeyId === null ? null : proofOf(item, newKeyId, over === null ? keys : { isRotatedSince: () => false })
      const label = newKeyId === null ? null : (credentials.facts(newKeyId)?.label ?? newKeyId)
      return {
        ...{ id, wallet: owner, target, deliveries, proof, steps, state: seen.state, reason: seen.reason },
        oldKey: { id: item.oldKeyId, label: item.oldLabel },
        newKey: newKeyId === null ? null : { id: newKeyId, label: label ?? newKeyId },
        place: placeOf(target),
        may: plan.state === 'running' && openWallet() === owner ? [...seen.may] : seen.may.filter((one) => one === 'skip'),
        needsUser: plan.state === 'running' && needsUser(seen),
        revokedAtMs: over?.as === 'done' ? over.atMs : null,
      }
    }),
  })

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
      default:
        return 'trouble'
    }
  }

  const advance = (id: string, step: 'check' | 'probe' | 'handed_over' | 'retry') =>
    replacements.handlers['replacements.advance']({ id, step, confirmLabel: null })

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

  /** Whether the plan still runs, the app is unlocked and the user has not skipped the item. */
  const mayStep = (id: string, itemId: string): boolean => {
    const plan = byId(id)
    return !ending.signal.aborted && outlets.unlocked() && plan?.state === 'running' && plan.items.find((one) => one.id === itemId)?.over === null
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
    return (delivery: Partial<Delivery> & Pick<Delivery, 'outcome'>, with_: Partial<StoredFleetItem> = {}) =>
      change(plan.id, item.id, (now) => {
        const before = now.deliveries.map((one, at) => (at > now.deliveries.length - mostOutputs ? one : { ...one, output: '' }))
        return { ...now, ...with_, deliveries: [...before, { ...blank, ...delivery }] }
      })
  }

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
    if (!mayStep(plan.id, item.id)) return ok(undefined)
    if (verdict === 'dead' || credentials.whereIs(newKeyId) !== 'keychain') return ok(add({ outcome: 'failed' }))
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
    // From here to the client's start nothing waits, so that a pause, a skip or the lock is seen.
    if (!mayStep(plan.id, item.id)) return ok(undefined)
    const taken = held.value.secret.take()
    if (!taken.ok) return taken
    add({ endedAtMs: null, outcome: 'running' })
    const close = (ended: Delivered) => change(plan.id, item.id, (now) => closed(now, { ...ended, endedAtMs: clock.now() }))
    if (journal.trouble() !== null) {
      close({ outcome: 'failed', exitCode: null, signal: null, output: '' })
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
    const read = await deps.audit['audit.refresh']({})
    if (!read.ok) {
      readAt.delete(item.id)
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
    const isLate = clock.now() >= (delivery.endedAtMs ?? delivery.startedAtMs) + plan.waitMs
    if (seen.verdict !== 'none') verdicts.set(item.id, seen.verdict)
    else if (isLate) verdicts.set(item.id, 'not_used')
    else verdicts.delete(item.id)
    return ok(undefined)
  }

  const revoke = async (plan: StoredFleetPlan, item: StoredFleetItem, replacement: StoredReplacement, newKeyId: string): Promise<Result<unknown, Failure>> => {
    if (proofOf(item, newKeyId, keysNow([item])) === null) return ok(undefined)
    if (replacement.now.state === 'probed') {
      const handed = await advance(replacement.id, 'handed_over')
      if (!handed.ok) return handed
    }
    let isHeld = false
    const revoked = await replacements.revokeOld(replacement.id, () => {
      const now = byId(plan.id)?.items.find(({ id }) => id === item.id)
      isHeld = !mayStep(plan.id, item.id) || now === undefined || proofOf(now, newKeyId, keysNow([now])) === null
      if (isHeld) return { kind: 'wrong_state', state: 'paused', wanted: 'running' }
      if (journal.trouble() !== null) return { kind: 'journal', issue: 'disk_full' }
      // The gateway's bots still use the old key if the plan delivers to another target.
      gatewayBots.move(item.oldKeyId, newKeyId)
      change(plan.id, item.id, (one) => ({ ...one, revokingAtMs: clock.now() }))
      return null
    })
    return isHeld ? ok(undefined) : revoked
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
        const begun = await replacements.beginAfterDraft(replacement.id)
        // The user may have prepared a key meanwhile.
        return begun.ok || !isAfterDraft(replacement) ? begun : ok(undefined)
      }
      // A creation shows in the journal. Only the list of keys shows that an agent got its grant.
      const isAgents = reason === 'sign' && now.state === 'granting' && now.by === 'agent'
      return isAgents && isTime(item.id) ? advance(replacement.id, 'check') : ok(undefined)
    }
    if (newKeyId === null) return ok(undefined)
    if (state === 'delivering' && now.state === 'created') {
      const probed = await advance(replacement.id, 'probe')
      const isLost = probed.ok && probed.value.now.state === 'stuck' && probed.value.now.reason === 'secret_lost'
      return isLost ? fail({ kind: 'not_found', what: 'secret' }) : probed
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
  const rest = (itemId: string, reason: FleetReason, failure: Failure): void => {
    const failures = (rests.get(itemId)?.failures ?? 0) + 1
    const isForGood = reason === 'secret_lost' || failure.kind === 'bad_input' || failure.kind === 'not_found' || failure.kind === 'wrong_state'
    const asked = failure.kind === 'rate_limited' ? (failure.retryAfterMs ?? 0) : 0
    const untilMs = isForGood ? Number.POSITIVE_INFINITY : clock.now() + Math.max(asked, Math.min(longestRestMs, lookEveryMs * 2 ** failures))
    if (isForGood || reason === 'out_of_reach' || reason === 'trouble') rests.set(itemId, { untilMs, failures })
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
      secure()
      // Of the open wallet's keys only the first one that is not over may move.
      for (let before: string | null = null; ; ) {
        const item = byId(id)?.items.find((one) => one.wallet === openWallet() && !isOver(one))
        if (item === undefined || item.id === before) return
        before = item.id
        await walk(id, item.id)
      }
    })

  let isLooking = false
  const tick = (): void => {
    if (ending.signal.aborted || isLooking) return
    isLooking = true
    const looks = all().flatMap(({ id, state }) => (state === 'running' ? [look(id).catch(() => undefined)] : []))
    running = Promise.all(looks).finally(() => {
      isLooking = false
    })
  }

  const found = (id: string): Result<StoredFleetPlan, Failure> => {
    const plan = settle(id)
    return plan === null ? fail({ kind: 'not_found', what: 'fleet plan' }) : ok(plan)
  }

  /** Checks a new plan's keys. Two plans never hold the same key, nor one the new key of another. */
  const itemsOf = (asked: Parameters<HandlersOf<'fleet'>['fleet.create']>[0]['items']): Result<StoredFleetItem[], Failure> => {
    const open = all().flatMap(({ id }) => {
      const plan = settle(id)
      return plan === null || plan.state === 'ended' ? [] : plan.items.filter((item) => !isOver(item))
    })
    const taken = new Set(open.flatMap(({ oldKeyId, newKeyId }) => [oldKeyId, ...(newKeyId === null ? [] : [newKeyId])]))
    const items: StoredFleetItem[] = []
    const keys = keysNow(asked.map(({ keyId }) => ({ wallet: '', oldKeyId: keyId, newKeyId: null })))
    for (const [index, { keyId, target }] of asked.entries()) {
      const planned = planDelivery(target)
      if (!planned.ok) return planned.failure.kind === 'bad_input' ? fail({ ...planned.failure, field: `items.${index}.${planned.failure.field}` }) : planned
      const facts = credentials.facts(keyId)
      if (facts === null) return fail({ kind: 'not_found', what: 'key' })
      if (keys.isRevoked(keyId)) return fail({ kind: 'wrong_state', state: 'revoked', wanted: 'active' })
      if (taken.has(keyId)) return fail({ kind: 'bad_input', field: `items.${index}.keyId`, issue: 'named_twice' })
      taken.add(keyId)
      items.push({
        ...{ id: newId(), wallet: facts.wallet, oldKeyId: keyId, oldLabel: facts.label, target, replacementId: null, newKeyId: null },
        ...{ deliveries: [], proof: null, revokingAtMs: null, over: null, steps: [] },
      })
    }
    return ok(items)
  }

  /** Shows the addresses and every command of a plan in system dialogs, which a page cannot answer. */
  const agreed = async (addresses: readonly string[], lines: readonly string[]): Promise<boolean> => {
    // Fifty ranges fill four pages at most.
    const pages: string[] = Array.from({ length: Math.ceil(addresses.length / addressesShown) }, (_, at) =>
      fleetAddressesText(addresses.slice(at * addressesShown, (at + 1) * addressesShown).join(', ')),
    )
    if (pages.length === 0) pages.push('')
    for (const line of lines) {
      const page = pages.at(-1) ?? ''
      if (page !== '' && page.length + line.length + 1 > most.detail) pages.push(line)
      else pages[pages.length - 1] = page === '' ? line : `${page}\n${line}`
    }
    for (const [index, detail] of pages.entries()) if (!(await outlets.confirm({ ...fleetQuestion(index + 1, pages.length), detail }))) return false
    return true
  }

  const handlers: HandlersOf<'fleet'> = {
    'fleet.list': () =>
      ok(
        all()
          .map(({ id }) => settle(id))
          .flatMap((plan) => (plan === null ? [] : view(plan)))
          .sort((a, b) => b.createdAtMs - a.createdAtMs),
      ),
    'fleet.create': async ({ name, items: asked, addresses, waitMinutes, dueAtMs }) => {
      const wrong = addresses.findIndex((address) => readRange(address) === null)
      if (wrong >= 0) return fail({ kind: 'bad_input', field: `addresses.${wrong}`, issue: 'not_an_address' })
      const checked = itemsOf(asked)
      if (!checked.ok) return checked
      const lines = await Promise.all(checked.value.map(({ oldLabel, target }) => consentTo(oldLabel, target, outlets.env)))
      const long = lines.findIndex((line) => line.length > most.detail)
      if (long >= 0) return fail({ kind: 'bad_input', field: `items.${long}.target`, issue: 'too_long_to_show' })
      if (!(await agreed(addresses, lines))) return ok(null)
      // Check again, because another plan may have taken a key while the dialog was open.
      const items = itemsOf(asked)
      if (!items.ok) return items
      const plan = { id: newId(), name, state: 'paused', dueAtMs, addresses, waitMs: waitMinutes * 60 * second, createdAtMs: clock.now() } as const
      save({ ...plan, addresses: [...addresses], items: items.value })
      const made = found(plan.id)
      return made.ok ? ok(view(made.value)) : made
    },
    'fleet.set': async ({ id, to }) => {
      const plan = found(id)
      if (!plan.ok) return plan
      if (plan.value.state === 'ended') return to === 'end' ? ok(view(plan.value)) : fail({ kind: 'wrong_state', state: 'ended', wanted: 'paused' })
      if (to === 'resume') resumed?.add(id)
      rests.clear()
      if (to === 'resume') {
        save({ ...plan.value, state: 'running' })
        tick()
      } else decide(() => save({ ...plan.value, state: to === 'pause' ? 'paused' : 'ended' }))
      const after = found(id)
      return after.ok ? ok(view(after.value)) : after
    },
    'fleet.look': async ({ id }) => {
      readAt.clear()
      rests.clear()
      await look(id)
      const plan = found(id)
      return plan.ok ? ok(view(plan.value)) : plan
    },
    'fleet.choose': ({ id, itemId, choice }) =>
      queue(async () => {
        const plan = found(id)
        if (!plan.ok) return plan
        const item = plan.value.items.find((one) => one.id === itemId)
        if (item === undefined) return fail({ kind: 'not_found', what: 'key' })
        const seen = view(plan.value).items.find((one) => one.id === itemId)
        if (seen?.may.includes(choice) !== true) return fail({ kind: 'wrong_state', state: seen?.state ?? '', wanted: choice })
        const { newKeyId } = item
        const chosen = await choose(plan.value, item, newKeyId, choice, seen.reason)
        if (!chosen.ok) return chosen
        troubles.delete(itemId)
        rests.delete(itemId)
        await walk(id, itemId)
        const after = found(id)
        return after.ok ? ok(view(after.value)) : after
      }),
    'fleet.save': async ({ id }) => {
      const plan = found(id)
      if (!plan.ok) return plan
      const question = {
        ...dialogWords('saveReport'),
        kinds: [fileKind('csv')],
        suggested: `svc-desk-plan-${new Date(clock.now()).toISOString().slice(0, 10)}.csv`,
      }
      const saved = await deps.saveText(question, () => csvTable(reportColumns, reportLines(view(plan.value))))
      return saved.ok ? ok({ path: saved.value }) : saved
    },
  }

  const choose = async (
    plan: StoredFleetPlan,
    item: StoredFleetItem,
    newKeyId: string | null,
    choice: FleetChoice,
    reason: FleetReason | null,
  ): Promise<Result<unknown, Failure>> => {
    if (choice === 'skip') {
      const atMs = clock.now()
      return ok(decide(() => change(plan.id, item.id, (now) => ({ ...now, over: { as: 'skipped', atMs }, steps: [...now.steps, { state: 'skipped', atMs }] }))))
    }
    if (choice === 'confirm' && newKeyId !== null) {
      const proof = { newKeyId, how: 'user', atMs: clock.now(), ip: null, requestId: null, usedAtMs: null } as const
      return ok(change(plan.id, item.id, (now) => ({ ...now, proof })))
    }
    const replacement = item.replacementId === null ? null : replacements.current(item.replacementId)
    if (choice === 'deliver') return newKeyId === null || replacement === null ? ok(undefined) : deliver(plan, item, replacement, newKeyId)
    if (reason === 'trouble') return ok(undefined)
    if (replacement !== null && (reason === 'secret_lost' || reason === 'new_key_dead')) {
      // Make another new key. A bot may use the present one if it was delivered.
      const left = await replacements.handlers['replacements.abandon']({ id: replacement.id, newKey: isGiven(item, newKeyId) ? 'keep' : 'revoke' })
      return left.ok ? ok(change(plan.id, item.id, (now) => ({ ...now, replacementId: null, newKeyId: null }))) : left
    }
    if (replacement?.now.state === 'stuck') return advance(replacement.id, 'retry')
    return ok(change(plan.id, item.id, (now) => ({ ...now, replacementId: null, newKeyId: null })))
  }

  /** A new key that still works although its old key was revoked outside the plan, and that no bot got. */
  const leftKey = ({ over, replacementId, deliveries }: StoredFleetItem): Attention | null => {
    if (over?.as !== 'stopped' || replacementId === null) return null
    const keyId = replacements.current(replacementId)?.newKeyId ?? null
    const facts = keyId === null ? null : credentials.facts(keyId)
    if (keyId === null || facts?.status !== 'active' || isGiven({ deliveries }, keyId)) return null
    const to = `/keys/${keyId}`
    return { id: `fleet-left:${keyId}`, kind: 'fleet_left', severity: 'danger', label: facts.label, to, atMs: over.atMs, untilMs: null }
  }

  return {
    handlers,
    attention: (address) =>
      all().flatMap((plan): Attention[] => {
        const left = plan.items.filter(({ wallet: owner }) => owner === address).flatMap((item) => leftKey(item) ?? [])
        if (plan.state === 'ended') return left
        const shown = view(plan)
        const row = { id: `fleet:${plan.id}`, label: plan.name, to: '/keys/fleet', untilMs: null } as const
        if (shown.isDue) return [...left, { ...row, kind: 'fleet_due', severity: 'warn', atMs: plan.dueAtMs ?? plan.createdAtMs }]
        const waits = shown.items.filter((item) => item.needsUser && item.wallet === address)
        const atMs = waits[0]?.steps.at(-1)?.atMs ?? plan.createdAtMs
        return waits.length === 0 ? left : [...left, { ...row, kind: 'fleet_waits', severity: 'warn', atMs }]
      }),
    pauseAll: () => {
      try {
        decide(() => pauseEach({ profile: profile.id }))
      } catch {
        // In memory, the plans are paused.
      }
    },
    recover: () => {
      // The permit is of all profiles.
      if (!permit.isGiven() && fleetPlans.list({}).some(({ record }) => record.state === 'running')) pauseEach({})
      for (const plan of all())
        if (plan.items.some(({ deliveries }) => deliveries.some(({ outcome }) => outcome === 'running')))
          save({ ...plan, items: plan.items.map((item) => closed(item)) })
    },
    start: () => {
      end ??= deps.every(lookEveryMs, tick)
    },
    stop: () => {
      ending.abort()
      end?.()
    },
    settled: async () => {
      await running
    },
  }
}
