import { accountViews } from './account.ts'
import { developerViews } from './developer.ts'
import { marketViews } from './market.ts'
import type { View } from './view.ts'

/** Every query of the contract that shows what the service answers, and which field shows which. */
// A view of one query is read by its own input; together they are asked by name.
export const views = [...marketViews, ...accountViews, ...developerViews] as unknown as readonly View[]
