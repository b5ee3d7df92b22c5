import type { Values } from '../../store/journal/journal.ts'

/** What is shown of pinned routers: the open profile knows its own, the others are as they were last seen. */
export function createPinMemory(
  values: Values,
  open: () => { readonly profileId: string; readonly pinnedRouter: () => string | null } | null,
): (profileId: string) => string | null {
  const name = (profileId: string) => `shown-router/${profileId}`
  return (profileId) => {
    const desk = open()
    if (desk?.profileId !== profileId) return values.get(name(profileId))
    const router = desk.pinnedRouter()
    if (router !== values.get(name(profileId))) values.set(name(profileId), router)
    return router
  }
}
