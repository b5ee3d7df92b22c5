import type { Clock } from '../../../shared/time.ts'

/** One encrypted message. The relay cannot read it. */
export interface Letter {
  readonly topic: string
  readonly message: string
  readonly tag: number
  readonly attestation: string | undefined
  /** Unix milliseconds; grows within a topic, so that it orders. */
  readonly publishedAt: number
  readonly expiresAtMs: number
  /** Client id of the sender. */
  readonly from: string
  /** Client ids that have confirmed it. */
  readonly confirmedBy: Set<string>
}

export interface NewLetter {
  readonly topic: string
  readonly message: string
  readonly ttlSeconds: number
  readonly tag: number
  readonly attestation: string | undefined
  readonly from: string
}

export interface Mailbox {
  put(letter: NewLetter): void
  /** What nobody's lifetime has ended of and `client` has neither sent nor confirmed, oldest first. */
  waiting(topic: string, client: string): Letter[]
  topics(): string[]
  /** Forgets expired letters. */
  sweep(): void
}

/** Keeps letters until their lifetime ends, so that a client that was away gets them on its return. */
export function createMailbox(clock: Clock): Mailbox {
  const byTopic = new Map<string, Letter[]>()
  const alive = (letter: Letter) => letter.expiresAtMs > clock.now()
  return {
    put: ({ topic, message, ttlSeconds, tag, attestation, from }) => {
      const letters = byTopic.get(topic) ?? []
      // Clients publish the same ciphertext again after a broken connection.
      if (letters.some((letter) => letter.message === message)) return
      const publishedAt = Math.max(clock.now(), (letters.at(-1)?.publishedAt ?? 0) + 1)
      const letter = { topic, message, tag, attestation, publishedAt, expiresAtMs: clock.now() + ttlSeconds * 1_000, from, confirmedBy: new Set<string>() }
      byTopic.set(topic, [...letters, letter])
    },
    waiting: (topic, client) => (byTopic.get(topic) ?? []).filter((letter) => alive(letter) && letter.from !== client && !letter.confirmedBy.has(client)),
    topics: () => [...byTopic.keys()],
    sweep: () => {
      for (const [topic, letters] of byTopic) {
        const kept = letters.filter(alive)
        if (kept.length > 0) byTopic.set(topic, kept)
        else byTopic.delete(topic)
      }
    },
  }
}
