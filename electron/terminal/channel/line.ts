import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import { second } from '../../../shared/time.ts'
import { readAddress } from './address-file.ts'
import { Answered, type Asked, Hello, largestMessage, lineVersion, proofOf, Ready, sameProof } from './messages.ts'

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

/**
 * The result of connecting to the app. no_app: no app is listening. not_ours: the listener belongs to another user or to another version of
 * the app.
 */
export type Reached = { readonly state: 'no_app' | 'not_ours' } | { readonly state: 'open'; readonly ask: Ask; close(): void }

/**
 * Sends a request and returns the app's answer; null if the app ended first. Before the answer, calls `told` with each interim message: that the app
 * is asking the user, or that a step of a check has ended.
 */
export type Ask = (asked: Asked, told: (what: Answered) => void) => Promise<Answered | null>

/** Connects to the app that uses this data folder, and verifies that the listener really is the app. */
export async function reachApp(userData: string): Promise<Reached> {
  const address = readAddress(userData)
  if (address === null) return { state: 'no_app' }
  const socket = await connected(address.path)
  if (socket === null) return { state: 'no_app' }
  const line = createLine(socket)
  if (!(await introduce(line, address.token))) {
    line.close()
    return { state: 'not_ours' }
  }
  return { state: 'open', ask: (asked, told) => ask(line, asked, told), close: line.close }
}

/** Connects to a socket; null if no app is listening. The app is closed, or it crashed and left its address behind. */
const connected = (path: string): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
  })

async function introduce(line: Line, token: string): Promise<boolean> {
  const hello = Hello.safeParse(await line.next())
  if (!hello.success) return false
  const nonce = randomBytes(32).toString('hex')
  line.send({ type: 'proof', version: lineVersion, proof: proofOf(token, 'command', hello.data.nonce), nonce })
  const ready = Ready.safeParse(await line.next())
  if (!ready.success || !sameProof(ready.data.proof, proofOf(token, 'app', nonce))) return false
  if (ready.data.mark !== null) holdOpen(ready.data.mark, line)
  return true
}

/** Keeps the marker file open as long as the connection lasts. By this file, the app finds out which process is connected. */
function holdOpen(mark: string, line: Line): void {
  try {
    const held = openSync(mark, 'r')
    void line.ended.then(() => closeSync(held))
  } catch {
    // If the file can't be opened, the app can't identify the command and asks the user every time.
  }
}

const before: readonly Answered['type'][] = ['waiting', 'step', 'accepted']

async function ask(line: Line, asked: Asked, told: (what: Answered) => void): Promise<Answered | null> {
  line.send(asked)
  for (;;) {
    const answered = Answered.safeParse(await line.next())
    if (!answered.success) return null
    if (!before.includes(answered.data.type)) return answered.data
    told(answered.data)
  }
}
