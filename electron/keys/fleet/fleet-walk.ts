import type { FleetChoice, FleetReason, FleetState, UseProof } from '../../../shared/ipc/keys/fleet.ts'
import { addressBits, type IpRange, parseIpAddress, rangeHolds } from '../../../shared/net/ip-address.ts'
import type { AuditLogRow, SecretOperationRow } from '../../store/journal/journal.ts'
import type { StoredFleetItem, StoredFleetPlan, StoredReplacement } from '../../store/records/key-records.ts'

/** What the app knows beside the plan. */
export interface FleetWorld {
  /** The item's replacement after `conclude`; null if it is missing. */
  readonly replacement: StoredReplacement | null
  /** True if a newer replacement of the same old key exists. */
  readonly isOutdated: boolean
  readonly isRevoked: (keyId: string) => boolean
  /** The requests with these ids to revoke the key that may have left. */
  readonly revocationsOf: (keyId: string, ids: readonly string[]) => readonly Pick<SecretOperationRow, 'state' | 'updatedAtMs'>[]
  /** True if the secret of the key may have changed at or after this time. */
  readonly isRotatedSince: (keyId: string, atMs: number) => boolean
  /** True if another computer rotated the key at or after this time, as far as the service's audit was read. Then the secret here is dead. */
  readonly isRotatedElsewhere: (keyId: string, atMs: number) => boolean
  /** Why the item does not move now; null: nothing is known to be in its way. */
  readonly trouble: FleetReason | null
}

export interface FleetSight {
  readonly state: FleetState
  readonly reason: FleetReason | null
  readonly may: readonly FleetChoice[]
}

/** The last delivery of the new key with its present secret; null if there is none. An earlier new key's delivery never counts. */
export function deliveryOf({ deliveries }: StoredFleetItem, newKeyId: string, { isRotatedSince }: Pick<FleetWorld, 'isRotatedSince'>) {
  const last = deliveries.findLast((one) => one.newKeyId === newKeyId) ?? null
  return last === null || isRotatedSince(newKeyId, last.startedAtMs) ? null : last
}

/**
 * The proof that the bot uses the new key, if it is about this key and newer than the key's last delivery. Of a delivery that did not end well, only the
 * user can say that it arrived: for example, a client that only creates secrets fails once its first run has arrived.
 */
export function proofOf(item: StoredFleetItem, newKeyId: string, world: Pick<FleetWorld, 'isRotatedSince'>): UseProof | null {
  const delivery = deliveryOf(item, newKeyId, world)
  const { proof } = item
  if (delivery === null || proof === null || delivery.outcome === 'running' || delivery.outcome === 'missing') return null
  if (delivery.outcome !== 'done' && proof.how !== 'user') return null
  return proof.newKeyId === newKeyId && proof.atMs >= (delivery.endedAtMs ?? delivery.startedAtMs) ? proof : null
}

/** How many attempts to deliver a key are kept. */
const mostDeliveries = 20

/** The attempts to keep: the last ones, and the last one of each key and outcome, so that it stays known which keys may have arrived. */
export const keptDeliveries = (deliveries: StoredFleetItem['deliveries']): StoredFleetItem['deliveries'] =>
  deliveries.filter(
    ({ newKeyId, outcome }, at) =>
      at >= deliveries.length - mostDeliveries || deliveries.findLastIndex((one) => one.newKeyId === newKeyId && one.outcome === outcome) === at,
  )

/** Whether the present new key is of no use, so that only another one helps. */
export const isLost = (reason: FleetReason | null): boolean => reason === 'secret_lost' || reason === 'new_key_dead'

/** Decides the state of an item. Has no side effects, so a plan continues at the same step after a crash. */
export function sightOf(item: StoredFleetItem, plan: Pick<StoredFleetPlan, 'state'>, world: FleetWorld): FleetSight {
  const { replacement, trouble } = world
  if (item.over !== null) return { state: item.over.as, reason: null, may: [] }
  const own = world.revocationsOf(item.oldKeyId, item.revocationIds)
  if (world.isRevoked(item.oldKeyId)) return { state: own.some(({ state: of }) => of !== 'FAILED') ? 'done' : 'stopped', reason: null, may: [] }
  const isUnderWay = own.some(({ state: of }) => of === 'SENT' || of === 'UNKNOWN')
  if (plan.state === 'ended') return { state: isUnderWay ? 'revoking' : 'ended', reason: null, may: [] }
  // A skip says that the old key stays. A revocation without an answer may have taken effect.
  const skip: FleetChoice[] = isUnderWay ? [] : ['skip']
  if (item.replacementId === null) return { state: 'waiting', reason: trouble, may: skip }
  const blocked = (state: FleetState, reason: FleetReason, ...may: FleetChoice[]): FleetSight => ({ state, reason, may: [...may, ...skip] })
  if (replacement === null || world.isOutdated) return blocked('making', 'replacement_lost', 'remake')
  const { now, newKeyId } = replacement
  if (now.state === 'stuck') return blocked(newKeyId === null ? 'making' : 'delivering', now.reason, isLost(now.reason) ? 'remake' : 'retry')
  if (now.state === 'abandoned') return blocked('making', 'abandoned', 'remake')
  if (now.state === 'planned') return { state: 'making', reason: trouble, may: skip }
  if (now.state === 'granting' || newKeyId === null) return { state: 'making', reason: trouble ?? 'sign', may: skip }
  const last = item.deliveries.findLast((one) => one.newKeyId === newKeyId)
  if (last !== undefined && world.isRotatedElsewhere(newKeyId, last.startedAtMs)) return blocked('delivering', 'secret_lost', 'remake')
  const delivery = deliveryOf(item, newKeyId, world)
  const isProven = proofOf(item, newKeyId, world) !== null
  switch (delivery?.outcome) {
    case undefined:
    case 'running':
      return { state: 'delivering', reason: trouble, may: delivery === null ? skip : [] }
    case 'failed':
      if (item.target.target === 'gateway') return blocked('delivering', 'gateway_refused', 'deliver')
      if (!isProven) return blocked('delivering', 'delivery_failed', 'deliver', 'confirm')
      break
    case 'missing':
      return blocked('delivering', 'delivery_missing', 'deliver')
    case 'unknown':
      if (!isProven) return blocked('delivering', 'delivery_unknown', 'deliver', 'confirm')
      break
    case 'done':
  }
  if (!isProven) {
    // The exchange's audit cannot tell the gateway's calls from the app's own.
    const reason = trouble ?? (item.target.target === 'gateway' ? 'gateway_unproven' : null)
    return { state: 'verifying', reason, may: ['confirm', 'deliver', ...skip] }
  }
  return { state: 'revoking', reason: trouble, may: now.state === 'revoking' ? [] : skip }
}

const waitsByItself: readonly (FleetReason | null)[] = [null, 'paused', 'turn', 'out_of_reach', 'locked', 'disk_full']

/** Whether the user must do something before the item moves on. */
export const needsUser = ({ reason }: Pick<FleetSight, 'reason'>): boolean => !waitsByItself.includes(reason)

/** The request ids that this app and `svc-desk gateway` give to requests: see `newRequestId`. */
const ownForm = /^dsk-[0-9a-f]{12}$/

export interface UseQuestion {
  readonly newKeyId: string
  /** When the delivery of the new key started. An earlier call is not the bot's. */
  readonly sinceMs: number
  /** The addresses and ranges from which the bot calls, and those from which the new key works. Empty: unknown. If both are, the app cannot tell. */
  readonly allowed: readonly string[]
  readonly allowlist: readonly string[]
  /** The service's rows about calls with the new key, in any order. */
  readonly calls: readonly AuditLogRow[]
  /** The wallet's other recent rows of the service, such as sign-ins and calls of the session, which only the user's apps make. */
  readonly others: readonly AuditLogRow[]
  /** Whether this app sent the request, as far as its log reaches. */
  readonly madeHere: (requestId: string) => boolean
  /** Whether a bot of this app's gateway has or had the new key. Its calls carry ids of its own, and the log of requests does not keep them. */
  readonly isOfGateway: boolean
}

export type UseVerdict = { readonly verdict: 'used'; readonly row: AuditLogRow } | { readonly verdict: 'cannot_tell' | 'other_address' | 'none' }

/** Reads an address or a CIDR range; null for anything else. An IPv4 address in IPv6 form (`::ffff:…`) is read as IPv4. */
export function readRange(text: string): IpRange | null {
  const [, typed = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? []
  const address = parseIpAddress(typed.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, ''))
  if (address === null) return null
  const prefix = length === undefined ? addressBits(address.family) : Number(length)
  return prefix > addressBits(address.family) ? null : { address, prefix }
}

const rangesOf = (texts: readonly (string | null)[]): readonly IpRange[] => texts.flatMap((text) => (text === null ? [] : (readRange(text) ?? [])))
const isIn = (ranges: readonly IpRange[], ip: IpRange | null): boolean => ip !== null && ranges.some((range) => rangeHolds(range, ip))

/**
 * Decides from the service's audit whether the bot uses the new key. Never guesses: the app's own calls do not count, even if its log of requests was
 * cut or lost. A call counts only if the service names its time, address and request id, if the address is allowed and is none of the app's, if the
 * service is known to keep the request ids that callers send, and if no bot of the gateway ever had the key. So an id without the app's form proves that
 * another program made the call.
 */
export function judgeUse({ newKeyId, sinceMs, allowed, allowlist, calls, others, madeHere, isOfGateway }: UseQuestion): UseVerdict {
  const isHere = ({ requestId }: AuditLogRow) => requestId !== null && madeHere(requestId)
  const here = [...calls, ...others].filter((row) => row.source === 'service' && (isHere(row) || row.kind !== 'call' || row.keyId === null))
  const own = rangesOf(here.map(({ ip }) => ip))
  const keepsIds = here.some((row) => isHere(row) && ownForm.test(row.requestId ?? ''))
  const limits = [allowed, allowlist].filter((texts) => texts.length > 0).map(rangesOf)
  let verdict: 'cannot_tell' | 'other_address' | 'none' = 'none'
  for (const row of calls) {
    const { requestId } = row
    if (row.source !== 'service' || row.kind !== 'call' || row.keyId !== newKeyId || row.outcome !== 'done' || isHere(row)) continue
    if (row.timed && row.atMs < sinceMs) continue
    const ip = row.ip === null ? null : readRange(row.ip)
    const isAllowed = limits.length > 0 && limits.every((ranges) => isIn(ranges, ip))
    const isOwnAddress = isIn(own, ip)
    const hasOwnForm = requestId !== null && ownForm.test(requestId)
    if (hasOwnForm && (!isAllowed || isOwnAddress)) continue
    if (limits.length > 0 && ip !== null && !isAllowed && !isOwnAddress) {
      if (verdict === 'none') verdict = 'other_address'
      continue
    }
    if (isOfGateway || !row.timed || requestId === null || hasOwnForm || !isAllowed || isOwnAddress || own.length === 0 || !keepsIds) {
      verdict = 'cannot_tell'
      continue
    }
    return { verdict: 'used', row }
  }
  return { verdict }
}
