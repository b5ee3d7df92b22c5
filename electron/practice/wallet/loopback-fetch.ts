/**
 * Lets this process's `fetch` reach loopback only, and fails the rest at once: the wallet's library asks its vendor's servers
 * about every peer, which must neither leave practice mode nor hang on a closed network.
 * @returns the way back.
 */
export function confineFetchToLoopback(): () => void {
  const open = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    if (hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]') return open(input, init)
    throw new TypeError(`Practice mode asks no server outside this computer, so not ${hostname}`)
  }
  return () => {
    globalThis.fetch = open
  }
}
