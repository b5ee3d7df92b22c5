import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type BotAnswer, type Served, startServed } from '../../../e2e/support/gateway/bot.ts'
import { type Fleet, startFleet } from '../../../e2e/support/gateway/fleet.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../../../e2e/support/gateway/postgres.ts'
import { value } from '../../../e2e/support/main/workspace.ts'
import { Secret } from '../../kernel/secret.ts'
import type { StoredCall } from '../../store/records/gateway-records.ts'
import type { GatewayState } from './gateway-state.ts'
import { createPostgresState, readStateUrl } from './postgres-state.ts'

const codeOf = ({ json }: BotAnswer) => json.error?.code
const nothing = () => undefined
/** The calls of a gateway that has none. */
const without = { uses: () => [], open: () => [], of: () => null, isRunning: () => false, learn: nothing, shared: nothing, pause: nothing }
const commandOf = ({ json }: BotAnswer) => (json.delegated as { readonly command_id?: string } | undefined)?.command_id

test.each([
  ['no address', 'mysql://gateway@localhost/desk', 'no_url'],
  ['no database', 'postgres://gateway@localhost', 'no_url'],
  ['a password', 'postgres://gateway:hunter2@localhost/desk', 'password_in_url'],
  ['a password as an option', 'postgres://gateway@localhost/desk?password=hunter2', 'password_in_url'],
  ['another server without TLS', 'postgres://gateway@db.example/desk?sslmode=disable', 'no_tls'],
  ['TLS without a check of the certificate', 'postgres://gateway@db.example/desk?sslmode=require', 'unknown_option'],
  ['a certificate file that is missing', 'postgres://gateway@db.example/desk?sslrootcert=/nowhere/ca.pem', 'no_certificate'],
])('an address of the database with %s is refused', (_, url, problem) => {
  expect(readStateUrl({ url, password: null })).toEqual({ ok: false, failure: problem })
})

test('another server is used only with TLS and a checked certificate, and the password comes from elsewhere', () => {
  const read = readStateUrl({ url: 'postgres://gateway@db.example:5433/desk', password: new Secret('hunter2') })
  expect(read).toMatchObject({ ok: true, value: { host: 'db.example', port: 5_433, user: 'gateway', database: 'desk', ssl: { rejectUnauthorized: true } } })
  expect(JSON.stringify(read)).not.toContain('hunter2')
  expect(read.ok && typeof read.value.password === 'function' && read.value.password()).toBe('hunter2')
})

describe.skipIf(!hasPostgres)('several gateways over PostgreSQL', () => {
  let served: Served
  let database: TestPostgres
  let fleet: Fleet
  beforeAll(async () => {
    ;[served, database] = await Promise.all([startServed(), startPostgres()])
    const bots = {
      grid: {},
      limited: { openNotionalUsdc: '450' },
      counted: { ordersPerMinute: 3 },
      quiet: { silence: { afterSeconds: 10, does: 'cancel' as const } },
    }
    fleet = await startFleet({ served, state: database.url, gateways: 2, bots })
  }, 60_000)
  afterAll(async () => {
    await fleet?.stop()
    await database?.stop()
    await served?.stop()
  })
  const order = async (key: string, change: object = {}) => served.marketOrder({ idempotency_key: key, ...change })
  const effects = () => served.exchange.effects().commands
  const waitFor = async (holds: () => Promise<boolean>, withinMs: number): Promise<number> => {
    const started = performance.now()
    while (!(await holds())) if (performance.now() - started > withinMs) expect.fail(`not within ${withinMs} ms`)
    return performance.now() - started
  }
  /** Repeats a call while the exchange says that it gets too many. */
  const execute = async (gateway: number, action: string, body: object): Promise<BotAnswer> => {
    let answer = await fleet.bot('grid', gateway).execute(action, body)
    await waitFor(async () => {
      if (answer.status !== 429) return true
      answer = await fleet.bot('grid', gateway).execute(action, body)
      return false
    }, 15_000)
    return answer
  }
  const takesRisk = (name: string, gateway: number) => {
    let tries = 0
    return waitFor(async () => {
      tries += 1
      return (await fleet.bot('grid', gateway).execute('open_market', await order(`${name}-${gateway}-${tries}`, { order_value_usdc: '10' }))).status === 202
    }, 20_000)
  }

  test('two gateways that start together bring the database to its version once', async () => {
    const client = new pg.Client({ host: database.folder, user: 'gateway', database: 'postgres' })
    await client.connect()
    expect((await client.query('select version from svc_gateway.migration')).rows).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }, { version: 4 }])
    await client.query('insert into svc_gateway.migration (version) values (1000)')
    const read = readStateUrl({ url: database.url, password: null })
    if (!read.ok) expect.fail(read.failure)
    const said = Promise.withResolvers<unknown>()
    const late = await createPostgresState({ server: read.value, clock: performance as never, log: (_, { error }) => said.resolve(error) })
    void late.start({ ...without, bots: () => [], resume: nothing })
    // A gateway does not touch the schema of a later version.
    expect(await said.promise).toBe('Error: newer_schema')
    expect(late.isReachable()).toBe(false)
    await late.stop()
    await client.query('delete from svc_gateway.migration where version = 1000')
    await client.end()
  })

  test('one idempotency key at two gateways at once is one order, and both answer the same', async () => {
    const body = await order('both-0001')
    const answers = await Promise.all([0, 1, 0, 1].map((at) => fleet.bot('grid', at).execute('open_market', body)))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    expect(new Set(answers.map(commandOf)).size).toBe(1)
    expect(effects().filter((key) => key === 'both-0001')).toHaveLength(1)
    const other = await fleet.bot('grid', 1).execute('open_market', { ...body, leverage: 2 })
    expect(codeOf(other)).toBe('IDEMPOTENCY_KEY_CONFLICT')
    expect(codeOf(await fleet.bot('limited', 1).execute('open_market', body))).toBe('IDEMPOTENCY_KEY_CONFLICT')
  })

  test('a gateway that is killed leaves its orders to the others, and no order is doubled', async () => {
    const [first] = fleet.gateways
    const keys = Array.from({ length: 6 }, (_, at) => `killed-${at}-x`)
    const bodies = await Promise.all(keys.map((key) => order(key, { order_value_usdc: '10' })))
    const lost = bodies.map((body) =>
      fleet
        .bot('grid', 0)
        .execute('open_market', body)
        .catch(() => null),
    )
    await Promise.race(lost)
    await first?.kill()
    await Promise.all(lost)
    for (const body of bodies) expect(commandOf(await fleet.bot('grid', 1).execute('open_market', body))).toEqual(expect.any(String))
    expect(
      effects()
        .filter((key) => key?.startsWith('killed-'))
        .toSorted(),
    ).toEqual(keys.toSorted())
    await first?.restart()
    for (const body of bodies) expect((await fleet.bot('grid', 0).execute('open_market', body)).status).toBe(202)
    expect(effects().filter((key) => key?.startsWith('killed-'))).toHaveLength(keys.length)
  }, 60_000)

  test('a pause reaches the other gateway within a second, and so does a resumption', async () => {
    const isPaused = async (name: string) => codeOf(await fleet.bot(name, 1).call('/api/dex/v1/markets')) === 'GATEWAY_PAUSED'
    fleet.gateways[0]?.ask({ pause: null })
    expect(await waitFor(() => isPaused('grid'), 1_000)).toBeLessThan(1_000)
    expect(await isPaused('counted')).toBe(true)
    fleet.gateways[0]?.ask({ resume: fleet.bot('grid', 0).id })
    await waitFor(async () => !(await isPaused('grid')), 5_000)
    // A gateway that starts later knows of the pause, too.
    await fleet.gateways[1]?.kill()
    await fleet.gateways[1]?.restart()
    expect([await isPaused('grid'), await isPaused('counted')]).toEqual([false, true])
    for (const name of ['limited', 'counted', 'quiet']) fleet.gateways[0]?.ask({ resume: fleet.bot(name, 0).id })
    await waitFor(async () => !(await isPaused('counted')) && !(await isPaused('limited')), 5_000)
  }, 60_000)

  test('limits that span gateways are never exceeded, however the orders come', async () => {
    const before = effects().length
    const send = async (name: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, async (_, at) =>
          fleet.bot(name, at % 2).execute('open_market', await order(`${name}-${at}-xx`, { order_value_usdc: name === 'limited' ? '100' : '10' })),
        ),
      )
    const counted = await send('counted', 8)
    expect(counted.filter(({ status }) => status === 202)).toHaveLength(3)
    await served.chain.mine(9)
    await served.exchange.settle()
    const limited = await send('limited', 10)
    const taken = limited.filter(({ status }) => status === 202).length
    expect(new Set(limited.filter(({ status }) => status !== 202).map(({ json }) => json.error?.limit))).toEqual(new Set(['open_notional']))
    expect(taken).toBeLessThanOrEqual(4)
    expect(effects().length - before).toBe(3 + taken)
  }, 60_000)

  test.each(['kill', 'freeze'] as const)(
    'without its database (%s), a gateway refuses new risk, lets exits through and reconciles them later',
    async (how) => {
      const { reference_price: _, max_slippage_bps: __, ...resting } = await order(`rest-${how}-1`, { limit_price: '1000', time_in_force: 'gtc' })
      expect((await execute(0, 'create_limit', resting)).status).toBe(202)
      await served.chain.mine(9)
      await served.exchange.settle()
      const [open] = value(await served.handlers()['account.orders']({ watch: null })).orders
      await database[how]()
      await waitFor(async () => codeOf(await fleet.bot('grid', 0).execute('open_market', await order(`away-${how}`))) === 'GATEWAY_STATE_AWAY', 10_000)
      const cancel = { order_id: open?.id, idempotency_key: `exit-${how}-01` }
      expect((await execute(0, 'cancel', cancel)).status).toBe(202)
      expect(effects()).not.toContain(`away-${how}`)
      if (how === 'kill') await database.start()
      else database.thaw()
      await takesRisk(`again-${how}`, 0)
      await takesRisk(`again-${how}`, 1)
      const again = await execute(1, 'cancel', cancel)
      expect([again.status, again.headers['x-svc-gateway']]).toEqual([202, 'replay'])
      expect(effects().filter((key) => key === `exit-${how}-01`)).toHaveLength(1)
    },
    30_000,
  )

  describe('what the database holds or says is not trusted', () => {
    const stored: StoredCall = {
      ...{ route: 'execute', bot: 'b1', wallet: '0x01', hash: 'h', body: null, keyId: 'k', endsRisk: false, repeatsLate: false, orders: 1 },
      ...{ reservedUsdc: '5', subjects: [], clientOrderIds: [], atMs: Date.now(), state: 'sent', answer: null, isUnshared: false },
    }
    let client: pg.Client
    let state: GatewayState
    const resumed: string[] = []
    beforeAll(async () => {
      client = new pg.Client({ host: database.folder, user: 'gateway', database: 'postgres' })
      await client.connect()
      const read = readStateUrl({ url: database.url, password: null })
      if (!read.ok) expect.fail(read.failure)
      const monotonic = () => performance.now()
      state = await createPostgresState({ server: read.value, clock: { monotonic }, log: nothing })
      const resume = (bot: string) => void resumed.push(bot)
      await state.start({ ...without, bots: () => ['b1'], resume })
    })
    afterAll(async () => {
      await state?.stop()
      await client?.end()
    })

    test('a call that the database can never take holds back no other call', { timeout: 20_000 }, async () => {
      state.keep({ bot: 'b1', key: 'bad' }, { ...stored, subjects: ['order:\u0000'] })
      state.keep({ bot: 'b1', key: 'good' }, stored)
      await waitFor(async () => (await state.find({ bot: 'b1', key: 'good' })) !== null, 15_000)
      expect(state.isReachable()).toBe(true)
      expect(await state.find({ bot: 'b1', key: 'bad' })).toBeNull()
    })

    test('the first answer to a call stays, although another gateway gets another one later', async () => {
      const name = { bot: 'b1', key: 'twice' }
      const done = (body: string): StoredCall => ({ ...stored, state: 'done', answer: { status: 202, headers: {}, body } })
      for (const call of [stored, done('first'), { ...done('second'), reservedUsdc: null }]) {
        state.keep(name, call)
        await state.find(name)
      }
      expect(await state.find(name)).toMatchObject({ state: 'done', answer: { body: 'first' }, reservedUsdc: null })
    })

    test('a notification alone resumes no bot, because any user of the database can send one', { timeout: 20_000 }, async () => {
      await client.query("select svc_gateway.decide('b1', true, 0), svc_gateway.decide('b2', true, 0)")
      await client.query("select pg_notify('svc_gateway', $1)", [JSON.stringify({ bot: 'b1', paused: false, by: 0 })])
      await client.query("select svc_gateway.decide('b2', false, 0)")
      await expect.poll(() => resumed, { timeout: 15_000 }).toContain('b2')
      expect(resumed).not.toContain('b1')
    })

    test('the room of a call that the database does not have, or that is done, is unknown', async () => {
      expect(await state.room({ key: 'nowhere', call: stored })?.grow('5')).toBeNull()
      const done: StoredCall = { ...stored, state: 'done', reservedUsdc: null, answer: { status: 202, headers: {}, body: '' } }
      state.keep({ bot: 'b1', key: 'over' }, done)
      expect(await state.find({ bot: 'b1', key: 'over' })).toMatchObject({ reservedUsdc: null })
      expect(await state.room({ key: 'over', call: done })?.grow('5')).toBeNull()
    })

    test('an order that is repeated counts in the minute in which it leaves again', async () => {
      const call = { ...stored, bot: 'b3', wallet: '0x03' }
      const asking = (key: string) => ({ bot: 'b3', key, call, ordersPerMinute: 2 })
      for (const key of ['m1', 'm2']) expect((await state.claim(asking(key))).kind).toBe('mine')
      await client.query("update svc_gateway.call set at = at - interval '2 minutes' where bot = 'b3'")
      expect((await state.claim(asking('m3'))).kind).toBe('mine')
      expect([await state.again(asking('m1')), await state.again(asking('m2')), await state.again(asking('m1'))]).toEqual([true, false, true])
      expect((await state.claim(asking('m4'))).kind).toBe('minute_full')
    })

    test('if the clock of the database is set back, calls wait for seconds only', async () => {
      await client.query("update svc_gateway.budget set free_at = clock_timestamp() + interval '10 minutes'")
      const lease = await state.lease?.(1, 10)
      expect(lease?.waitMs).toBeGreaterThan(1_000)
      expect(lease?.waitMs).toBeLessThanOrEqual(3_000)
      await client.query('update svc_gateway.budget set free_at = clock_timestamp()')
    })
  })

  /** The address of a server that passes everything on to the database, each part after `ms`, as a distant network would. */
  const distant = async (ms: number): Promise<string> => {
    const server = createServer((near) => {
      const far = connect(join(database.folder, '.s.PGSQL.5432'))
      near.on('data', (part) => setTimeout(() => far.write(part), ms))
      far.pipe(near)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        one.on('error', () => undefined)
        one.on('close', () => other.destroy())
      }
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo // safe cast: a port, not a pipe
    return `postgres://gateway@127.0.0.1:${port}`
  }

  test('hundreds of bots that are resumed at once are resumed at every gateway, also over a slow network', { timeout: 30_000 }, async () => {
    const admin = new pg.Client({ host: database.folder, user: 'gateway', database: 'postgres' })
    await admin.connect()
    await admin.query('create database many')
    await admin.end()
    const url = `${await distant(8)}/many`
    const bots = Array.from({ length: 600 }, (_, at) => `many-${at}`)
    const resumed = new Set<string>()
    const startState = async (resume: (bot: string) => void) => {
      const read = readStateUrl({ url, password: null })
      if (!read.ok) expect.fail(read.failure)
      const state = await createPostgresState({ server: read.value, clock: { monotonic: () => performance.now() }, log: nothing })
      await state.start({ ...without, bots: () => bots, resume })
      return state
    }
    const [one, other] = await Promise.all([startState(nothing), startState((bot) => void resumed.add(bot))])
    one.pause(null)
    expect(await Promise.all(bots.map((bot) => one.resume(bot)))).toEqual(bots.map(() => true))
    await expect.poll(() => resumed.size, { timeout: 10_000 }).toBe(bots.length)
    // A pause that comes after a resumption wins, even if it reaches the database in the same batch.
    const late = one.resume('many-0')
    one.pause('many-0')
    expect(await late).toBe(false)
    await Promise.all([one.stop(), other.stop()])
  })

  test('a bot is silent only if it calls no gateway, and then one gateway ends its orders, also those of a gateway that has died', async () => {
    const client = new pg.Client({ host: database.folder, user: 'gateway', database: 'postgres' })
    await client.connect()
    onTestFinished(() => client.end())
    const beatTimes = () => client.query('select extract(epoch from seen) as seen from svc_gateway.gateway_seen')
    const ended = () => effects().filter((key) => key?.startsWith(`silence-${fleet.bot('quiet', 0).id}-`)).length
    const rests = async (gateway: number) => {
      const { reference_price: _, max_slippage_bps: __, ...resting } = await order(`quiet-rest-${gateway}`, { limit_price: '1000', time_in_force: 'gtc' })
      await expect.poll(async () => (await fleet.bot('quiet', gateway).execute('create_limit', resting)).text, { timeout: 15_000 }).toContain('command_id')
      await served.chain.mine(9)
      await served.exchange.settle()
    }
    await rests(0)
    const until = performance.now() + 14_000
    // Each gateway alone would think that the bot is silent.
    await waitFor(async () => {
      await fleet.bot('quiet', 1).call('/api/dex/v1/markets')
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(ended()).toBe(0)
      return performance.now() > until
    }, 25_000)
    await fleet.gateways[0]?.kill()
    // 10 s of silence, up to 15 s until the gateway that ended no longer counts, and more on a busy computer.
    await expect.poll(ended, { timeout: 60_000 }).toBe(1)
    await fleet.gateways[0]?.restart()
    await served.chain.mine(9)
    await served.exchange.settle()
    await rests(1)
    await expect.poll(ended, { timeout: 60_000 }).toBe(2)
    // Both gateways have looked for silent bots again when a beat of each is newer.
    const beats = async () => (await beatTimes()).rows.map(({ seen }) => Number(seen))
    const then = Math.max(...(await beats()))
    await expect.poll(async () => (await beats()).filter((seen) => seen > then + 2).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(2)
    expect(ended()).toBe(2)
  }, 180_000)

  test('a cancel leaves even if another gateway claims its key and does not finish', async () => {
    const { reference_price: _, max_slippage_bps: __, ...resting } = await order('rest-claim-1', { limit_price: '1000', time_in_force: 'gtc' })
    expect((await execute(0, 'create_limit', resting)).status).toBe(202)
    await served.chain.mine(9)
    await served.exchange.settle()
    const [open] = value(await served.handlers()['account.orders']({ watch: null })).orders
    const cancel = { order_id: open?.id, idempotency_key: 'exit-claim-1' }
    const first = await execute(0, 'cancel', cancel)
    expect(first.status).toBe(202)
    const client = new pg.Client({ host: database.folder, user: 'gateway', database: 'postgres' })
    await client.connect()
    const waiting = `update svc_gateway.call set state = 'sent', call = call || '{"state":"sent","answer":null}' where key like '%exit-claim-1'`
    expect((await client.query(waiting)).rowCount).toBe(1)
    await client.end()
    const again = await execute(1, 'cancel', cancel)
    expect(again.json.state).not.toBe('unknown')
    expect(commandOf(again)).toBe(commandOf(first))
    expect(effects().filter((key) => key === 'exit-claim-1')).toHaveLength(1)
  }, 30_000)

  test('the database holds neither a key nor a token [AUTH-09]', () => {
    const all = database.dump()
    expect(all).toContain('both-0001')
    for (const secret of [fleet.key, ...fleet.tokens.flatMap((token) => [token, token.split('.')[2] ?? ''])]) {
      expect(secret.length).toBeGreaterThan(20)
      expect(all).not.toContain(secret)
    }
  })
})
