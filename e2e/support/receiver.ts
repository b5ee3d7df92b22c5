import { sleep } from '../../electron/kernel/deadline.ts'
import { systemClock } from '../../shared/time.ts'
import { createReceiver, type Faults } from './webhooks/receivers.ts'
import { type ServedReceiver, serve } from './webhooks/serve.ts'

/** A receiver’s response with markup and control characters. The app must display a receiver’s responses as plain text. */
const hostile = `<img src=x onerror=alert(1)> \u202egnihtoN\u202c \u0000\u001b[31m ${'long'.repeat(60)}`

export interface OwnReceiver extends ServedReceiver {
  /** Sets the secret with which the receiver verifies signatures, and the receiver’s faults. Also clears its memory of events. */
  become(secret: string, faults?: Faults): void
}

/** A webhook receiver that the user runs on a port of this computer. */
export async function startReceiver(): Promise<OwnReceiver> {
  const time = { clock: systemClock, sleep }
  let current = createReceiver(time)
  const served = await serve({
    async take(incoming) {
      const outgoing = await current.take(incoming)
      return outgoing !== null && outgoing.status >= 400 ? { ...outgoing, says: hostile } : outgoing
    },
    get acted() {
      return current.acted
    },
  })
  return {
    ...served,
    become: (secret, faults) => {
      current = createReceiver(time, faults, secret)
    },
  }
}
