import { randomBytes } from 'node:crypto'
import { chmodSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { second } from '../../../shared/time.ts'
import { type Address, type Caller, makeAddress, removeAddress, whoHolds, writeAddress } from './address-file.ts'
import { createLine, type Line } from './line.ts'
import { type Answered, Asked, lineVersion, Proof, proofOf, sameProof } from './messages.ts'

export interface LineServerDeps {
  readonly userData: string
  readonly platform: NodeJS.Platform
  /** Answers one request. `say` sends a message before the answer. `gone` is aborted if the command ends before the app has answered. */
  readonly answer: (asked: Asked, say: (answer: Answered) => void, gone: AbortSignal, caller: Caller | null) => Promise<Answered>
}

export interface LineServer {
  /** Starts to listen. Resolves with null on success, or with an error sentence for the user. */
  open(): Promise<string | null>
  close(): Promise<void>
}

/** How long a command may take to identify itself before it is disconnected. */
const patienceMs = 3 * second
const mostConnections = 16

/**
 * Listens for `svc-desk`. Two protections keep other users out. One is the permissions of the socket's folder. With the other, app and command
 * prove to each other that they can read the user's folder. Windows needs this proof, because a pipe is in no folder.
 * Where possible, the operating system reports which process is asking.
 */
export function createLineServer({ userData, platform, answer }: LineServerDeps): LineServer {
  const connections = new Set<Line>()
  let server: Server | null = null
  let address: Address | null = null

  const introduce = async (line: Line, token: string, mark: CallerMark): Promise<boolean> => {
    const nonce = randomBytes(32).toString('hex')
    line.send({ type: 'hello', version: lineVersion, nonce })
    const proof = Proof.safeParse(await line.next())
    if (!proof.success || !sameProof(proof.data.proof, proofOf(token, 'command', nonce))) return false
    line.send({ type: 'ready', proof: proofOf(token, 'app', proof.data.nonce), mark: mark.path })
    return true
  }

  const serve = async (line: Line, token: string, mark: CallerMark): Promise<void> => {
    const timer = setTimeout(() => line.close(), patienceMs)
    const known = await introduce(line, token, mark)
    const asked = known ? Asked.safeParse(await line.next()) : null
    clearTimeout(timer)
    if (asked?.success !== true) return
    const gone = new AbortController()
    void line.ended.then(() => gone.abort())
    line.send(await answer(asked.data, (said) => line.send(said), gone.signal, await mark.caller()))
  }

  const take = (socket: Socket, own: Address) => {
    const line = createLine(socket)
    if (connections.size >= mostConnections) return line.close()
    connections.add(line)
    const mark = makeCallerMark(own, platform)
    void line.ended.then(() => {
      connections.delete(line)
      mark.remove()
    })
    void serve(line, own.token, mark)
      // If answering fails, the connection closes without an answer, and the command reports the missing answer to the user.
      .catch(() => undefined)
      .finally(() => line.close())
  }

  return {
    async open() {
      try {
        const own = makeAddress(userData, platform)
        const listening = createServer((socket) => take(socket, own))
        await new Promise<void>((resolve, reject) => {
          listening.once('error', reject)
          listening.listen(own.path, resolve)
        })
        // The server is listening. A later error is about a single connection, so ignore it.
        listening.on('error', () => undefined)
        server = listening
        address = own
        if (platform !== 'win32') chmodSync(own.path, 0o600)
        writeAddress(userData, own)
        return null
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },
    async close() {
      if (address !== null) removeAddress(userData, address)
      for (const line of connections) line.close()
      const listening = server
      server = null
      address = null
      if (listening !== null) await new Promise<void>((resolve) => listening.close(() => resolve()))
    },
  }
}

/** A file that the command keeps open, so that the operating system can report which process is on the connection. */
interface CallerMark {
  /** The marker's path; null if the operating system cannot report who has a file open, or if the file could not be created. */
  readonly path: string | null
  caller(): Promise<Caller | null>
  remove(): void
}

/** Creates the marker beside the socket, in the private folder, under an unguessable name. */
function makeCallerMark({ path: socket }: Pick<Address, 'path'>, platform: NodeJS.Platform): CallerMark {
  if (platform !== 'linux') return noMark
  try {
    const path = join(realpathSync(dirname(socket)), `caller-${randomBytes(16).toString('hex')}`)
    writeFileSync(path, '', { mode: 0o600, flag: 'wx' })
    return { path, caller: () => whoHolds(path), remove: () => removeIfPossible(path) }
  } catch {
    // The file could not be created, so the app asks the user about the command each time.
    return noMark
  }
}

const noMark: CallerMark = { path: null, caller: async () => null, remove: () => undefined }

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // If the removal fails, only an empty file is left behind.
  }
}
