import type { Attention } from '../../shared/ipc/host/app.ts'
import { createIntents, type Intents } from '../intents/intents.ts'
import { createPresets, type Presets } from '../intents/presets/presets.ts'
import { createRiskLimits, heldByServiceChange, type RiskLimitsService } from '../intents/risk-limits/risk-limits.ts'
import { createKillSwitch, type KillSwitch } from '../kill-switch/kill-switch.ts'
import type { RevokeAll } from '../kill-switch/revoke-all.ts'
import type { AccountPages } from '../reads/account/account-pages.ts'
import { createRiskPreview } from '../reads/account/risk-alerts.ts'
import type { Markets } from '../reads/markets/markets.ts'
import type { Discovery } from '../service/capabilities/discovery.ts'
import type { FieldMapService } from '../service/field-names/field-map.ts'
import type { ProfileParts } from './profile-parts.ts'
import { createRunCheck, type RunCheck } from './service-check/report.ts'
import { createServiceCheck, type ServiceCheck } from './service-check/service-check.ts'

export interface TradingServicesDeps extends ProfileParts {
  readonly markets: Markets
  readonly revokeAll: RevokeAll
  readonly fillOf: AccountPages['fillOf']
  readonly discovery: Pick<Discovery, 'held'>
}

export interface TradingServices {
  /** Items for the attention list about the wallet's kill switch. */
  attention(wallet: string): Attention[]
  /** Corrects the state of operations that the last run did not finish, then follows those that are still open. */
  start(): Promise<void>
  stop(): void
  readonly payments: Intents['payments']
  readonly riskLimits: RiskLimitsService
  /** Runs the service check for `svc-desk` in a terminal. */
  readonly runCheck: RunCheck
  /** Looks up an intent's transactions, however long ago it ended. */
  lookAgain(ref: string): Promise<void>
  /** Resolves when no operation on an intent is running. */
  settled(): Promise<void>
  readonly handlers: FieldMapService['handlers'] &
    ServiceCheck['handlers'] &
    Presets['handlers'] &
    RiskLimitsService['handlers'] &
    ReturnType<typeof createRiskPreview>['handlers'] &
    Intents['handlers'] &
    KillSwitch['handlers']
}

/** Everything that places orders, through the wallet or a key's executor, and everything that can block an order. */
export function createTradingServices({ discovery, ...parts }: TradingServicesDeps): TradingServices {
  const { broadcasts } = parts
  const presets = createPresets(parts)
  const rails = createRiskLimits(parts)
  const riskLimits = heldByServiceChange(rails, discovery)
  const serviceCheck = createServiceCheck(parts)
  parts.onAnswer(serviceCheck.answered)
  const riskPreview = createRiskPreview(parts)
  const intents = createIntents({ ...parts, riskLimits })
  const killSwitch = createKillSwitch({ ...parts, intents: intents.handlers })
  return {
    attention: killSwitch.attention,
    payments: intents.payments,
    riskLimits,
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
      ...riskLimits.handlers,
      ...riskPreview.handlers,
      ...intents.handlers,
      ...killSwitch.handlers,
    },
  }
}
