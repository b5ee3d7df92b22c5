import { versionedPath } from '../../shared/api/host-url.ts'
import type { Attention } from '../../shared/ipc/host/app.ts'
import type { Payments } from '../intents/methods/payment/payments.ts'
import { dialogWords } from '../kernel/files/dialog-words.ts'
import { createPermit } from '../kernel/files/permit.ts'
import { type Agents, createAgents } from '../keys/agents/agents.ts'
import { createDoctor, type Doctor } from '../keys/doctor/doctor.ts'
import { createExpiryList, type ExpiryList } from '../keys/expiry/expiry.ts'
import { createFleet, type Fleet } from '../keys/fleet/fleet.ts'
import type { FleetDeps } from '../keys/fleet/fleet-steps.ts'
import { createGrantEnds } from '../keys/issuance/grant-check.ts'
import { createKeys, type Keys } from '../keys/keys.ts'
import { createLeaks, type Leaks } from '../keys/leaks/leaks.ts'
import { createReplacements, type Replacements } from '../keys/rotation/replacements.ts'
import { createRevokeAll, type RevokeAll } from '../kill-switch/revoke-all.ts'
import type { ProfileParts } from './profile-parts.ts'

export interface KeyServicesDeps extends ProfileParts, Pick<FleetDeps, 'gatewayBots'> {
  /** Prepares and lists payments. A payment for a key is an intent. */
  readonly payments: Pick<Payments, 'prepare' | 'list'>
}

export interface KeyServices {
  readonly holdKey: Keys['holdKey']
  readonly draftOf: Keys['draftOf']
  /** Revokes keys, the last step of a kill switch. */
  readonly revokeAll: RevokeAll
  /** Pauses all running fleet plans. Never fails. */
  readonly pausePlans: () => void
  /** Items for the attention list about the wallet's keys. */
  attention(wallet: string): Attention[]
  /** Corrects the state of operations that the last run did not finish. */
  recover(): Promise<void>
  start(): void
  /** Clears secrets from memory that no running operation needs. */
  rest(): void
  stop(): void
  /** Resolves when no operation on a key is running. */
  settled(): Promise<void>
  readonly handlers: Keys['handlers'] &
    Agents['handlers'] &
    Doctor['handlers'] &
    ExpiryList['handlers'] &
    Leaks['handlers'] &
    Replacements['handlers'] &
    Fleet['handlers'] &
    RevokeAll['handlers']
}

/**
 * API keys: creates and revokes them, finds out what each may do without the wallet and whether it works, and reports when one expires or where one
 * leaked.
 */
export function createKeyServices({ payments, gatewayBots, ...parts }: KeyServicesDeps): KeyServices {
  const { profile, records, session, clipboard, files } = parts
  const keys = createKeys({
    ...parts,
    importSources: { clipboard, chooseFile: () => files.chooseToOpen({ ...dialogWords('importKey'), kinds: [] }) },
  })
  const { list } = keys.work
  const ends = createGrantEnds({ profile, records })
  const agents = createAgents({ ...parts, list, ends, payments })
  const doctor = createDoctor({
    ...parts,
    list,
    ends,
    paymentsOf: (keyId) => {
      const paid = payments.list(keyId)
      return paid.ok ? paid.value : []
    },
  })
  const expiry = createExpiryList({ ...parts, ends })
  const leaks = createLeaks({ ...parts, signIns: session.kept })
  const replacements = createReplacements({
    ...keys.work,
    bindExecutor: agents.bindExecutor,
  })
  const fleet = createFleet({
    ...{ ...parts, ...keys.work, replacements, gatewayBots, holdKey: keys.holdKey, audit: parts.audit.handlers },
    baseUrl: `${profile.hostUrl}${versionedPath}`,
    permit: createPermit(parts.plansPermit, (error) => parts.log('fleet', { error: String(error) })),
  })
  const revokeAll = createRevokeAll({ ...keys.work, sleep: parts.sleep, chooseReport: parts.chooseReport })
  return {
    holdKey: keys.holdKey,
    draftOf: keys.draftOf,
    revokeAll,
    pausePlans: fleet.pauseAll,
    attention: (wallet) => [...revokeAll.attention(wallet), ...replacements.attention(wallet), ...fleet.attention(wallet), ...expiry.attention(wallet)],
    recover: async () => {
      await keys.recover()
      replacements.recover()
      fleet.recover()
      revokeAll.recover()
    },
    start: () => {
      expiry.start()
      fleet.start()
    },
    rest: () => {
      revokeAll.rest()
      keys.rest()
    },
    stop: () => {
      fleet.stop()
      revokeAll.stop()
      expiry.stop()
      leaks.stop()
    },
    settled: async () => {
      await fleet.settled()
      await revokeAll.settled()
      await agents.settled()
      await leaks.settled()
    },
    handlers: {
      ...keys.handlers,
      ...agents.handlers,
      ...doctor.handlers,
      ...expiry.handlers,
      ...leaks.handlers,
      ...replacements.handlers,
      ...fleet.handlers,
      ...revokeAll.handlers,
    },
  }
}
