import { randomBytes } from 'node:crypto'
import { linkSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { expectMode } from '../../../e2e/support/main/expect-mode.ts'
import { readAddress, writeAddress } from './address-file.ts'
import { createLine, reachApp } from './line.ts'
import { createLineServer, type LineServer } from './line-server.ts'
import { type Answered, type Asked, largestMessage, lineVersion, proofOf } from './messages.ts'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const one of cleanUp.splice(0).reverse()) await one()
})

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-line-'))
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function listen(userData = newFolder(), answer: (asked: Asked) => Promise<Answered> = async () => ({ type: 'refused', exitCode: 77, sentence: 'no' })) {
  const asked: Asked[] = []
  const server: LineServer = createLineServer({
    userData,
    platform: process.platform,
    answer: (one) => {
      asked.push(one)
      return answer(one)
    },
  })
  cleanUp.push(server.close)
  expect(await server.open()).toBeNull()
  const address = readAddress(userData)
  if (address === null) throw new Error('no address')
  return { userData, server, asked, address }
}

async function say(path: string, talk: (socket: Socket, hello: { nonce: string }) => void): Promise<string> {
  const socket = connect(path)
  let heard = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    const first = heard === ''
    heard += chunk.toString()
    if (first) talk(socket, JSON.parse(heard.split('\n')[0] ?? ''))
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return heard
}

const nonce = randomBytes(32).toString('hex')
const text = (message: unknown) => `${JSON.stringify(message)}\n`

// Windows has no sockets with permissions: the app listens on a named pipe there.
test.skipIf(process.platform === 'win32')(
  'only the user who runs the app can access the folder, socket and address file through which svc-desk reaches the app',
  async () => {
    const { userData, address } = await listen()
    expectMode(dirname(address.path), 0o700)
    expectMode(address.path, 0o600)
    expectMode(join(userData, 'terminal/line.json'), 0o600)
  },
)

test.runIf(process.platform === 'linux')(
  'the app answers svc-desk commands even if it cannot write the file by which it identifies the calling process',
  async () => {
    const { address, asked } = await listen()
    const elsewhere = join(newFolder(), 'line')
    linkSync(address.path, elsewhere)
    rmSync(dirname(address.path), { recursive: true })
    const ask = () =>
      say(elsewhere, (socket, hello) => {
        socket.write(text({ type: 'proof', version: lineVersion, proof: proofOf(address.token, 'command', hello.nonce), nonce }))
        socket.write(text({ type: 'list', profile: null }))
      })
    expect(await ask()).toContain('"mark":null')
    expect(await ask()).toContain('"type":"refused"')
    expect(asked).toHaveLength(2)
  },
)

// Named pipes have no folder.
test.skipIf(process.platform === 'win32')(
  'the app puts its socket for svc-desk into another private folder if the socket’s path would be too long',
  async () => {
    const { server, address } = await listen(join(newFolder(), 'a'.repeat(120)))
    expect(address.path.length).toBeLessThan(100)
    expectMode(dirname(address.path), 0o700)
    await server.close()
    expect(() => statSync(dirname(address.path))).toThrow()
  },
)

// A named pipe leaves nothing behind.
test.skipIf(process.platform === 'win32')(
  'the app listens for svc-desk again after a crash that left its socket behind, and leaves no socket behind when it ends normally',
  async () => {
    const userData = newFolder()
    const dead = await listen(userData)
    writeFileSync(join(userData, 'terminal/line.json.left'), '')
    const { server } = await listen(userData)
    expect((await reachApp(userData)).state).toBe('open')
    await server.close()
    expect(await reachApp(userData)).toEqual({ state: 'no_app' })
    expect(readAddress(userData)).toBeNull()
    writeAddress(userData, dead.address)
    expect(await reachApp(userData)).toEqual({ state: 'no_app' })
  },
)

test('the app answers a svc-desk command only if it proves that it read the app’s address file, and accepts each proof only once', async () => {
  const { userData, address, asked } = await listen()
  const list = text({ type: 'list', profile: null })
  const wrong = text({ type: 'proof', proof: proofOf('0'.repeat(64), 'command', nonce), nonce })
  expect(await say(address.path, (socket) => socket.write(wrong + list))).not.toContain('ready')
  expect(await say(address.path, (socket) => socket.write(list + list))).not.toContain('ready')
  // The test sends the app's own proof back to the app. The app must not accept this as the command's proof.
  expect(
    await say(address.path, (socket, hello) => socket.write(text({ type: 'proof', proof: proofOf(address.token, 'app', hello.nonce), nonce }) + list)),
  ).not.toContain('ready')
  expect(asked).toEqual([])
  const right = await say(address.path, (socket, hello) =>
    socket.write(text({ type: 'proof', proof: proofOf(address.token, 'command', hello.nonce), nonce }) + list),
  )
  expect(right).toContain('"refused"')
  expect(asked).toEqual([{ type: 'list', profile: null }])
  expect((await reachApp(userData)).state).toBe('open')
})

test.each([
  ['no JSON', '{nope\n'],
  ['no object', '7\n'],
  ['null', 'null\n'],
  ['no message that is known', text({ type: 'dump' })],
  ['fields of the wrong kind', text({ type: 'run', profile: 7, key: null, words: 'rm', program: [], folder: {} })],
  ['names of the prototype', '{"__proto__":{"type":"list"},"constructor":1}\n'],
  ['no words', text({ type: 'run', profile: null, key: 'k', words: [], program: '/x', folder: '/' })],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0, 0x0a])],
  ['far too much on one line', Buffer.alloc(400_000, 'x')],
  ['half a message', '{"type":'],
])('the main process ends a terminal connection that sends %s, and keeps listening for others', async (_what, said) => {
  const { userData, address, asked } = await listen()
  for (const proven of [false, true])
    await say(address.path, (socket, hello) => {
      if (proven) socket.write(text({ type: 'proof', proof: proofOf(address.token, 'command', hello.nonce), nonce }))
      socket.end(said)
    })
  expect(asked).toEqual([])
  const app = await reachApp(userData)
  expect(app.state).toBe('open')
  if (app.state === 'open') expect(await app.ask({ type: 'list', profile: null }, () => undefined)).toMatchObject({ type: 'refused' })
})

test('the app accepts a new svc-desk command quickly despite many open connections that send nothing', async () => {
  const { userData, address } = await listen()
  const idle = Array.from({ length: 20 }, () => connect(address.path).on('error', () => undefined))
  cleanUp.push(() => idle.map((socket) => socket.destroy()))
  await expect.poll(async () => (await reachApp(userData)).state, { timeout: 10_000 }).toBe('open')
})

test('svc-desk reveals nothing to another program that listens in the app’s place [34]', async () => {
  const userData = newFolder()
  const { address, server } = await listen(userData)
  await server.close()
  const heard: string[] = []
  const other = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      heard.push(chunk.toString())
      socket.write(text({ type: 'ready', proof: '0'.repeat(64), mark: null }))
    })
    socket.write(text({ type: 'hello', version: lineVersion, nonce }))
  })
  await new Promise<void>((resolve) => other.listen(address.path, resolve))
  cleanUp.push(() => new Promise((resolve) => other.close(resolve)))
  writeAddress(userData, address)
  expect(await reachApp(userData)).toEqual({ state: 'not_ours' })
  expect(heard.join('')).not.toContain('list')
  expect(readFileSync(join(userData, 'terminal/line.json'), 'utf8')).toContain(address.token)
})

test.each([
  ['whole', '"}\n'],
  ['never ended', ''],
])('the terminal connection refuses a message that is too long, and closes: %s [94]', async (_what, end) => {
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\svc-desk-${randomBytes(8).toString('hex')}` : join(newFolder(), 'line')
  const { promise: taken, resolve: take } = Promise.withResolvers<unknown>()
  const server = createServer((socket) => void createLine(socket).next().then(take))
  cleanUp.push(() => new Promise((resolve) => server.close(resolve)))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const socket = connect(path).on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(`{"text":"${'x'.repeat(largestMessage)}${end}`)
  await closed
  expect(await taken).toBeNull()
})
