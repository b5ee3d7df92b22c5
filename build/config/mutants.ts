import type { Mutant } from '../scripts/mutants.ts'
import { accountMutants } from './mutants/account-and-markets.ts'
import { apiMutants } from './mutants/api.ts'
import { leakMutants } from './mutants/leaks.ts'
import { lockMutants } from './mutants/lock.ts'
import { mainMutants } from './mutants/main-process.ts'
import { orderMutants } from './mutants/orders-and-journal.ts'
import { pageMutants } from './mutants/page.ts'
import { parsingMutants } from './mutants/parsing.ts'
import { practiceMutants } from './mutants/practice.ts'
import { readerMutants } from './mutants/reader.ts'
import { rendererMutants } from './mutants/renderer.ts'
import { screenMutants } from './mutants/screens.ts'
import { signingMutants } from './mutants/signing.ts'
import { supplyMutants } from './mutants/supply.ts'
import { sharedMutants } from './mutants/ticket-and-shared.ts'
import { webhookMutants } from './mutants/webhooks.ts'

/**
 * Each mutant is a bug to plant in the product. It disables the main check of one rule and names the tests that must fail. The mutants are grouped by
 * the part of the code that they break. `npm run prove -- mutants` tries all of them.
 */
export const mutants: readonly Mutant[] = [
  ...accountMutants,
  ...apiMutants,
  ...leakMutants,
  ...lockMutants,
  ...mainMutants,
  ...orderMutants,
  ...pageMutants,
  ...parsingMutants,
  ...practiceMutants,
  ...readerMutants,
  ...rendererMutants,
  ...screenMutants,
  ...signingMutants,
  ...supplyMutants,
  ...sharedMutants,
  ...webhookMutants,
]
