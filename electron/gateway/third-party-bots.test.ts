import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Hex, TypedDataDefinition } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bot, botOf, live, type Served, startServed } from '../../e2e/support/gateway/bot.ts'
import { type Passed, plain, startTap, type WireTap } from '../../e2e/support/gateway/wire-tap.ts'
import { bindExecutor } from '../../e2e/support/main/executing.ts'
import { value } from '../../e2e/support/main/workspace.ts'
import { delegatedActions, preparedActionNames } from '../../shared/api/actions.ts'
import type { Endpoint } from '../../shared/api/endpoint.ts'
import { endpointGroups } from '../../shared/api/endpoints/all-endpoints.ts'
import { versionedPath } from '../../shared/api/host-url.ts'
import { scopes } from '../../shared/api/scopes.ts'

/** An answer as a bot wrote it down. */
interface Got {
  readonly requestId: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** In base64. */
  readonly body: string
  /** The bot hung up before the answer ended. */
  readonly streams?: boolean
}

interface Ran {
  readonly code: number | null
  readonly complaint: string
  readonly got: readonly Got[]
  /** All that the bot wrote. */
  readonly said: string
}

type Way = 'through the gateway' | 'with a key'
const ways: readonly Way[] = ['through the gateway', 'with a key']

/** The interpreter that has a module: the one of the path, or Debian's, into which Debian's packages go. */
const pythonWith = (module: string): string | null =>
  ['python3', '/usr/bin/python3'].find((program) => spawnSync(program, ['-c', `import ${module}`], { stdio: 'ignore' }).status === 0) ?? null

const file = (name: string): string => new URL(`../../e2e/support/gateway/${name}`, import.meta.url).pathname
const programs = [
  { name: 'Python and requests', program: pythonWith('requests'), file: file('requests-bot.py'), needs: 'python3-requests' },
  { name: 'Python and httpx', program: pythonWith('httpx'), file: file('httpx-bot.py'), needs: 'python3-httpx' },
  { name: 'TypeScript and fetch', program: process.execPath, file: file('fetch-bot.ts'), needs: 'Node' },
] as const
type Program = (typeof programs)[number]

let served: Served
let tap: WireTap
let keyId: string
beforeAll(async () => {
  served = await startServed()
  // With more calls a second than the gateway lets through, the exchange has no reason to refuse one.
  const quotas = [{ name: 'requests_per_second', value: '100' }]
  const asked = { label: 'all', scopes: [...scopes], expiresInDays: 90, ipAllowlist: [], quotas }
  keyId = value(await served.handlers()['keys.createCustom'](asked)).id
  await bindExecutor(served, 'all')
  await served.gateway().set({ isOn: true, port: 0, callsPerSecond: 40 })
  served.faults.stream = {}
  await served.goThrough(async (hostUrl) => {
    // A block comes whenever a bot asks what became of its transaction, so no test waits for one.
    tap = await startTap(hostUrl, async (method, target) => {
      if (method !== 'GET' || !/\/executions\//.test(target)) return
      await served.chain.mine(9)
      await served.exchange.settle()
    })
    return tap
  })
})
afterAll(() => served.stop())

const key = () => [...served.secrets.entries].find(([name]) => name.includes(keyId))?.[1].reveal() ?? ''

async function newBot(): Promise<Bot> {
  const { botId } = value(await served.handlers()['gateway.addBot']({ label: 'other', keyId, scopes: [...scopes], expiresInDays: null, policy: live }))
  return botOf(botId, served.revealed.at(-1)?.reveal() ?? '', async () => (await served.status()).hostUrl ?? '')
}

/** Plays the wallet of a bot: signs what the bot shows, or sends it to the chain. */
async function approve(kind: string, what: Readonly<Record<string, unknown>>): Promise<string> {
  if (kind === 'sign') return served.account.signTypedData(what as TypedDataDefinition)
  return served.chain.broadcast({ from: served.account.address, to: what.to as Hex, data: what.data as Hex })
}

async function run(program: string, bot: string, env: NodeJS.ProcessEnv): Promise<Ran> {
  const child = spawn(program, [bot], { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    complaint += part
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const got: Got[] = []
  let said = ''
  for await (const line of createInterface({ input: child.stdout })) {
    said += line
    const told = JSON.parse(line) as { readonly kind: string; readonly what: Readonly<Record<string, unknown>> } & Got // safe cast: the bots write these lines
    if (told.kind === 'answer') got.push(told)
    else child.stdin.write(`${await approve(told.kind, told.what)}\n`)
  }
  return { code: await ended, complaint, got, said }
}

const running = new Map<Way, Promise<ReadonlyMap<Program, Ran>>>()
/** What all bots got one way. They run once each way, at the same time. */
function ran(way: Way): Promise<ReadonlyMap<Program, Ran>> {
  const all = async () => {
    const hostUrl = way === 'with a key' ? tap.hostUrl : ((await served.status()).hostUrl ?? '')
    const runs = programs.map(async (one): Promise<[Program, Ran]> => {
      const token = way === 'with a key' ? key() : (await newBot()).token
      const env = { SVC_BASE_URL: `${hostUrl}${versionedPath}`, SVC_API_KEY: token }
      return [one, one.program === null ? { code: null, complaint: '', got: [], said: '' } : await run(one.program, one.file, env)]
    })
    return new Map(await Promise.all(runs))
  }
  const known = running.get(way) ?? all()
  running.set(way, known)
  return known
}

const sentFor = ({ requestId }: Got): Passed | undefined => tap.passed.find(({ headers }) => headers['x-request-id'] === requestId)

for (const way of ways)
  for (const program of programs)
    test(`a bot with ${program.name} works ${way}, and gets each answer of the exchange byte for byte`, { timeout: 120_000 }, async ({ skip }) => {
      skip(program.program === null, `${program.needs} is not installed`)
      const { code, complaint, got, said } = (await ran(way)).get(program) ?? expect.fail('not run')
      expect([code, complaint]).toEqual([0, ''])
      expect(got.length).toBeGreaterThan(20)
      const logged = new Map(served.exchange.calls().map(({ requestId, status }) => [requestId, status]))
      for (const answer of got) {
        expect(logged.get(answer.requestId)).toBe(answer.status)
        const sent = sentFor(answer)
        const [bytes, sentBytes] = [Buffer.from(answer.body, 'base64'), Buffer.concat(sent?.parts ?? [])]
        const where = `${sent?.method} ${sent?.target}`
        expect([where, answer.status, plain(Object.entries(answer.headers))]).toEqual([where, sent?.status, sent?.answerHeaders])
        expect([where, bytes.length > 0, bytes.equals(answer.streams === true ? sentBytes.subarray(0, bytes.length) : sentBytes)]).toEqual([where, true, true])
      }
      if (way === 'with a key') return
      expect(said).not.toContain(key())
      expect(tap.passed.some(({ headers }) => Object.values(headers).some((header) => header.includes('SVCbot')))).toBe(false)
    })

const { developer: _, ...ofBots } = endpointGroups
const routes = Object.values(ofBots)
  .flatMap((group) => Object.values<Endpoint>(group))
  .map(({ route, root }) => (root === 'base' ? route.replace(' ', ` ${versionedPath}`) : route))

/** The documented route of a request. A route without parameters comes first: `/orders/by-client-id` is no id. */
function routeOf({ method, target }: Passed): string {
  const path = target.split('?')[0] ?? ''
  const fits = (route: string) => {
    const [verb, ...parts] = route.split(/[ /]+/)
    const given = path.split('/').slice(1)
    return verb === method && parts.length === given.length && parts.every((part, at) => part.startsWith('{') || part === given[at])
  }
  return routes.filter(fits).toSorted((a, b) => a.split('{').length - b.split('{').length)[0] ?? `${method} ${path}`
}

/** Each kind of call that the exchange carried out for the bots, with its action. */
async function done(way: Way): Promise<ReadonlySet<string>> {
  const kinds = new Set<string>()
  for (const { got } of (await ran(way)).values())
    for (const sent of got.map(sentFor)) {
      if (sent === undefined || sent.status >= 300) continue
      const { action = '', prepare_only: isTrial = false } =
        sent.body === '' ? {} : (JSON.parse(sent.body) as { readonly action?: string; readonly prepare_only?: boolean })
      kinds.add([routeOf(sent), action, isTrial ? 'validated' : ''].filter((part) => part !== '').join(' '))
    }
  return kinds
}

for (const way of ways)
  test(`three bots together make every call of the endpoint table and every action ${way}`, { timeout: 120_000 }, async ({ skip }) => {
    const absent = programs.flatMap(({ program, needs }) => (program === null ? [needs] : []))
    skip(absent.length > 0, `${absent.join(' and ')} is not installed`)
    const prepare = `POST ${versionedPath}/orders/prepare`
    const execute = `POST ${versionedPath}/orders/execute`
    const wanted = [
      ...routes.filter((route) => route !== prepare && route !== execute && !route.endsWith('/risk/preview')),
      `POST ${versionedPath}/risk/preview open_position`,
      ...preparedActionNames.map((action) => `${prepare} ${action}`),
      ...Object.keys(delegatedActions).flatMap((action) => [`${execute} ${action}`, `${execute} ${action} validated`]),
    ]
    expect([...(await done(way))].toSorted()).toEqual(wanted.toSorted())
  })
