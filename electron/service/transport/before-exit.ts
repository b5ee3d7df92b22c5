import type { ApiClient } from './api-client.ts'

/** A read that only helps an exit is not waited for longer than this, in ms. */
const patienceMs = 800

/** The same client for what is read before an exit that goes without it too: at once, and not for long. */
export const beforeExit = <A extends Pick<ApiClient, 'call'>>(api: A): A => ({
  ...api,
  call: ((endpoint, request) => api.call(endpoint, { urgency: 'exit', deadlineMs: patienceMs, ...request })) satisfies ApiClient['call'],
})

/** The same of any other read: `instead` where it takes longer. */
export async function inAMoment<T, I>(read: Promise<T>, instead: I): Promise<T | I> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<I>((resolve) => {
    timer = setTimeout(() => resolve(instead), patienceMs)
  })
  try {
    return await Promise.race([read, over])
  } finally {
    clearTimeout(timer)
  }
}
