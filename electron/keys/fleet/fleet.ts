import { csvTable } from '../../../shared/csv.ts'
import { reportColumns, reportLines } from '../../../shared/fleet-report.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Attention } from '../../../shared/ipc/host/app.ts'
import type { FleetChoice, FleetItem, FleetPlan, FleetReason } from '../../../shared/ipc/keys/fleet.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import { dialogWords, fileKind, fleetAddressesText, fleetQuestion } from '../../kernel/files/dialog-words.ts'
import { most } from '../../kernel/files/dialogs.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { StoredFleetItem, StoredFleetPlan, StoredReplacement } from '../../store/records/key-records.ts'
import { closed, createFleetSteps, type FleetDeps, isOver, withoutReplacement } from './fleet-steps.ts'
import { consentTo, overwrite, placeOf, planDelivery } from './fleet-targets.ts'
import { deliveryOf, isLost, needsUser, proofOf, readRange } from './fleet-walk.ts'

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

/** How many addresses one page of the dialog shows. */
const addressesShown = 16

/** Whether a new key may have reached its target: a client ran, or bots of the gateway got it. A client that failed may have stored the key before. */
const isGiven = ({ deliveries, target }: StoredFleetItem, keyId: string | null): boolean =>
  deliveries.some(({ newKeyId, outcome }) => newKeyId === keyId && outcome !== 'missing' && (outcome !== 'failed' || target.target !== 'gateway'))

/** Whether the user or a proof has said that a bot uses the new key of a replacement, also one that the user started before the plan. */
const isHandedOver = ({ now }: Pick<StoredReplacement, 'now'>): boolean => {
  const at = now.state === 'stuck' ? now.at : now.state
  return at === 'handed_over' || at === 'revoking'
}

/**
 * Fleet plans: replace many keys one after another, deliver each new key to where its bot runs, wait until the service's audit shows that the bot uses
 * it, then revoke the old key. A plan acts only while it is running and the key's wallet is open; the wallet signs as for a single replacement. Every
 * step is stored before and after it happens, and none is repeated whose outcome is unknown. Revocations elsewhere never wait for a plan.
 */
export function createFleet(deps: FleetDeps): Fleet {
  const { credentials, clock, newId, replacements, outlets } = deps
  const steps = createFleetSteps(deps)
  const { all, byId, save, change, decide, keysNow, endOf, openWallet, sight, settle, walk, look, tick, troubles, readAt, rests } = steps

  const mayWork = (keyId: string): boolean => {
    const status = credentials.facts(keyId)?.status
    return status === 'active' || status === 'unknown'
  }
  /** What becomes of the present new key if another one is made. */
  const remakesOf = (item: StoredFleetItem, reason: FleetReason | null): FleetItem['remakes'] =>
    item.newKeyId === null || !mayWork(item.newKeyId) ? null : isLost(reason) && !mayBeUsed(item) ? 'revokes' : 'keeps'
  const mayBeUsed = (item: StoredFleetItem): boolean => {
    const replacement = item.replacementId === null ? null : replacements.current(item.replacementId)
    return isGiven(item, item.newKeyId) || (replacement !== null && isHandedOver(replacement))
  }
  /** The new keys that still work and that the plan does not need. */
  const leftOf = (item: StoredFleetItem): FleetItem['leftKeys'] => {
    const { earlierKeyIds, deliveries, over, replacementId, newKeyId } = item
    const earlier = [...earlierKeyIds, ...deliveries.map((one) => one.newKeyId)].filter((id) => id !== newKeyId)
    // The key may have been made only after the old one was revoked.
    const made = over?.as !== 'stopped' ? null : (newKeyId ?? (replacementId === null ? null : (replacements.current(replacementId)?.newKeyId ?? null)))
    const unused = made === null || isGiven(item, made) ? [] : [made]
    return [...new Set([...unused, ...earlier])].filter(mayWork).map((id) => ({ id, label: credentials.facts(id)?.label ?? id }))
  }

  const view = (plan: StoredFleetPlan, keys = keysNow(plan.items.filter((item) => !isOver(item)))): FleetPlan => ({
    ...plan,
    isDue: plan.state === 'paused' && plan.dueAtMs !== null && plan.dueAtMs <= clock.now(),
    items: plan.items.map((item): FleetItem => {
      const seen = sight(plan, item, keys)
      const { id, wallet: owner, target, steps, newKeyId, over } = item
      // The page reads the plans every few seconds, and shows no output of a key that is over.
      const shown = over === null ? item : { ...item, deliveries: item.deliveries.map((one) => ({ ...one, output: '' })) }
      const { deliveries } = shown
      const world = over === null ? keys : { isRotatedSince: () => over.isRotated }
      const proof = newKeyId === null ? null : proofOf(item, newKeyId, world)
      const delivery = newKeyId === null ? null : deliveryOf(shown, newKeyId, world)
      const label = newKeyId === null ? null : (credentials.facts(newKeyId)?.label ?? newKeyId)
      return {
        ...{ id, wallet: owner, target, deliveries, delivery, proof, steps, state: seen.state, reason: seen.reason },
        oldKey: { id: item.oldKeyId, label: item.oldLabel },
        newKey: newKeyId === null ? null : { id: newKeyId, label: label ?? newKeyId },
        place: placeOf(target),
        remakes: seen.may.includes('remake') ? remakesOf(item, seen.reason) : null,
        leftKeys: leftOf(item),
        attempts: item.earlierAttempts + deliveries.filter((one) => one.newKeyId === newKeyId).length,
        may: plan.state === 'running' && openWallet() === owner ? [...seen.may] : seen.may.filter((one) => one === 'skip'),
        needsUser: plan.state === 'running' && needsUser(seen),
        revokedAtMs: over?.as === 'done' ? over.atMs : null,
      }
    }),
  })

  /** A plan with what it has reached. A plan that cannot be stored comes as it is, because it must not hide the others, which the user may want to stop. */
  const settledOrNot = ({ id }: Pick<StoredFleetPlan, 'id'>): StoredFleetPlan | null => {
    try {
      return settle(id)
    } catch (error) {
      deps.log('fleet', { plan: id, error: String(error) })
      return byId(id)
    }
  }

  const found = (id: string): Result<StoredFleetPlan, Failure> => {
    const plan = settle(id)
    return plan === null ? fail({ kind: 'not_found', what: 'fleet plan' }) : ok(plan)
  }

  /** Checks a new plan's keys. Two plans never hold the same key, nor one the new key of another, and no two keys share a destination. */
  const itemsOf = (asked: Parameters<HandlersOf<'fleet'>['fleet.create']>[0]['items']): Result<StoredFleetItem[], Failure> => {
    const open = all().flatMap(({ id }) => {
      const plan = settle(id)
      return plan === null || plan.state === 'ended' ? [] : plan.items.filter((item) => !isOver(item))
    })
    const taken = new Set(open.flatMap(({ oldKeyId, newKeyId }) => [oldKeyId, ...(newKeyId === null ? [] : [newKeyId])]))
    const items: StoredFleetItem[] = []
    const targets = open.map(({ target }) => target)
    const keys = keysNow(asked.map(({ keyId }) => ({ wallet: '', oldKeyId: keyId, newKeyId: null })))
    for (const [index, { keyId, target }] of asked.entries()) {
      const planned = planDelivery(target)
      if (!planned.ok) return planned.failure.kind === 'bad_input' ? fail({ ...planned.failure, field: `items.${index}.${planned.failure.field}` }) : planned
      const facts = credentials.facts(keyId)
      if (facts === null) return fail({ kind: 'not_found', what: 'key' })
      if (keys.isRevoked(keyId)) return fail({ kind: 'wrong_state', state: 'revoked', wanted: 'active' })
      if (taken.has(keyId)) return fail({ kind: 'bad_input', field: `items.${index}.keyId`, issue: 'named_twice' })
      if (targets.some((other) => overwrite(other, target))) return fail({ kind: 'bad_input', field: `items.${index}.target`, issue: 'named_twice' })
      taken.add(keyId)
      targets.push(target)
      items.push({
        ...{ id: newId(), wallet: facts.wallet, oldKeyId: keyId, oldLabel: facts.label, target, replacementId: null, newKeyId: null },
        ...{ deliveries: [], proof: null, revocationIds: [], earlierKeyIds: [], earlierAttempts: 0, over: null, steps: [] },
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
          .map(settledOrNot)
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
      // Stop first, because to settle the plan writes, too.
      const plan = byId(id)
      if (plan === null) return fail({ kind: 'not_found', what: 'fleet plan' })
      if (to !== 'resume' && plan.state !== 'ended') decide(() => save({ ...plan, state: to === 'pause' ? 'paused' : 'ended' }), id)
      const now = found(id)
      if (!now.ok) return now
      if (now.value.state === 'ended' && to !== 'end') return fail({ kind: 'wrong_state', state: 'ended', wanted: 'paused' })
      rests.clear()
      if (to === 'resume') {
        save({ ...now.value, state: 'running' })
        steps.runAgain(id)
        tick()
      }
      const after = found(id)
      return after.ok ? ok(view(after.value)) : after
    },
    'fleet.look': async ({ id }) => {
      readAt.clear()
      rests.clear()
      steps.secure()
      await look(id)
      const plan = found(id)
      return plan.ok ? ok(view(plan.value)) : plan
    },
    'fleet.choose': (chosen) => {
      // A skip does not wait for what is under way, which then goes no further.
      if (chosen.choice !== 'skip') return steps.queue(() => decided(chosen))
      return decided(chosen)
    },
    'fleet.remove': ({ id }) => {
      const plan = found(id)
      if (!plan.ok) return plan
      const { state, items } = plan.value
      if (state !== 'ended' || !items.every(isOver)) return fail({ kind: 'wrong_state', state: state === 'ended' ? 'revoking' : state, wanted: 'ended' })
      steps.remove(id)
      return ok({})
    },
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

  const decided = async ({ id, itemId, choice, seen: expected }: Parameters<HandlersOf<'fleet'>['fleet.choose']>[0]): Promise<Result<FleetPlan, Failure>> => {
    const plan = found(id)
    if (!plan.ok) return plan
    const item = plan.value.items.find((one) => one.id === itemId)
    if (item === undefined) return fail({ kind: 'not_found', what: 'key' })
    const seen = view(plan.value).items.find((one) => one.id === itemId)
    if (seen?.may.includes(choice) !== true) return fail({ kind: 'wrong_state', state: seen?.state ?? '', wanted: choice })
    const { newKeyId } = item
    const now = { newKeyId, startedAtMs: item.deliveries.at(-1)?.startedAtMs ?? null, reason: seen.reason }
    const isSame = expected === undefined || Object.entries(now).every(([name, is]) => expected[name as keyof typeof now] === is)
    if (!isSame && choice !== 'skip') return fail({ kind: 'wrong_state', state: seen.state, wanted: choice })
    const chosen = await choose(plan.value, item, newKeyId, choice, seen.reason)
    if (!chosen.ok) return chosen
    troubles.delete(itemId)
    rests.delete(itemId)
    if (choice === 'skip') tick()
    else await walk(id, itemId)
    const after = found(id)
    return after.ok ? ok(view(after.value)) : after
  }

  const choose = async (
    plan: StoredFleetPlan,
    item: StoredFleetItem,
    newKeyId: string | null,
    choice: FleetChoice,
    reason: FleetReason | null,
  ): Promise<Result<unknown, Failure>> => {
    if (choice === 'skip') {
      const end = { as: 'skipped', atMs: clock.now() } as const
      const over = endOf(item, end, keysNow([item]))
      const { as: state, atMs } = end
      return ok(decide(() => change(plan.id, item.id, (now) => ({ ...now, over, steps: [...now.steps, { state, atMs }] })), plan.id))
    }
    if (choice === 'confirm' && newKeyId !== null) {
      const proof = { newKeyId, how: 'user', atMs: clock.now(), ip: null, requestId: null, usedAtMs: null } as const
      return ok(change(plan.id, item.id, (now) => ({ ...now, proof })))
    }
    const replacement = item.replacementId === null ? null : replacements.current(item.replacementId)
    if (choice === 'deliver') return newKeyId === null || replacement === null ? ok(undefined) : steps.deliver(plan, item, replacement, newKeyId)
    if (choice === 'remake') {
      if (replacement?.now.state === 'revoking') {
        // If the old key was revoked after all, its bot needs no other new key from this plan.
        const checked = await steps.advance(replacement.id, 'check')
        if (!checked.ok) return checked
        if (settle(plan.id)?.items.find(({ id }) => id === item.id)?.over !== null) return ok(undefined)
      }
      if (replacement !== null && isLost(reason)) {
        const newKey = mayBeUsed(item) ? 'keep' : 'revoke'
        const left = await replacements.handlers['replacements.abandon']({ id: replacement.id, newKey })
        if (!left.ok) return left
      }
      return ok(change(plan.id, item.id, withoutReplacement))
    }
    return replacement?.now.state === 'stuck' ? steps.advance(replacement.id, 'retry') : ok(undefined)
  }

  const leftKeys = (item: StoredFleetItem): Attention[] => {
    const { over } = item
    if (over?.as !== 'done' && over?.as !== 'stopped') return []
    return leftOf(item).map(({ id, label }) => {
      return { id: `fleet-left:${id}`, kind: 'fleet_left', severity: 'danger', label, to: `/keys/${id}`, atMs: over.atMs, untilMs: null }
    })
  }

  return {
    handlers,
    attention: (address) =>
      all().flatMap((plan): Attention[] => {
        const left = plan.items.filter(({ wallet: owner }) => owner === address).flatMap((item) => leftKeys(item))
        if (plan.state === 'ended') return left
        const shown = view(plan)
        const row = { id: `fleet:${plan.id}`, label: plan.name, to: '/keys/fleet', untilMs: null } as const
        if (shown.isDue) return [...left, { ...row, kind: 'fleet_due', severity: 'warn', atMs: plan.dueAtMs ?? plan.createdAtMs }]
        const waits = shown.items.filter((item) => item.needsUser && item.wallet === address)
        const atMs = waits[0]?.steps.at(-1)?.atMs ?? plan.createdAtMs
        return waits.length === 0 ? left : [...left, { ...row, kind: 'fleet_waits', severity: 'warn', atMs }]
      }),
    pauseAll: steps.pauseAll,
    recover: () => {
      steps.recover()
      for (const plan of all())
        if (plan.items.some(({ deliveries }) => deliveries.some(({ outcome }) => outcome === 'running')))
          save({ ...plan, items: plan.items.map((item) => closed(item)) })
    },
    start: steps.start,
    stop: steps.stop,
    settled: steps.settled,
  }
}
