import { accountViews } from './account.ts'
import { developerViews } from './developer.ts'
import { marketViews } from './market.ts'
import type { View } from './view.ts'

/** All queries that show data of the service, with the source of each field. */
// A cast is needed: each view has its own input type, but the proof calls all views by name.
export const views = [...marketViews, ...accountViews, ...developerViews] as unknown as readonly View[]
