import type { Attention } from '../../shared/ipc/host/app.ts'
import { createIntents, type Intents } from '../intents/intents.ts'
import { createPresets, type Presets } from '../intents/presets/presets.ts'
import { createGuards, type Guards, heldByDrift } from '../intents/risk-limits/guards.ts'
import { createKillSwitch, type KillSwitch } from '../kill-switch/kill-switch.ts'
import type { RevokeAll } from '../kill-switch/revoke-all.ts'
import { createRiskPreview } from '../reads/account/risk-alerts.ts'
import type { Markets } from '../reads/markets/markets.ts'
import type { Discovery } from '../service/capabilities/discovery.ts'
import type { FieldMapBook } from '../service/field-names/field-map.ts'
import type { ProfileParts } from './profile-parts.ts'
import { createRunCheck, type RunCheck } from './service-check/run-check.ts'
import { createServiceCheck, type ServiceCheck } from './service-check/service-check.ts'

export interface TradingServicesDeps extends ProfileParts {
  readonly markets: Markets
  readonly revokeAll: RevokeAll
  readonly discovery: Pick<Discovery, 'held'>
}

export interface TradingServices {
  /** What of the wallet's kill switch waits for the user. */
  attention(wallet: string): Attention[]
  /** Gives what the last run left half done its true state, then follows what is open. */
  start(): Promise<void>
  stop(): void
  readonly payments: Intents['payments']
  /** For the terminal. */
  readonly runCheck: RunCheck
  /** Looks where the transactions of an intent stand now, however long ago it ended. */
  lookAgain(ref: string): Promise<void>
  /** Resolves when nothing is being done to any intent. */
  settled(): Promise<void>
  readonly handlers: FieldMapBook['handlers'] &
    ServiceCheck['handlers'] &
    Presets['handlers'] &
    Guards['handlers'] &
    ReturnType<typeof createRiskPreview>['handlers'] &
    Intents['handlers'] &
    KillSwitch['handlers']
}

/** Everything that leads to an order, by the wallet or by the executor of a key, and what holds one back. */
export function createTradingServices({ discovery, ...parts }: TradingServicesDeps): TradingServices {
  const { broadcasts } = parts
  const presets = createPresets(parts)
  const rails = createGuards(parts)
  const guards = heldByDrift(rails, discovery)
  const serviceCheck = createServiceCheck(parts)
  parts.onAnswer(serviceCheck.answered)
  const riskPreview = createRiskPreview(parts)
  const intents = createIntents({ ...parts, guards })
  const killSwitch = createKillSwitch({ ...parts, intents: intents.handlers })
  return {
    attention: killSwitch.attention,
    payments: intents.payments,
    runCheck: createRunCheck({ check: serviceCheck, wallet: parts.wallet }),
    start: async () => {
      await intents.start()
      killSwitch.start()
    },
    stop: () => {
      serviceCheck.stop()
      killSwitch.stop()
      intents.stop()
    },
    lookAgain: intents.lookAgain,
    settled: async () => {
      await serviceCheck.settled()
      await killSwitch.settled()
      await broadcasts.idle()
      await intents.settled()
    },
    handlers: {
      ...parts.fieldMap.handlers,
      ...serviceCheck.handlers,
      ...presets.handlers,
      ...guards.handlers,
      ...riskPreview.handlers,
      ...intents.handlers,
      ...killSwitch.handlers,
    },
  }
}
