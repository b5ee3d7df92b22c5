import type { Attention } from '../../shared/ipc/host/app.ts'
import { createOrders, type Orders } from '../intents/engine/orders.ts'
import { createExecution, type ExecutionService } from '../intents/executor/execution.ts'
import { createPresets, type Presets } from '../intents/presets/presets.ts'
import { createGuards, type Guards } from '../intents/risk-limits/guards.ts'
import { heldByDrift } from '../intents/risk-limits/held-by-drift.ts'
import type { Panic } from '../kill-switch/revoke-all/panic.ts'
import { createSweeps, type Sweeps } from '../kill-switch/stop/sweeps.ts'
import { createRiskPreview } from '../reads/account/risk-preview.ts'
import type { Markets } from '../reads/markets/markets.ts'
import type { Discovery } from '../service/capabilities/discovery.ts'
import type { FieldMapBook } from '../service/field-names/field-map.ts'
import type { ProfileParts } from './profile-parts.ts'
import { createRunCheck, type RunCheck } from './service-check/run-check.ts'
import { createServiceCheck, type ServiceCheck } from './service-check/service-check.ts'

export interface TradingServicesDeps extends ProfileParts {
  readonly markets: Markets
  readonly panic: Panic
  readonly discovery: Pick<Discovery, 'held'>
}

export interface TradingServices {
  /** What of the wallet's sweeps waits for the user. */
  attention(wallet: string): Attention[]
  /** Gives what the last run left half done its true state, then follows what is open. */
  start(): Promise<void>
  stop(): void
  readonly payments: Orders['payments']
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
    Orders['handlers'] &
    ExecutionService['handlers'] &
    Sweeps['handlers']
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
  const orders = createOrders({ ...parts, guards })
  const execution = createExecution({ ...parts, guards })
  const sweeps = createSweeps({ ...parts, orders, execute: async (order) => execution.handlers['execution.execute'](order) })
  return {
    attention: sweeps.attention,
    payments: orders.payments,
    runCheck: createRunCheck({ check: serviceCheck, wallet: parts.wallet }),
    start: async () => {
      await orders.recover()
      orders.tracker.start()
      await execution.recover()
      execution.tracker.start()
      sweeps.start()
    },
    stop: () => {
      serviceCheck.stop()
      sweeps.stop()
      orders.tracker.stop()
      execution.tracker.stop()
    },
    lookAgain: async (ref) => {
      for (const { tracker } of [orders, execution]) await tracker.lookAgain(ref)
    },
    settled: async () => {
      await serviceCheck.settled()
      await sweeps.settled()
      await broadcasts.idle()
      await orders.settled()
      await execution.settled()
    },
    handlers: {
      ...parts.fieldMap.handlers,
      ...serviceCheck.handlers,
      ...presets.handlers,
      ...guards.handlers,
      ...riskPreview.handlers,
      ...orders.handlers,
      ...execution.handlers,
      ...sweeps.handlers,
    },
  }
}
