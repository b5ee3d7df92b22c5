import type { Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import { second } from '../../../shared/time.ts'
import { largestMessage } from './messages.ts'

const lingerMs = second

export interface Line {
  send(message: object): void
  /** The next message; null if the other process has disconnected or sent an invalid message. */
  next(): Promise<unknown>
  /** Settles when the connection has ended for any reason. */
  readonly ended: Promise<void>
  close(): void
}

/** Creates a connection on a socket that exchanges messages. If the input is malformed or too long, only closes the connection. */
export function createLine(socket: Socket): Line {
  const { promise: ended, resolve: setEnded } = Promise.withResolvers<void>()
  const decoder = new StringDecoder('utf8')
  const read: unknown[] = []
  const waiting: ((message: unknown) => void)[] = []
  let rest = ''
  let over = false

  const finish = () => {
    if (over) return
    over = true
    for (const settle of waiting.splice(0)) settle(null)
    setEnded()
    socket.destroy()
  }
  const take = (text: string) => {
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      return finish()
    }
    if (typeof message !== 'object' || message === null) return finish()
    const settle = waiting.shift()
    if (settle === undefined) read.push(message)
    else settle(message)
  }

  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > largestMessage || read.length > 4) return finish()
    for (const line of lines) {
      if (over) return
      if (line.length > largestMessage) return finish()
      take(line)
    }
  })
  socket.on('error', finish)
  socket.on('close', finish)
  socket.on('end', finish)

  return {
    send(message) {
      if (!over) socket.write(`${JSON.stringify(message)}\n`)
    },
    next: () => {
      const message = read.shift()
      if (message !== undefined) return Promise.resolve(message)
      return over ? Promise.resolve(null) : new Promise((resolve) => waiting.push(resolve))
    },
    ended,
    close() {
      // Before the socket closes, give earlier messages a moment to be sent and read.
      socket.end(() => socket.destroy())
      setTimeout(() => socket.destroy(), lingerMs).unref()
    },
  }
}
