import type { ChainClient } from './chain-client.ts'

export interface BlockWatch {
  onBlock(listener: (head: bigint) => void): () => void
  stop(): void
}

const pollEveryMs = 200

/** Polls for the newest block while somebody listens. Told apart by hash: a reorganisation may leave the number as it was. */
export function watchBlocks(client: ChainClient): BlockWatch {
  const listeners = new Set<(head: bigint) => void>()
  let lastHash: string | null = null
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  const poll = async () => {
    try {
      const { number, hash } = await client.getBlock({ blockTag: 'latest' })
      if (hash !== lastHash && !stopped) {
        lastHash = hash
        for (const listener of [...listeners]) listener(number)
      }
    } catch {
      // The chain is stopping or busy; the next round asks again.
    }
    timer = listeners.size > 0 && !stopped ? setTimeout(poll, pollEveryMs) : null
  }
  return {
    onBlock: (listener) => {
      listeners.add(listener)
      timer ??= setTimeout(poll, 0)
      return () => listeners.delete(listener)
    },
    stop: () => {
      stopped = true
      listeners.clear()
      if (timer !== null) clearTimeout(timer)
    },
  }
}
