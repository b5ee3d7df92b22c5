import { createAgents } from '../agents/agents.ts'
import type { ApiClient } from '../api/api-client.ts'
import type { FileDialogs } from '../app/file-dialogs.ts'
import { createSaveText } from '../app/save-text.ts'
import type { Chain } from '../chain/chain.ts'
import type { ChainTransactions } from '../chain/transactions.ts'
import { createDoctor } from '../doctor/doctor.ts'
import type { Journal, Vault } from '../journal/journal.ts'
import type { Credentials } from '../keys/credentials.ts'
import { createGrantEnds } from '../keys/grant-ends.ts'
import type { KeyList } from '../keys/key-list.ts'
import { createLeaks } from '../leaks/leaks.ts'
import type { Broadcasts } from '../orders/broadcasts.ts'
import type { Pins } from '../pins/pins.ts'
import type { TokenPins } from '../pins/token-pins.ts'
import { createRadar } from '../radar/radar.ts'
import type { Emit, Every } from '../session/events.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'
import type { ServiceClock } from '../session/service-clock.ts'
import type { Session } from '../session/session.ts'
import type { WalletReport } from '../session/wallet.ts'

export interface KeyCareDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly journal: Journal
  readonly vault: Vault
  readonly credentials: Credentials
  readonly list: KeyList
  readonly wallet: WalletReport
  readonly session: Session
  readonly pins: Pins
  readonly chain: Chain
  readonly transactions: ChainTransactions
  readonly broadcasts: Broadcasts
  readonly tokens: TokenPins
  readonly files: Pick<FileDialogs, 'chooseToSave' | 'chooseFolder' | 'showInFolder'>
  readonly clock: ServiceClock
  readonly emit: Emit
  readonly every: Every
  readonly newId: () => string
}

/** What looks after keys that exist: what they may do without the wallet, whether they work, where they leaked, and when they end. */
export function createKeyCare(deps: KeyCareDeps) {
  const { profile, journal, session, files } = deps
  const saveText = createSaveText(files)
  const ends = createGrantEnds({ profile, values: journal.values })
  const agents = createAgents({
    ...deps,
    signIn: session.signIn,
    token: deps.tokens.USDC,
    ends,
  })
  const radar = createRadar({ ...deps, ends, saveText })
  const leaks = createLeaks({ ...deps, signIns: session.kept })
  const doctor = createDoctor({
    ...deps,
    values: journal.values,
    signIn: session.signIn,
    ends,
    paymentsOf: (keyId) => {
      const payments = agents.payments.list(keyId)
      return payments.ok ? payments.value : []
    },
  })
  return {
    handlers: { ...agents.handlers, ...doctor.handlers, ...radar.handlers, ...leaks.handlers },
    attention: radar.attention,
    start: async () => {
      await agents.start()
      radar.start()
    },
    stop: () => {
      agents.stop()
      radar.stop()
      leaks.stop()
    },
    settled: async () => {
      await agents.settled()
      await leaks.settled()
    },
  }
}
