import type { Records } from '../../store/records/registry.ts'

/** What is shown of pinned routers: the open profile knows its own, the others are as they were last seen. */
export function createPinMemory(
  { shownRouters }: Records,
  open: () => { readonly profileId: string; readonly pinnedRouter: () => string | null } | null,
): (profileId: string) => string | null {
  return (profileId) => {
    const desk = open()
    if (desk?.profileId !== profileId) return shownRouters.read({ profile: profileId })
    const router = desk.pinnedRouter()
    if (router === null) shownRouters.delete({ profile: profileId })
    else shownRouters.write({ profile: profileId }, router)
    return router
  }
}
