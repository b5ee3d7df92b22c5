import type { Attention } from '../../shared/ipc/host/app.ts'
import type { Payments } from '../intents/ways/payment/payments.ts'
import { dialogWords } from '../kernel/dialog-words.ts'
import { type Agents, createAgents } from '../keys/agents/agents.ts'
import { createDoctor, type Doctor } from '../keys/doctor/doctor.ts'
import { createRadar, type Radar } from '../keys/expiry/radar.ts'
import { createGrantEnds } from '../keys/issuance/grant-ends.ts'
import { createKeys, type Keys } from '../keys/keys.ts'
import { createLeaks, type Leaks } from '../keys/leaks/leaks.ts'
import { createReplacements, type Replacements } from '../keys/rotation/replacements.ts'
import { createPanic, type Panic } from '../kill-switch/revoke-all/panic.ts'
import type { ProfileParts } from './profile-parts.ts'

export interface KeyServicesDeps extends ProfileParts {
  /** What is paid for a key is an intent. */
  readonly payments: Pick<Payments, 'prepare' | 'list'>
}

export interface KeyServices {
  readonly holdKey: Keys['holdKey']
  readonly draftOf: Keys['draftOf']
  /** For a sweep that ends with the keys. */
  readonly panic: Panic
  /** What of the wallet's keys waits for the user. */
  attention(wallet: string): Attention[]
  /** Gives what the last run left half done its true state. */
  recover(): Promise<void>
  start(): void
  /** Takes secrets out of memory that nothing under way needs. */
  rest(): void
  stop(): void
  /** Resolves when nothing is being done to any key. */
  settled(): Promise<void>
  readonly handlers: Keys['handlers'] &
    Agents['handlers'] &
    Doctor['handlers'] &
    Radar['handlers'] &
    Leaks['handlers'] &
    Replacements['handlers'] &
    Panic['handlers']
}

/** API keys: making and ending them, what they may do without the wallet, whether they work, when they end, and where they leaked. */
export function createKeyServices({ payments, ...parts }: KeyServicesDeps): KeyServices {
  const { profile, records, session, clipboard, files } = parts
  const keys = createKeys({
    ...parts,
    importSources: { clipboard, chooseFile: () => files.chooseToOpen({ ...dialogWords.importKey, kinds: [] }) },
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
  const radar = createRadar({ ...parts, ends })
  const leaks = createLeaks({ ...parts, signIns: session.kept })
  const replacements = createReplacements({
    ...keys.work,
    bindExecutor: async (keyId, executor, before, confirmLabel) => agents.handlers['agents.bindExecutor']({ keyId, executor, before, confirmLabel }),
  })
  const panic = createPanic({ ...keys.work, sleep: parts.sleep, chooseReport: parts.chooseReport })
  return {
    holdKey: keys.holdKey,
    draftOf: keys.draftOf,
    panic,
    attention: (wallet) => [...panic.attention(wallet), ...replacements.attention(wallet), ...radar.attention(wallet)],
    recover: async () => {
      await keys.recover()
      replacements.recover()
      panic.recover()
    },
    start: radar.start,
    rest: () => {
      panic.rest()
      keys.rest()
    },
    stop: () => {
      panic.stop()
      radar.stop()
      leaks.stop()
    },
    settled: async () => {
      await panic.settled()
      await agents.settled()
      await leaks.settled()
    },
    handlers: {
      ...keys.handlers,
      ...agents.handlers,
      ...doctor.handlers,
      ...radar.handlers,
      ...leaks.handlers,
      ...replacements.handlers,
      ...panic.handlers,
    },
  }
}
