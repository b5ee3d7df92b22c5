import type { QueryClient } from '@tanstack/react-query'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { HandOver } from '../../../shared/ipc/host/lock.ts'
import { longestKept, mostKept } from '../../../shared/lock-limits.ts'
import { minute } from '../../../shared/time.ts'
import { pageWork } from '../../ipc/page-work.ts'

/**
 * A request that waits on the phone when the app locks keeps the page for so long at most: longer than an order lives. A signature that comes later
 * is lost with the page; for a grant or a sign-in the wallet is asked again then, and a transaction is found on the chain.
 */
const longestAtWorkMs = 6 * minute

/** What the window has beside the calls that wait. */
export interface LeavingWindow {
  readonly leaves: () => Omit<HandOver, 'calls'>
  readonly stays: () => void
}

/**
 * Hands over what may not be lost and lets main load the page again, as soon as nothing is under way in it. Gives the way to stay: the app was
 * unlocked first.
 */
export function leaveForLock(bridge: Bridge, client: QueryClient, { leaves, stays }: LeavingWindow): () => void {
  const page = pageWork(client)
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false
  let late = false

  const leave = async () => {
    if (over || (page.getState().open > 0 && !late)) return
    stay()
    const calls = page
      .getState()
      .held()
      .map(({ name, input }) => ({ name, input: JSON.stringify(input) }))
      .filter(({ input }) => input.length <= longestKept)
      .slice(0, mostKept)
    page.setState({ phase: 'left' })
    const answer = await bridge.call('lock.leave', { ...leaves(), calls }).catch(() => null)
    // Unlocked in the same moment, or main could not take it: the page stays, and main ends it in time.
    if (answer?.result.ok === true) return
    stays()
    page.setState({ phase: 'stays' })
  }
  /** What follows from an answer has begun by then. */
  const look = () => {
    clearTimeout(timer)
    timer = setTimeout(leave)
  }
  const stopListening = page.subscribe(look)
  const lateTimer = setTimeout(() => {
    late = true
    look()
  }, longestAtWorkMs)
  function stay() {
    over = true
    clearTimeout(timer)
    clearTimeout(lateTimer)
    stopListening()
  }
  look()
  return stay
}
