import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../shared/time.ts'
import { createDeadline } from '../../kernel/deadline.ts'
import { effectsAt, readTarget } from '../receiver-test/target.ts'
import { createPost } from './post.ts'

let server: Server
let asked = 0
let port = 0
beforeEach(async () => {
  asked = 0
  server = createServer((_request, answer) => {
    asked += 1
    answer.end('{"events":["evt_1"]}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(() => server.close())

const sample = { headers: {}, body: Buffer.from('{}') }
const posting = (lookUp: (host: string) => Promise<string[]>) => createPost({ clock: systemClock, startDeadline: createDeadline, lookUp })

test('the app refuses to connect to a host whose address was public in the check but is private when the connection opens [V15]', async () => {
  const answers = [['93.184.215.14'], ['127.0.0.1'], ['93.184.215.14', '10.0.0.1'], []]
  const lookUp = async () => answers.shift() ?? ['127.0.0.1']
  expect(await readTarget('https://rebind.example/in', lookUp)).toMatchObject({ ok: true })
  const post = posting(lookUp)
  for (let n = 0; n < 3; n += 1) expect(await post(`http://rebind.example:${port}/in`, sample)).toMatchObject({ outcome: 'unreachable', code: 'ENOTPUBLIC' })
  expect(await effectsAt(`http://rebind.example:${port}/effects`, lookUp)(new AbortController().signal)).toMatchObject({ ok: false })
  expect(asked).toBe(0)
})

test('the app looks up a host’s address once per connection, and connects to exactly the address that it checked [V15]', async () => {
  let lookUps = 0
  const post = posting(async () => {
    lookUps += 1
    return ['192.0.2.1']
  })
  await post('http://named.example/', sample)
  expect(lookUps).toBe(1)
})

test('the app connects to this computer by its names and addresses without a DNS lookup', async () => {
  const never = () => Promise.reject(new Error('asked'))
  for (const host of ['localhost', '127.0.0.1', 'bot.localhost'])
    expect(await posting(never)(`http://${host}:${port}/in`, sample), host).toMatchObject({ status: 200 })
  expect(await effectsAt(`http://localhost:${port}/effects`, never)(new AbortController().signal)).toEqual({ ok: true, value: ['evt_1'] })
})
