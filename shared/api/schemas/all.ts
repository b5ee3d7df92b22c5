import type { Fields } from '../reader/field.ts'
import type { ResourceSpec } from '../reader/resource.ts'
import { account, order, position } from './account.ts'
import { collateralBalance } from './collateral.ts'
import { payment } from './execution-payment.ts'
import { delegated, execution, intent } from './intents.ts'
import { auditEntry, key, keyAnswers, keyPreparation } from './keys.ts'
import { funding, liquidation, openInterest, vault } from './market-state.ts'
import { candle, historySource, market, summary } from './markets.ts'
import { orderBook } from './order-book.ts'
import { tokenMarket } from './own-token.ts'
import { closedPosition, trade } from './position-history.ts'
import { preparationCosts } from './preparation-costs.ts'
import { preview } from './risk-preview.ts'
import { breaker } from './safety.ts'
import { meta, serviceStatus } from './service.ts'
import { webhook } from './webhooks.ts'

/** The resources of answers that the document does not show, in the order of the README's table. */
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
