import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import { z } from 'zod'
import { foreign } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import { createQueue, sleep } from '../../kernel/deadline.ts'
import type { Secret } from '../../kernel/secret.ts'
import { StoredCall } from '../../store/records/gateway-records.ts'
import type { Asking, CallName, Claimed, Elsewhere, GatewayState, Lease, Local, StateTrouble } from './gateway-state.ts'

export interface StateUrl {
  readonly url: string
  /** From a credential or PGPASSWORD; null: the server asks for none. */
  readonly password: Secret | null
}

export type StateUrlProblem = 'no_url' | 'password_in_url' | 'unknown_option' | 'no_tls' | 'no_certificate'

export interface PostgresStateDeps {
  readonly server: ClientConfig
  /** Readings of elapsed time for the share of the budget while the database is away. */
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void
}

const tlsModes: ReadonlySet<string> = new Set(['disable', 'verify-full'])

/**
 * Reads the address of the database: `postgres://user@host:port/name?sslrootcert=FILE`, or `postgres:///name?host=/folder` for a unix socket. Only a
 * server on this computer may be used without TLS. The certificate must name the host and come from a known authority, or from that of `sslrootcert`.
 */
export function readStateUrl({ url, password }: StateUrl): Result<ClientConfig, StateUrlProblem> {
  // `URL` takes no empty host before a user's name.
  const parsed = URL.parse(url.replace(/^postgres(?:ql)?:\/\//, 'http://').replace(/^(http:\/\/(?:[^/@]*@)?)(?=\/)/, '$1socket.invalid'))
  if (parsed === null || !/^postgres(?:ql)?:\/\//.test(url) || parsed.pathname.length < 2) return fail('no_url')
  if (parsed.password !== '' || parsed.searchParams.has('password')) return fail('password_in_url')
  const options = Object.fromEntries(parsed.searchParams)
  const { host: folder, sslmode, sslrootcert, ...others } = options
  if (Object.keys(others).length > 0 || (sslmode !== undefined && !tlsModes.has(sslmode))) return fail('unknown_option')
  const isSocket = parsed.hostname === 'socket.invalid'
  if (isSocket !== (folder?.startsWith('/') === true)) return fail('no_url')
  const host = isSocket ? (folder ?? '') : parsed.hostname.replace(/^\[|\]$/g, '')
  const isHere = isSocket || host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
  const isPlain = isSocket || sslmode === 'disable' || (isHere && sslmode === undefined && sslrootcert === undefined)
  if (isPlain && !isHere) return fail('no_tls')
  let ca: string | undefined
  try {
    ca = sslrootcert === undefined ? undefined : readFileSync(sslrootcert, 'utf8')
  } catch {
    return fail('no_certificate')
  }
  return ok({
    ...{ host, database: decodeURIComponent(parsed.pathname.slice(1)) },
    ...(parsed.port !== '' && { port: Number(parsed.port) }),
    ...(parsed.username !== '' && { user: decodeURIComponent(parsed.username) }),
    // A function, so that the client keeps no copy of the password, and never looks for a password file.
    password: () => password?.reveal() ?? '',
    ssl: isPlain ? false : { rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
  })
}

/** The server ends a statement that takes longer, so that none of them takes effect after its gateway has given it up. */
const statementMs = 1_500
const answerMs = 2 * second
const connectMs = 2 * second
const beatMs = second
/** The server ends the session of a computer that does not answer any more. Otherwise it would keep the session’s locks for hours. */
const keepAlives = '-c tcp_keepalives_idle=3 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=8000'
const tidyMs = 5 * second
const pruneMs = 10 * minute
const againMs = [100, 200, 500, second] as const
const mostTogether = 200
/** How many old calls one statement deletes. */
const mostPruned = 2_000
const mostQueries = 4
/** How many orders of a silent bot are looked up, the newest first. */
const mostOrders = 2_000
/** How long a gateway must be gone before another one follows its calls. */
const orphanMs = 10 * second
/** Classes of advisory locks: of a gateway that lives, and of the migrations. Claims lock their wallet in a class of its own, in `migrations`. */
const aliveClass = 1_398_163_201
const migrationClass = 1_398_163_203
const channel = 'svc_gateway'

const Row = z.object({ kind: z.string(), call: StoredCall.nullable(), before: z.string().nullable() })
const Decision = z.object({ bot: z.string(), paused: z.boolean(), by: z.number() })
const everyBot = '*'

/** A call as this gateway takes it over: it only leaves again if its bot repeats it. A cancel of a named order can do no harm. */
const withoutBytes = (call: StoredCall): StoredCall => ({ ...call, body: call.repeatsLate ? call.body : null })

type Change = { readonly call: StoredCall; readonly isDropped: boolean }

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '')

/** Errors of a single statement: its data, a deadlock, a lock that is not free, a statement that took too long. The database itself is well. */
const isOfStatement = (error: unknown): boolean => /^(?:21|22|23|40|55)...$|^57014$/.test(codeOf(error))
/** The data itself is at fault, so the same statement fails each time. */
const isOfData = (error: unknown): boolean => /^2[123]/.test(codeOf(error))

/** The library has no code for a server that refuses TLS. */
const refusesTls = 'The server does not support SSL connections'

/** Whether a connection failed because the server did not prove what it is. Null: for another reason, such as a server that is away. */
function troubleOf(error: unknown): StateTrouble | null {
  if (error instanceof Error && error.message === refusesTls) return { code: 'no_tls', detail: '' }
  const detail = codeOf(error)
  return /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_)/.test(detail) ? { code: 'certificate', detail } : null
}

/** The state of several gateways, in PostgreSQL. It holds orders and their outcomes, and neither keys nor tokens. */
export async function createPostgresState({ server, clock, log }: PostgresStateDeps): Promise<GatewayState> {
  // Loaded only where a database is configured.
  const { default: pg } = await import('pg')
  const timeouts = { statement_timeout: statementMs, query_timeout: answerMs, connectionTimeoutMillis: connectMs, keepAlive: true }
  const settings = { ...server, ...timeouts, application_name: 'svc-desk gateway', options: keepAlives }
  const pool = new pg.Pool({ ...settings, max: mostQueries, allowExitOnIdle: true })
  // The session notices a lost database. A query that fails says so itself.
  pool.on('error', () => undefined)
  const stopping = new AbortController()
  const inTurn = createQueue()
  /** What the database does not have yet. */
  const changes = new Map<string, Change & CallName>()
  /** Pauses that the other gateways do not know of yet. */
  const paused: string[] = []
  /** Resumptions that the other gateways do not know of yet, and what each waits for. */
  const resuming = new Map<string, (isStored: boolean) => void>()
  /** Bots that other gateways say they have resumed. The table decides. */
  const saidResumed = new Set<string>()
  /** What the database knows of the last calls of bots. */
  const heardOf = new Map<string, number>()
  const confirming = createQueue()
  const deciding = createQueue()
  const claiming = new Set<string>()
  let session: InstanceType<typeof pg.Client> | null = null
  let gateway = 0
  /** The number under which this gateway has its calls. */
  let joinedAs = 0
  let attempts = 0
  let gateways = 1
  let local: Local | null = null
  let running: Promise<void> | null = null
  const reached = Promise.withResolvers<StateTrouble | null>()
  let logged = ''
  let tidiedAt = Number.NEGATIVE_INFINITY
  let prunedAt = Number.NEGATIVE_INFINITY
  let freeAt = 0

  const nameOf = ({ bot, key }: CallName) => `${bot}/${key}`
  const query = async <T>(text: string, values: readonly unknown[], schema: z.ZodType<T>): Promise<T[]> => {
    const { rows } = await pool.query(text, [...values])
    return z.array(schema).parse(rows)
  }
  const failed = (error: unknown) => {
    // It tries again every few seconds: the same error once is enough.
    if (String(error) !== logged) log('gateway_state', { error: String(error) })
    logged = String(error)
  }
  /**
   * Ends the session after a failed query of its own. Its loop connects again, if the database is still there. A query of the pool may also fail
   * because a bot asks too much, and the session, which shows that this gateway lives, must survive that.
   */
  const lost = (error: unknown) => {
    failed(error)
    const trouble = troubleOf(error)
    // Without effect once the state was reached: then the gateway runs on, as without its database.
    if (trouble !== null) reached.resolve(trouble)
    if (isOfStatement(error)) return
    const before = session
    session = null
    void before?.end().catch(() => undefined)
  }

  const flush = (): Promise<void> =>
    inTurn(async () => {
      let together = mostTogether
      while (changes.size > 0 && session !== null) {
        const part = [...changes].slice(0, together)
        const rows = part.map(([, { bot, key, call, isDropped }]) => ({ bot, key, wallet: call.wallet.toLowerCase(), dropped: isDropped, call }))
        try {
          await query(`select ${schemaName}.put($1::int, $2::jsonb)`, [gateway, JSON.stringify(rows)], z.unknown())
        } catch (error) {
          failed(error)
          if (!isOfData(error)) return
          // One change that the database can never take must not hold back the others.
          const [only] = part
          if (part.length === 1 && only !== undefined) changes.delete(only[0])
          together = 1
          continue
        }
        for (const [name, change] of part) {
          if (changes.get(name) !== change) continue
          changes.delete(name)
          if (change.call.isUnshared) local?.shared(change)
        }
      }
    })
  const change = (name: CallName, call: StoredCall, isDropped: boolean) => {
    changes.set(nameOf(name), { bot: name.bot, key: name.key, call, isDropped })
    void flush()
  }

  const roomOf = ({ key, call }: Pick<Asking, 'key' | 'call'>): Pick<Elsewhere, 'grow'> => ({
    grow: async (valueUsdc) => {
      // What the lists have shown already must not count beside them.
      await flush()
      if (session === null) return null
      try {
        const [row] = await query(
          `select ${schemaName}.grow($1, $2, $3::numeric)::text as before`,
          [call.wallet.toLowerCase(), key, valueUsdc],
          z.object({ before: z.string().nullable() }),
        )
        return row?.before ?? null
      } catch (error) {
        failed(error)
        return null
      }
    },
  })

  const again = async ({ bot, key, call, ordersPerMinute }: Asking): Promise<boolean> => {
    if (session === null) return false
    try {
      const [row] = await query(
        `select ${schemaName}.again($1, $2, $3, $4::int, $5::int) as fits`,
        [call.wallet.toLowerCase(), key, bot, call.orders, ordersPerMinute],
        z.object({ fits: z.boolean() }),
      )
      return row?.fits ?? false
    } catch (error) {
      failed(error)
      return false
    }
  }

  const claim = async (asking: Asking): Promise<Claimed> => {
    if (session === null) return { kind: 'away' }
    const { bot, key, call, ordersPerMinute } = asking
    const name = nameOf(asking)
    attempts += 1
    claiming.add(name)
    try {
      // What a release of room changes must be there before the claim counts. Later, it would remove the claim.
      if (changes.has(name)) await flush()
      if (changes.has(name)) return { kind: 'away' }
      const [row] = await query(
        `select kind, call, before::text from ${schemaName}.claim($1, $2, $3, $4::int, $5::bigint, $6::jsonb, $7::int)`,
        [bot, key, call.wallet.toLowerCase(), gateway, attempts, JSON.stringify(call), ordersPerMinute],
        Row,
      )
      switch (row?.kind) {
        case 'mine':
          return { kind: 'mine', elsewhere: { beforeUsdc: row.before ?? '0', ...roomOf(asking) } }
        case 'done':
        case 'adopted':
          return row.call === null ? { kind: 'away' } : { kind: row.kind, call: row.call }
        case 'elsewhere':
        case 'taken':
        case 'minute_full':
          return { kind: row.kind }
        default:
          return { kind: 'away' }
      }
    } catch (error) {
      failed(error)
      return { kind: 'away' }
    } finally {
      claiming.delete(name)
    }
  }

  /** While the database is away, each gateway keeps to an equal part of the budget. */
  const alone = (perSecond: number): Lease => {
    const now = clock.monotonic()
    freeAt = Math.max(freeAt, now)
    const waitMs = freeAt - now
    freeAt += (second * gateways) / perSecond
    return { granted: 1, waitMs }
  }
  const lease = async (want: number, perSecond: number): Promise<Lease> => {
    if (session === null) return alone(perSecond)
    try {
      const [row] = await query(`select ${schemaName}.lease($1::int, $2::float8) as ms`, [want, perSecond], z.object({ ms: z.number() }))
      return { granted: want, waitMs: row?.ms ?? 0 }
    } catch (error) {
      failed(error)
      return alone(perSecond)
    }
  }

  const forget = (bots: readonly string[]) => {
    for (const bot of bots) {
      resuming.get(bot)?.(false)
      resuming.delete(bot)
    }
  }
  /** Takes all that wait at once: each on its own, hundreds of bots would need longer than a statement may take. */
  const sendDecisions = (client: InstanceType<typeof pg.Client>): Promise<void> =>
    deciding(async () => {
      for (const isPaused of [true, false]) {
        const bots = isPaused ? [...paused] : [...resuming.keys()]
        if (bots.length === 0) continue
        await client.query(`select ${schemaName}.decide(b, $2, $3::int) from unnest($1::text[]) b`, [bots, isPaused, gateway])
        if (isPaused) paused.splice(0, bots.length)
        for (const bot of isPaused ? [] : bots) {
          resuming.get(bot)?.(true)
          resuming.delete(bot)
        }
      }
    })
  /** Any user of the database may send a notification, so the table decides. What cannot be asked now is asked with the next beat. */
  const resumeDecided = (): Promise<void> =>
    confirming(async () => {
      const bots = [...saidResumed]
      if (bots.length === 0 || session === null) return
      const rows = await query(`select r.bot from unnest($1::text[]) b cross join lateral ${schemaName}.resumed(b) r`, [bots], z.object({ bot: z.string() }))
      // A pause may have come meanwhile.
      const said = new Set(bots.filter((bot) => saidResumed.delete(bot)))
      for (const { bot } of rows) if (said.has(bot)) local?.resume(bot)
    })
  /** A pause of a bot, or of all bots (null), is newer than the resumptions that were heard before. */
  const unsay = (bot: string | null) => {
    if (bot === null) saidResumed.clear()
    else saidResumed.delete(bot)
  }
  const heard = (payload: string | undefined) => {
    const read = Decision.safeParse(readJson(foreign(payload ?? '')))
    if (!read.success || read.data.by === gateway) return
    const { bot, paused: isPaused } = read.data
    try {
      if (isPaused) {
        unsay(bot === everyBot ? null : bot)
        local?.pause(bot === everyBot ? null : bot)
      } else {
        saidResumed.add(bot)
        void resumeDecided().catch(failed)
      }
    } catch (error) {
      // A full disk: the bot is paused in memory all the same.
      log('gateway_state', { error: String(error) })
    }
  }

  const migrate = async (client: InstanceType<typeof pg.Client>) => {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1, 0)', [migrationClass])
    await client.query(`create schema if not exists ${schemaName}`)
    await client.query(`create table if not exists ${schemaName}.migration (version int primary key, at timestamptz not null default now())`)
    const { rows } = await client.query(`select coalesce(max(version), 0) as version from ${schemaName}.migration`)
    const { version } = z.object({ version: z.number() }).parse(rows[0])
    if (version > migrations.length) throw new Error('newer_schema')
    for (const [at, text] of migrations.entries()) {
      if (at < version) continue
      await client.query(text)
      await client.query(`insert into ${schemaName}.migration (version) values ($1)`, [at + 1])
    }
    await client.query('commit')
  }

  /** Brings the calls of this gateway and those of the state together, and follows the calls of gateways that have ended. */
  const reconcile = async (client: InstanceType<typeof pg.Client>) => {
    if (local === null) return
    const Known = z.object({ bot: z.string(), key: z.string(), call: StoredCall })
    const Own = z.object({ bot: z.string(), key: z.string(), attempt: z.string(), call: StoredCall })
    const own = await client.query(
      `select bot, key, attempt::text, call from ${schemaName}.call where gateway = $1 and state = 'sent' and at < now() - $2::interval limit 1000`,
      [...[gateway, `${orphanMs} milliseconds`]],
    )
    for (const row of z.array(Own).parse(own.rows)) {
      if (local.of(row) !== null || claiming.has(nameOf(row)) || local.isRunning(row)) continue
      if (row.attempt === '0') {
        local.learn(row, withoutBytes(row.call))
        continue
      }
      // The database took a claim whose answer was lost, so nothing has left for it.
      await client.query(`delete from ${schemaName}.call where bot = $1 and key = $2 and gateway = $3 and attempt = $4`, [
        row.bot,
        row.key,
        gateway,
        row.attempt,
      ])
    }
    const { rows } = await client.query(`select bot, key, call from ${schemaName}.adopt($1::int, $2::text[], $3::interval)`, [
      ...[gateway, local.bots(), `${orphanMs} milliseconds`],
    ])
    for (const { bot, key, call } of z.array(Known).parse(rows)) {
      const known = local.of({ bot, key })
      if (known !== null) change({ bot, key }, known, false)
      else local.learn({ bot, key }, withoutBytes(call))
    }
    const open = local.open().filter(({ call }) => call.state === 'sent')
    if (open.length === 0) return
    const settled = await client.query(
      `select bot, key, call from ${schemaName}.call where state = 'done' and (bot, key) in (select * from unnest($1::text[], $2::text[]))`,
      [open.map(({ bot }) => bot), open.map(({ key }) => key)],
    )
    for (const { bot, key, call } of z.array(Known).parse(settled.rows)) local.learn({ bot, key }, call)
  }

  /** Before the beat, because a beat says that everything until then was reported. */
  const report = async (client: InstanceType<typeof pg.Client>) => {
    const fresh = (local?.uses() ?? []).filter(({ bot, atMs }) => heardOf.get(bot) !== atMs)
    if (fresh.length === 0) return
    await client.query(`select ${schemaName}.used($1::text[], $2::float8[])`, [fresh.map(({ bot }) => bot), fresh.map(({ agoMs }) => agoMs)])
    for (const { bot, atMs } of fresh) heardOf.set(bot, atMs)
  }

  const beat = async (client: InstanceType<typeof pg.Client>) => {
    await report(client)
    const { rows } = await client.query(`select ${schemaName}.beat($1::int) as gateways`, [gateway])
    gateways = Math.max(1, z.object({ gateways: z.number() }).parse(rows[0]).gateways)
    if (clock.monotonic() - tidiedAt < tidyMs) return
    tidiedAt = clock.monotonic()
    try {
      await reconcile(client)
      if (clock.monotonic() - prunedAt < pruneMs) return
      const pruned = await client.query(`select ${schemaName}.prune() as rows`)
      // More may be due: the next beats continue.
      if (z.object({ rows: z.number() }).parse(pruned.rows[0]).rows < mostPruned) prunedAt = clock.monotonic()
    } catch (error) {
      // A slow statement must not end the session.
      if (!isOfStatement(error)) throw error
      failed(error)
    }
  }

  /** Connects, and keeps the connection until it breaks. */
  const serve = async (joined: () => void) => {
    const client = new pg.Client(settings)
    const ended = Promise.withResolvers<void>()
    client.on('error', (error) => lost(error))
    client.on('end', () => ended.resolve())
    client.on('notification', ({ payload }) => heard(payload))
    const stop = () => ended.resolve()
    stopping.signal.addEventListener('abort', stop, { once: true })
    try {
      await client.connect()
      await migrate(client)
      const { rows } = await client.query(`select nextval('${schemaName}.gateway')::int as id`)
      gateway = z.object({ id: z.number() }).parse(rows[0]).id
      await client.query('select pg_advisory_lock($1, $2)', [aliveClass, gateway])
      await client.query(`listen ${channel}`)
      heardOf.clear()
      await client.query(`select ${schemaName}.join($1::int, $2::int)`, [gateway, joinedAs])
      joinedAs = gateway
      await sendDecisions(client)
      // A bot that another gateway has resumed meanwhile stays paused here: a pause of this gateway may not have reached the database.
      const decided = await client.query(`select bot from ${schemaName}.paused($1::text[])`, [local?.bots() ?? []])
      for (const { bot } of z.array(z.object({ bot: z.string() })).parse(decided.rows)) local?.pause(bot)
      for (const { bot, key, call } of local?.open() ?? [])
        if (!changes.has(nameOf({ bot, key }))) changes.set(nameOf({ bot, key }), { bot, key, call, isDropped: false })
      session = client
      await flush()
      tidiedAt = Number.NEGATIVE_INFINITY
      if (session !== client) return
      joined()
      log('gateway_state', { joined: gateway })
      logged = ''
      while (session === client && !stopping.signal.aborted) {
        await sendDecisions(client)
        await flush()
        await resumeDecided().catch(failed)
        await beat(client)
        await Promise.race([sleep(beatMs, stopping.signal), ended.promise])
      }
    } catch (error) {
      if (session === null || session === client) lost(error)
    } finally {
      stopping.signal.removeEventListener('abort', stop)
      if (session === client) session = null
      forget([...resuming.keys()])
      saidResumed.clear()
      await Promise.race([client.end().catch(() => undefined), sleep(answerMs)])
    }
  }

  const stay = async () => {
    let tries = 0
    while (!stopping.signal.aborted) {
      await serve(() => {
        tries = 0
        reached.resolve(null)
      })
      await sleep(againMs[Math.min(tries, againMs.length - 1)] ?? second, stopping.signal)
      tries += 1
    }
  }

  return {
    isShared: true,
    isReachable: () => session !== null,
    joinedAs: () => joinedAs,
    claim,
    keep: (name, call) => change(name, call, false),
    drop: (name, call) => change(name, call, true),
    find: async ({ bot, key }) => {
      if (session === null) return null
      try {
        // What this gateway knows must be there first. The state then tells whose answer came before.
        if (changes.has(nameOf({ bot, key }))) await flush()
        const [row] = await query(`select call from ${schemaName}.call where bot = $1 and key = $2`, [bot, key], z.object({ call: StoredCall }))
        return row?.call ?? null
      } catch (error) {
        failed(error)
        return null
      }
    },
    lease,
    silence: {
      silent: async (asked) => {
        if (session === null || asked.length === 0) return new Set()
        try {
          const rows = await query(
            `select bot from ${schemaName}.silent($1::int, $2::text[], $3::float8[])`,
            [gateway, asked.map(({ bot }) => bot), asked.map(({ afterMs }) => afterMs)],
            z.object({ bot: z.string() }),
          )
          return new Set(rows.map(({ bot }) => bot))
        } catch (error) {
          failed(error)
          return new Set()
        }
      },
      ended: async (bot) => {
        await query(`select ${schemaName}.silenced($1::int, $2)`, [gateway, bot], z.unknown())
      },
      orders: async (bot) => {
        const rows = await query(
          `select call from ${schemaName}.call where bot = $1 and orders > 0 order by at desc limit ${mostOrders}`,
          [bot],
          z.object({ call: StoredCall }),
        )
        return rows.map(({ call }) => call)
      },
    },
    again,
    room: roomOf,
    pause: (bot) => {
      // The pause is the newer decision.
      forget(bot === null ? [...resuming.keys()] : [bot])
      unsay(bot)
      if (!paused.includes(bot ?? everyBot)) paused.push(bot ?? everyBot)
      if (session !== null) void sendDecisions(session).catch(lost)
    },
    resume: (bot) => {
      if (session === null) return Promise.resolve(false)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      resuming.get(bot)?.(false)
      resuming.set(bot, resolve)
      const client = session
      // After all that are asked for in the same turn.
      setImmediate(() => {
        void sendDecisions(client).catch((error: unknown) => {
          lost(error)
          forget([...resuming.keys()])
        })
      })
      return promise
    },
    start: (given) => {
      local = given
      running ??= stay()
      return reached.promise
    },
    stop: async () => {
      await Promise.race([flush(), sleep(answerMs)])
      stopping.abort()
      await running
      await pool.end().catch(() => undefined)
    },
  }
}

/** Everything lies in a schema of its own. */
export const schemaName = 'svc_gateway'

/**
 * The versions of the schema, oldest first. Never change one that was released; add another one.
 *
 * `call`: one row for each call that may have an effect. Its key is unique for each wallet, as at the exchange. `gateway`: the one that works on it or
 * has sent it. `reserved`: the value in USDC that counts until the lists of the wallet show it.
 *
 * Each gateway holds an advisory lock under its number, so the database itself knows whether it lives. A claim holds the lock of its wallet until it
 * commits, so claims count one after another.
 */
export const migrations: readonly string[] = [
  `
create sequence svc_gateway.gateway as int;
create table svc_gateway.gateway_seen (gateway int primary key, seen timestamptz not null);
create table svc_gateway.call (
  wallet text not null, key text not null, bot text not null, hash text not null, state text not null, gateway int not null, attempt bigint not null,
  orders int not null, reserved numeric, at timestamptz not null default clock_timestamp(), call jsonb not null, primary key (wallet, key));
create index call_bot on svc_gateway.call (bot, at);
create index call_bot_key on svc_gateway.call (bot, key);
create index call_at on svc_gateway.call (at);
create index call_reserved on svc_gateway.call (wallet) where reserved is not null;
create index call_sent on svc_gateway.call (gateway) where state = 'sent';
create table svc_gateway.budget (one bool primary key default true check (one), free_at timestamptz not null);
insert into svc_gateway.budget (free_at) values (clock_timestamp());
create sequence svc_gateway.decision_number;
create table svc_gateway.decision (bot text primary key, paused bool not null, number bigint not null);

create function svc_gateway.lives(g int) returns bool language sql volatile as $$
  select exists (select from pg_locks where locktype = 'advisory' and classid = 1398163201 and objid = g::oid and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database()))
$$;

create function svc_gateway.claim(b text, k text, w text, g int, a bigint, c jsonb, per_minute int)
returns table (kind text, call jsonb, before numeric) language plpgsql volatile as $$
declare
  known svc_gateway.call%rowtype;
  n int := (c->>'orders')::int;
  r numeric := (c->>'reservedUsdc')::numeric;
begin
  perform pg_advisory_xact_lock(1398163202, hashtext(w));
  select * into known from svc_gateway.call x where x.wallet = w and x.key = k;
  if found and known.at < clock_timestamp() - interval '25 hours' then
    delete from svc_gateway.call x where x.wallet = w and x.key = k;
  elsif found then
    if known.bot <> b or known.hash <> c->>'hash' then return query select 'taken', null::jsonb, null::numeric; return; end if;
    if known.state = 'done' then return query select 'done', known.call, null::numeric; return; end if;
    if known.gateway <> g then
      if svc_gateway.lives(known.gateway) then return query select 'elsewhere', null::jsonb, null::numeric; return; end if;
      update svc_gateway.call x set gateway = g, attempt = 0 where x.wallet = w and x.key = k;
      return query select 'adopted', known.call, null::numeric; return;
    end if;
    -- It was adopted, but the answer was lost.
    if known.attempt = 0 then return query select 'adopted', known.call, null::numeric; return; end if;
    -- A claim of this gateway whose answer was lost: nothing has left for it.
    delete from svc_gateway.call x where x.wallet = w and x.key = k;
  end if;
  if n > 0 and per_minute is not null and n + coalesce(
    (select sum(x.orders) from svc_gateway.call x where x.bot = b and x.at > clock_timestamp() - interval '1 minute'), 0) > per_minute then
    return query select 'minute_full', null::jsonb, null::numeric; return;
  end if;
  insert into svc_gateway.call values (w, k, b, c->>'hash', 'sent', g, a, n, r, clock_timestamp(), c);
  return query select 'mine', null::jsonb, case when r is null then 0 else coalesce(
    (select sum(x.reserved) from svc_gateway.call x where x.wallet = w and x.reserved is not null and x.key <> k), 0) end;
end $$;

create function svc_gateway.grow(w text, k text, v numeric) returns numeric language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(1398163202, hashtext(w));
  update svc_gateway.call x set reserved = v where x.wallet = w and x.key = k;
  if not found then return null; end if;
  return coalesce((select sum(x.reserved) from svc_gateway.call x where x.wallet = w and x.reserved is not null and x.key <> k), 0);
end $$;

create function svc_gateway.put(g int, changes jsonb) returns void language plpgsql volatile as $$
begin
  delete from svc_gateway.call x using jsonb_to_recordset(changes) as y (key text, wallet text, dropped bool)
    where y.dropped and x.wallet = y.wallet and x.key = y.key and x.gateway = g;
  insert into svc_gateway.call as x
    select y.wallet, y.key, y.bot, y.call->>'hash', y.call->>'state', g, 0, (y.call->>'orders')::int, (y.call->>'reservedUsdc')::numeric,
      to_timestamp((y.call->>'atMs')::float8 / 1000), y.call
    from jsonb_to_recordset(changes) as y (bot text, key text, wallet text, dropped bool, call jsonb) where not y.dropped
    order by y.wallet, y.key
  on conflict (wallet, key) do update set call = excluded.call, state = excluded.state, orders = excluded.orders, reserved = excluded.reserved, gateway = g
    where x.bot = excluded.bot and x.hash = excluded.hash and (x.state <> 'done' or excluded.state = 'done')
      and (x.gateway = g or x.state = 'sent' and excluded.state = 'done' or not svc_gateway.lives(x.gateway));
end $$;

create function svc_gateway.lease(want int, per_second float8) returns float8 language plpgsql volatile as $$
declare
  free timestamptz;
  starts timestamptz;
begin
  select b.free_at into free from svc_gateway.budget b for update;
  -- The server's clock may have been set back.
  starts := greatest(least(free, clock_timestamp() + interval '3 seconds'), clock_timestamp());
  update svc_gateway.budget set free_at = starts + make_interval(secs => want / per_second);
  return extract(epoch from starts - clock_timestamp()) * 1000;
end $$;

create function svc_gateway.decide(b text, p bool, g int) returns void language sql volatile as $$
  insert into svc_gateway.decision values (b, p, nextval('svc_gateway.decision_number'))
    on conflict (bot) do update set paused = excluded.paused, number = excluded.number where excluded.number > decision.number;
  select pg_notify('svc_gateway', json_build_object('bot', b, 'paused', p, 'by', g)::text);
$$;

create function svc_gateway.paused(bots text[]) returns table (bot text) language sql volatile as $$
  select b from unnest(bots) b left join svc_gateway.decision own on own.bot = b left join svc_gateway.decision every on every.bot = '*'
    where coalesce(own.paused, false) or coalesce(every.number, 0) > coalesce(own.number, 0)
$$;

create function svc_gateway.resumed(b text) returns table (bot text) language sql volatile as $$
  select own.bot from svc_gateway.decision own left join svc_gateway.decision every on every.bot = '*'
    where own.bot = b and not own.paused and own.number > coalesce(every.number, 0)
$$;

create function svc_gateway.beat(g int) returns int language plpgsql volatile as $$
begin
  insert into svc_gateway.gateway_seen values (g, clock_timestamp()) on conflict (gateway) do update set seen = excluded.seen;
  return (select count(*) from svc_gateway.gateway_seen s where s.seen > clock_timestamp() - interval '5 seconds' and svc_gateway.lives(s.gateway));
end $$;

create function svc_gateway.prune() returns int language plpgsql volatile as $$
declare
  n int;
begin
  delete from svc_gateway.gateway_seen s where s.seen < clock_timestamp() - interval '25 hours';
  delete from svc_gateway.call where ctid = any (array(select x.ctid from svc_gateway.call x where x.at < clock_timestamp() - interval '25 hours' limit 2000));
  get diagnostics n = row_count;
  return n;
end $$;

create function svc_gateway.join(g int, before int) returns void language plpgsql volatile as $$
begin
  update svc_gateway.call x set gateway = g where x.gateway = before and before <> 0;
  perform svc_gateway.beat(g);
end $$;

create function svc_gateway.adopt(g int, bots text[], gone interval) returns table (bot text, key text, call jsonb) language sql volatile as $$
  with orphans as (
    select x.wallet, x.key from svc_gateway.call x left join svc_gateway.gateway_seen s on s.gateway = x.gateway
    where (x.state = 'sent' or x.reserved is not null) and x.gateway <> g and x.bot = any (bots)
      and coalesce(s.seen, '-infinity') < clock_timestamp() - gone and not svc_gateway.lives(x.gateway)
    limit 200 for update of x skip locked)
  update svc_gateway.call x set gateway = g, attempt = 0 from orphans o where x.wallet = o.wallet and x.key = o.key returning x.bot, x.key, x.call
$$;
`,
  // `bot_use`: when a bot last called any gateway. `gateway` acts on its silence since `claimed`; `acted`: orders from before then have ended.
  `
create table svc_gateway.bot_use (bot text primary key, used timestamptz not null, acted timestamptz, gateway int, claimed timestamptz);

create function svc_gateway.used(bots text[], ago float8[]) returns void language sql volatile as $$
  insert into svc_gateway.bot_use as x (bot, used)
    select y.bot, clock_timestamp() - make_interval(secs => y.ago / 1000) from unnest(bots, ago) as y (bot, ago) order by y.bot
  on conflict (bot) do update set used = greatest(x.used, excluded.used)
$$;

-- Only if every gateway that lives has reported since then: a bot may have used the one that is late. Two seconds are more than a report takes.
create function svc_gateway.silent(g int, bots text[], after_ms float8[]) returns table (bot text) language sql volatile as $$
  with reported as materialized (select min(s.seen) as at from svc_gateway.gateway_seen s
    where s.seen > clock_timestamp() - interval '15 seconds' and svc_gateway.lives(s.gateway)),
  due as (
    select y.bot, l.at from unnest(bots, after_ms) as y (bot, ms) left join svc_gateway.bot_use u on u.bot = y.bot
      cross join lateral (
        select greatest(u.used, max(c.at)) as at from svc_gateway.call c
          where c.bot = y.bot and c.orders > 0 and c.at > coalesce(u.acted, '-infinity') having count(*) > 0) l
      where l.at + make_interval(secs => y.ms / 1000 + 2) < (select r.at from reported r))
  insert into svc_gateway.bot_use as x (bot, used, gateway, claimed) select d.bot, d.at, g, clock_timestamp() from due d order by d.bot
  on conflict (bot) do update set gateway = g, claimed = clock_timestamp()
    where x.used <= excluded.used and (x.gateway is null or x.gateway = g or not svc_gateway.lives(x.gateway))
  returning x.bot
$$;

create function svc_gateway.silenced(g int, b text) returns void language sql volatile as $$
  update svc_gateway.bot_use x set acted = x.claimed, gateway = null where x.bot = b and x.gateway = g
$$;
`,
  // The first answer to a call stays, also if another gateway finds out something else later.
  `
create or replace function svc_gateway.put(g int, changes jsonb) returns void language plpgsql volatile as $$
begin
  delete from svc_gateway.call x using jsonb_to_recordset(changes) as y (key text, wallet text, dropped bool)
    where y.dropped and x.wallet = y.wallet and x.key = y.key and x.gateway = g;
  insert into svc_gateway.call as x
    select y.wallet, y.key, y.bot, y.call->>'hash', y.call->>'state', g, 0, (y.call->>'orders')::int, (y.call->>'reservedUsdc')::numeric,
      to_timestamp((y.call->>'atMs')::float8 / 1000), y.call
    from jsonb_to_recordset(changes) as y (bot text, key text, wallet text, dropped bool, call jsonb) where not y.dropped
    order by y.wallet, y.key
  on conflict (wallet, key) do update set state = excluded.state, orders = excluded.orders, reserved = excluded.reserved, gateway = g,
      call = case when x.state = 'done' then excluded.call || jsonb_build_object('answer', x.call->'answer') else excluded.call end
    where x.bot = excluded.bot and x.hash = excluded.hash and (x.state <> 'done' or excluded.state = 'done')
      and (x.gateway = g or x.state = 'sent' and excluded.state = 'done' or not svc_gateway.lives(x.gateway));
end $$;
`,
  // A repeated order counts in the minute in which it may leave again. A call that is done takes no more room.
  `
create function svc_gateway.again(w text, k text, b text, n int, per_minute int) returns bool language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(1398163202, hashtext(w));
  if per_minute is not null and n + coalesce(
    (select sum(x.orders) from svc_gateway.call x where x.bot = b and x.key <> k and x.at > clock_timestamp() - interval '1 minute'), 0) > per_minute then
    return false;
  end if;
  update svc_gateway.call x set at = clock_timestamp() where x.wallet = w and x.key = k and x.bot = b;
  return found;
end $$;

create or replace function svc_gateway.grow(w text, k text, v numeric) returns numeric language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(1398163202, hashtext(w));
  update svc_gateway.call x set reserved = v where x.wallet = w and x.key = k and x.state <> 'done';
  if not found then return null; end if;
  return coalesce((select sum(x.reserved) from svc_gateway.call x where x.wallet = w and x.reserved is not null and x.key <> k), 0);
end $$;
`,
]
