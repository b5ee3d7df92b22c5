import type { Fields } from '../reader/field.ts'
import type { ResourceSpec } from '../reader/resource.ts'
import { account, order, position } from './account-resources.ts'
import { collateralBalance } from './collateral.ts'
import { delegated, execution, intent } from './intents.ts'
import { auditEntry, key, keyAnswers, keyPreparation } from './keys/key-resources.ts'
import { breaker } from './keys/safety.ts'
import { webhook } from './keys/webhook-resources.ts'
import { candle, historySource, market, summary } from './markets/market-resources.ts'
import { funding, liquidation, openInterest, vault } from './markets/market-state-resources.ts'
import { orderBook } from './markets/order-book.ts'
import { tokenMarket } from './markets/own-token.ts'
import { preview } from './markets/risk-preview.ts'
import { meta, serviceStatus } from './markets/service-resources.ts'
import { closedPosition, trade } from './position-history.ts'
import { payment, preparationCosts } from './prepared-action-resources.ts'

/** Resources in answers that the API document does not show. The table in build/docs/assumptions.md uses the same order. */
export const assumedResources: readonly Pick<ResourceSpec<Fields, never>, 'name' | 'sentence' | 'source' | 'fields'>[] = [
  key,
  keyAnswers,
  keyPreparation,
  auditEntry,
  payment,
  webhook,
  market,
  summary,
  funding,
  openInterest,
  vault,
  liquidation,
  breaker,
  tokenMarket,
  candle,
  historySource,
  orderBook,
  serviceStatus,
  meta,
  account,
  position,
  order,
  collateralBalance,
  closedPosition,
  trade,
  intent,
  execution,
  preparationCosts,
  preview,
  delegated,
]
