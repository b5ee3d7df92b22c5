import { accountViews } from './account.ts'
import { developerViews } from './developer.ts'
import { marketViews } from './market.ts'
import type { View } from './view.ts'

/** Every query of the contract that shows data from the service, with the source of each field. */
// Each view’s input is typed by its own query; together, the views are called by name.
export const views = [...marketViews, ...accountViews, ...developerViews] as unknown as readonly View[]
