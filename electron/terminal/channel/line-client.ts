import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { readAddress } from './address-file.ts'
import { createLine, type Line } from './line.ts'
import { Answered, type Asked, Hello, lineVersion, proofOf, Ready, sameProof } from './messages.ts'

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
