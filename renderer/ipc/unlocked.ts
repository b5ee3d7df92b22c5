import type { QueryClient } from '@tanstack/react-query'
import type { Bridge } from '../../shared/ipc/contract.ts'
import type { LockState } from '../../shared/ipc/host/lock.ts'

const lockKey = ['lock.state', {}] as const

/** Waits until the app is unlocked. `lock.state` is on screen for as long as the window lives, and main says when it is old. */
export async function unlocked(bridge: Bridge, client: QueryClient): Promise<void> {
  // What the page knows may be older than the refusal.
  const now = await bridge.call('lock.state', {})
  if (now.result.ok && now.result.value.state !== 'locked') return
  await client.invalidateQueries({ queryKey: lockKey })
  const isOpen = () => {
    const state = client.getQueryData<LockState>(lockKey)
    return state !== undefined && state.state !== 'locked'
  }
  await new Promise<void>((resolve) => {
    const stop = client.getQueryCache().subscribe(look)
    function look() {
      if (!isOpen()) return
      stop()
      resolve()
    }
    look()
  })
}
