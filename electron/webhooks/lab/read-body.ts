import type { IncomingMessage } from 'node:http'

/** too_large: more than the cap. no_room: what all requests hold together is too much. cut_off: the sender left before its end. */
export type ReadBody = { readonly body: Uint8Array } | 'too_large' | 'no_room' | 'cut_off'

/** What the bodies that are being read may hold together. */
export interface Room {
  /** False where so many bytes more are not free. */
  take(bytes: number): boolean
  give(bytes: number): void
}

export function createRoom(most: number): Room {
  let held = 0
  return {
    take(bytes) {
      if (held + bytes > most) return false
      held += bytes
      return true
    },
    give(bytes) {
      held -= bytes
    },
  }
}

const firstBytes = 4_096

/**
 * The raw bytes of a request. They are copied into one buffer that grows: a body that comes byte by byte holds no more than one that comes
 * at once. What is said to come is not made room for before it comes. The rest of a body that is refused is read and thrown away.
 */
export async function readBody(request: IncomingMessage, cap: number, room: Room): Promise<ReadBody> {
  const [announced] = request.headersDistinct['content-length'] ?? []
  if (Number(announced) > cap) {
    request.resume()
    return 'too_large'
  }
  let buffer = Buffer.alloc(0)
  let length = 0
  const add = (chunk: Buffer): ReadBody | null => {
    const needed = length + chunk.length
    if (needed > cap) return 'too_large'
    if (needed > buffer.length) {
      const size = Math.min(cap, Math.max(firstBytes, needed, buffer.length * 2))
      if (!room.take(size - buffer.length)) return 'no_room'
      const larger = Buffer.allocUnsafeSlow(size)
      buffer.copy(larger, 0, 0, length)
      buffer = larger
    }
    chunk.copy(buffer, length)
    length = needed
    return null
  }
  const { promise, resolve } = Promise.withResolvers<ReadBody>()
  const take = (chunk: Buffer) => {
    const refused = add(chunk)
    if (refused === null) return
    request.off('data', take)
    request.resume()
    resolve(refused)
  }
  request.on('data', take)
  const end = () => resolve({ body: Uint8Array.from(buffer.subarray(0, length)) })
  const close = () => resolve('cut_off')
  request.once('end', end).once('close', close)
  const read = await promise
  // The request may stay open for as long as its sender likes, and holds what its listeners hold: the buffer.
  request.off('end', end).off('close', close)
  room.give(buffer.length)
  return read
}
