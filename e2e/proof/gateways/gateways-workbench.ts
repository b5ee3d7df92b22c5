import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Workbench } from '../../../build/scripts/prove/proof.ts'
import { numbers } from '../../../electron/practice/base/random-numbers.ts'
import { median } from '../../bench/rounds.ts'
import { hasPostgres } from '../../support/gateway/postgres.ts'
import { type Check, killItems, killsPerItem } from './gateways-proof.ts'
import { type Answer, type Fleet, openSite, type Site, type SiteBot, until, wait } from './site.ts'

const gateways = 3
const bots = 1_000
const manyCalls = 10_000
const second = 1_000
/** The period in which the budget must hold. A busy computer moves single calls by some hundred ms. */
const windowMs = 10 * second

/** 1,000 bots over 50 wallets. `own`: bots with limits, on the first wallets, in place of as many others. */
const thousand = (own: readonly { readonly wallet: number; readonly lines: string }[] = [], wallets = 50) => [
  ...own.map(({ wallet, lines }, at) => ({ name: `own-${at}`, wallet, lines })),
  ...Array.from({ length: bots - own.length }, (_, at) => ({ name: `bot-${at}`, wallet: wallets - 1 - (at % 40) })),
]

const limitOrder = (key: string, valueUsdc: string) => ({
  ...{ pair_id: 1, side: 'long', leverage: 5, order_value_usdc: valueUsdc, limit_price: '1000', time_in_force: 'gtc', idempotency_key: key },
})
const isDone = ({ status, text }: Answer): boolean => status === 202 && text.includes('"command_id":"')
const commandOf = ({ text }: Answer): string => /"command_id":"([^"]+)"/.exec(text)?.[1] ?? ''
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`

/** The largest number of times in any period of `ms`. */
function most(times: readonly number[], ms: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  let from = 0
  let largest = 0
  for (const [at, time] of sorted.entries()) {
    while ((sorted[from] ?? time) <= time - ms) from += 1
    largest = Math.max(largest, at - from + 1)
  }
  return largest
}

/** The shared budget: what the exchange received, with the database and without it, while every bot wants more. */
async function budget(site: Site): Promise<Check[]> {
  const perSecond = 60
  const fleet = await site.fleet({ gateways, callsPerSecond: perSecond, bots: thousand() })
  let isOver = false
  const work = fleet.bots.map(async (bot, at) => {
    while (!isOver) {
      const { status } = await fleet.call(at % gateways, bot, '/api/dex/v1/account')
      if (status !== 200) await wait(200)
    }
  })
  const measure = async (seconds: number) => {
    const from = Date.now()
    await wait(seconds * second)
    const times = (await site.ask('calls')).filter((at) => at >= from && at < from + seconds * second)
    return {
      share: times.length / (seconds * perSecond),
      top: most(times, windowMs) / ((windowMs / second) * perSecond),
      burst: most(times, second) / perSecond,
    }
  }
  await wait(5 * second)
  const joined = await measure(25)
  await site.database.kill()
  await fleet.all('away')
  await wait(2 * second)
  const alone = await measure(20)
  await site.database.start()
  await fleet.all('joined')
  isOver = true
  await fleet.stop()
  await Promise.all(work)
  const figures = ({ share, top, burst }: typeof joined) =>
    `${percent(share)} of ${perSecond} calls a second, at most ${percent(top)} in ${windowMs / second} s and ${percent(burst)} in 1 s`
  return [
    { name: 'budget', holds: joined.share >= 0.95 && joined.share <= 1.05 && joined.top <= 1.05, figures: figures(joined) },
    { name: 'budget without database', holds: alone.share <= 1.05 && alone.top <= 1.05, figures: figures(alone) },
  ]
}

/** Limits that span gateways: the open value of a wallet, and the orders a minute of a bot, measured by what the exchange carries out. */
async function limits(site: Site): Promise<Check[]> {
  const next = numbers(11)
  const [limited, perWallet, mostOpen, counted, perMinute] = [10, 3, 450, 10, 5]
  const own = [
    ...Array.from({ length: limited * perWallet }, (_, at) => ({ wallet: at % limited, lines: `max_open = ${mostOpen}` })),
    ...Array.from({ length: counted }, (_, at) => ({ wallet: 10 + at, lines: `orders_per_minute = ${perMinute}` })),
  ]
  const fleet = await site.fleet({ gateways, callsPerSecond: manyCalls, bots: thousand(own) })
  const times = new Map<string, number[]>()
  const started = performance.now()
  let isOver = false
  const minutes = fleet.bots.slice(limited * perWallet, own.length).map(async (bot) => {
    const kept: number[] = []
    times.set(bot.name, kept)
    for (let at = 0; !isOver; at += 1) {
      const answers = await Promise.all(
        Array.from({ length: gateways }, (_, gateway) => fleet.execute(gateway, bot, 'create_limit', limitOrder(`minute-${bot.name}-${at}-${gateway}`, '10'))),
      )
      for (const answer of answers) if (isDone(answer)) kept.push(performance.now())
      await wait(150)
    }
  })
  let [orders, largest, refusals, unexpected] = [0, 0, 0, 0]
  const rounds = 4
  for (let round = 0; round < rounds; round += 1) {
    const asked = fleet.bots.slice(0, limited * perWallet).flatMap((bot) =>
      Array.from({ length: 6 }, (_, at) => ({
        ...{ bot, key: `open-${round}-${bot.name}-${at}`, gateway: Math.floor(next() * gateways) },
        value: 20 + Math.floor(next() * 180),
      })),
    )
    // From the third round on, a gateway or the database dies while the orders come.
    const dies = round < 2 ? null : wait(100 + 400 * next()).then(() => (round === 2 ? fleet.gateways[0]?.kill() : site.database.kill()))
    const send = async (one: (typeof asked)[number]): Promise<void> => {
      const answer = await fleet.execute(one.gateway, one.bot, 'create_limit', limitOrder(one.key, String(one.value)))
      if (answer.code === 'GATEWAY_LIMIT') refusals += 1
      else if (!isDone(answer) && dies === null) unexpected += 1
    }
    await Promise.all(asked.map(send))
    if (dies !== null) {
      await dies
      await (round === 2 ? fleet.gateways[0]?.start() : site.database.start())
      await fleet.all('joined')
      // What a dead gateway had sent may still become known; the same orders again must not exceed the limit either.
      await Promise.all(asked.map(send))
    }
    const carriedOut = new Set(await site.ask('commands'))
    for (let wallet = 0; wallet < limited; wallet += 1) {
      const taken = asked.filter(({ bot, key }) => bot.wallet === wallet && carriedOut.has(key))
      orders += taken.length
      largest = Math.max(
        largest,
        taken.reduce((sum, { value }) => sum + value, 0),
      )
    }
    await site.ask('mine')
    await cancelAll(fleet, limited, `${round}`)
    await site.ask('mine')
  }
  // Only a second minute shows that the limit becomes free again.
  await until(async () => performance.now() - started > 75 * second, 80 * second, 'the second minute')
  isOver = true
  await Promise.all(minutes)
  // An order is counted when its gateway claims it, and reaches the exchange up to a second later.
  const inMinute = Math.max(...[...times.values()].map((kept) => most(kept, 58 * second)))
  const inAll = [...times.values()].reduce((sum, { length }) => sum + length, 0)
  await fleet.stop()
  return [
    {
      name: 'open value',
      holds: largest <= mostOpen && orders > limited * rounds && refusals > 0 && unexpected === 0,
      figures: `at most ${largest} of ${mostOpen} USDC in ${limited} wallets and ${rounds} rounds, ${orders} orders, ${refusals} refused, ${unexpected} other answers`,
    },
    {
      name: 'orders a minute',
      holds: inMinute === perMinute && inAll > counted * perMinute,
      figures: `at most ${inMinute} of ${perMinute} in a minute, ${inAll} orders of ${counted} bots`,
    },
  ]
}

/** Cancels the open orders of the first wallets, over one gateway after the other. */
async function cancelAll(fleet: Fleet, wallets: number, name: string): Promise<void> {
  const owners = Array.from({ length: wallets }, (_, wallet) => fleet.bots.find((bot) => bot.wallet === wallet)).flatMap((bot) => bot ?? [])
  await Promise.all(
    owners.map(async (bot, at) => {
      for (const id of await idsOf(fleet, bot, 'orders')) {
        const answer = await fleet.execute(at % gateways, bot, 'cancel', { order_id: id, idempotency_key: `clear-${name}-${id}` })
        if (!isDone(answer)) throw new Error(`A cancel got ${answer.status} ${answer.text}`)
      }
    }),
  )
}

/** The ids of the open orders or of the positions of a bot's wallet. */
async function idsOf(fleet: Fleet, bot: SiteBot, list: 'orders' | 'positions'): Promise<string[]> {
  const { text } = await fleet.call(0, bot, list === 'orders' ? '/api/dex/v1/orders?limit=200' : '/api/dex/v1/positions')
  const name = list === 'orders' ? 'order_id' : 'position_id'
  return [...text.matchAll(new RegExp(`\\{"${name}":"([^"]+)"[^{}]*`, 'g'))].flatMap(([row, id]) =>
    id !== undefined && (list === 'positions' || row.includes('"status":"open"')) ? [id] : [],
  )
}

interface Sent {
  readonly key: string
  readonly bot: SiteBot
  readonly payload: object
  /** Whether the bot asks again after a lost answer. Others only look at the outcome. */
  readonly repeats: boolean
  readonly answers: Answer[]
}

/** Kills one gateway after the other and the database, at random moments of many orders. Then compares what bots heard with what the exchange did. */
async function kills(site: Site, item: string): Promise<Check[]> {
  const next = numbers(100 + [...killItems, item].indexOf(item))
  const fleet = await site.fleet({ gateways, callsPerSecond: manyCalls, bots: thousand() })
  const sent: Sent[] = []
  let isOver = false
  const gatewayNow = () => Math.floor(next() * gateways)
  const work = Array.from({ length: 24 }, async (_, worker) => {
    for (let at = 0; !isOver; at += 1) {
      const bot = fleet.bots[Math.floor(next() * fleet.bots.length)]
      if (bot === undefined) return
      const key = `${item}-${worker}-${at}`
      const named = next() < 0.5 ? { client_order_id: `${key}-c` } : {}
      const one: Sent = { key, bot, payload: { ...limitOrder(key, '10'), ...named }, repeats: next() < 0.7, answers: [] }
      sent.push(one)
      // Some bots send the same order over two gateways at once.
      const over = next() < 0.2 ? [gatewayNow(), gatewayNow()] : [gatewayNow()]
      one.answers.push(...(await Promise.all(over.map((gateway) => fleet.execute(gateway, bot, 'create_limit', one.payload)))))
      if (!one.answers.some(isDone)) await wait(50)
    }
  })
  const victims = Array.from({ length: killsPerItem }, (_, at) => (at === 1 || next() < 0.2 ? 'database' : Math.floor(next() * gateways)))
  for (const victim of victims) {
    await wait(300 + 1_200 * next())
    if (victim === 'database') await site.database.kill()
    else await fleet.gateways[victim]?.kill()
    await wait(200 + 1_800 * next())
    if (victim === 'database') await site.database.start()
    else await fleet.gateways[victim]?.start()
    await fleet.all('joined')
  }
  await wait(second)
  isOver = true
  await Promise.all(work)

  const during = new Set(await site.ask('commands'))
  const lost = sent.filter(({ answers }) => !answers.some(isDone))
  const silent = sent.filter(({ repeats, answers, key }) => !repeats && !answers.some(isDone) && during.has(key))
  // Without its bot, the gateway itself finds out what happened: it sends a lost order again for a minute.
  const open = new Map(silent.map((one) => [one.key, one]))
  await until(
    async () => {
      for (const [key, { bot }] of open) {
        const { text } = await fleet.call(gatewayNow(), bot, `/gateway/calls/create_limit~${key}`)
        if (text.includes('"state":"done"')) open.delete(key)
      }
      return open.size === 0
    },
    90 * second,
    'outcomes',
  ).catch(() => undefined)
  // A bot that repeats its order gets an answer that tells what happened.
  const unanswered = new Map(sent.filter(({ repeats, answers }) => repeats && !answers.some(isDone)).map((one) => [one.key, one]))
  const repeating = [...unanswered.values()]
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (let one = repeating.shift(); one !== undefined; one = repeating.shift()) {
        const { key, bot, payload, answers } = one
        const repeat = async () => {
          answers.push(await fleet.execute(gatewayNow(), bot, 'create_limit', payload))
          return answers.some(isDone)
        }
        // Each has its own time: a gateway that waits for another one takes five seconds to say that it does not know.
        await until(repeat, 60 * second, key).then(
          () => unanswered.delete(key),
          () => false,
        )
      }
    }),
  )
  const example = [...unanswered.values()].slice(0, 1).map(({ key, answers }) => `; ${key} got ${answers.at(-1)?.status} ${answers.at(-1)?.text.slice(0, 300)}`)
  let different = 0
  const answered = sent.filter(({ answers }) => answers.some(isDone))
  for (const [at, one] of answered.entries()) {
    const first = one.answers.find(isDone)
    // All of the lost ones, and a part of the others, which would take long.
    if (one.answers.length === 1 && at % 5 !== 0) continue
    const again = await Promise.all(Array.from({ length: gateways }, (_, gateway) => fleet.execute(gateway, one.bot, 'create_limit', one.payload)))
    const all = [...one.answers.filter(isDone), ...again]
    if (
      first === undefined ||
      all.some((answer) => !isDone(answer) || commandOf(answer) !== commandOf(first)) ||
      new Set(again.map(({ text }) => text)).size > 1
    )
      different += 1
  }
  const commands = (await site.ask('commands')).filter((key) => key.startsWith(`${item}-`))
  const effects = new Set(commands)
  const missing = answered.filter(({ key }) => !effects.has(key)).length
  const doubled = commands.length - effects.size
  await fleet.stop()
  const under = `${sent.length} orders, killed ${victims.map((victim) => (victim === 'database' ? victim : `gateway ${victim + 1}`)).join(', ')}; ${lost.length} without an answer at first`
  return [
    { name: 'no order twice', holds: doubled === 0 && sent.length > 50, figures: `${doubled} of ${effects.size} carried out twice; ${under}` },
    {
      name: 'no order lost',
      holds: missing === 0 && unanswered.size === 0 && open.size === 0 && different === 0,
      figures: `${missing} answered but not carried out, ${unanswered.size} repeated without an answer, ${open.size} of ${silent.length} without an outcome, ${different} with another answer${example.join('')}`,
    },
  ]
}

/** The database away, dead or silent: no new risk, and every exit. */
async function away(site: Site): Promise<Check[]> {
  const fleet = await site.fleet({ gateways, callsPerSecond: manyCalls, bots: thousand() })
  const checks: Check[] = []
  for (const how of ['kill', 'freeze'] as const) {
    const traders = fleet.bots.slice(0, 12)
    await Promise.all(
      traders.map(async (bot, at) => {
        const payload =
          at % 2 === 0
            ? limitOrder(`rest-${how}-${at}`, '10')
            : {
                ...limitOrder(`hold-${how}-${at}`, '100'),
                limit_price: undefined,
                time_in_force: undefined,
                reference_price: await site.price(),
                max_slippage_bps: 300,
              }
        const answer = await fleet.execute(at % gateways, bot, at % 2 === 0 ? 'create_limit' : 'open_market', payload)
        if (!isDone(answer)) throw new Error(`An order got ${answer.status} ${answer.text}`)
      }),
    )
    await site.ask('mine')
    const exits = (
      await Promise.all(
        traders.map(async (bot, at) => {
          const [id] = await idsOf(fleet, bot, at % 2 === 0 ? 'orders' : 'positions')
          const key = `exit-${how}-${at}`
          const close = { position_id: id, reference_price: await site.price(), max_slippage_bps: 300, idempotency_key: key }
          return { bot, key, action: at % 2 === 0 ? 'cancel' : 'close', payload: at % 2 === 0 ? { order_id: id, idempotency_key: key } : close, at }
        }),
      )
    ).filter(({ payload }) => ('order_id' in payload ? payload.order_id : payload.position_id) !== undefined)
    await site.database[how]()
    // A silent database is noticed only by the next query.
    const risk = (gateway: number, name: string) => fleet.execute(gateway, fleet.bots[gateway] as SiteBot, 'create_limit', limitOrder(name, '10'))
    await fleet.all('away')
    const refused = await Promise.all(Array.from({ length: 12 }, (_, at) => risk(at % gateways, `away-${how}-${at}`)))
    const left = await Promise.all(exits.map(({ bot, action, payload, at }) => fleet.execute(at % gateways, bot, action, payload)))
    if (how === 'kill') await site.database.start()
    else site.database.thaw()
    await fleet.all('joined')
    const again = await Promise.all(
      exits.flatMap(({ bot, action, payload }) => Array.from({ length: gateways }, (_, gateway) => fleet.execute(gateway, bot, action, payload))),
    )
    const accepts = await Promise.all(Array.from({ length: gateways }, (_, gateway) => risk(gateway, `back-${how}-${gateway}`)))
    const commands = await site.ask('commands')
    const times = exits.map(({ key }) => commands.filter((one) => one === key).length)
    const same = again.filter((answer, at) => isDone(answer) && commandOf(answer) === commandOf(left[Math.floor(at / gateways)] as Answer)).length
    checks.push(
      {
        name: 'no new risk without database',
        holds: refused.every(({ status, code }) => status === 503 && code === 'GATEWAY_STATE_AWAY') && !commands.some((key) => key.startsWith(`away-${how}`)),
        figures: `${how}: ${refused.filter(({ code }) => code === 'GATEWAY_STATE_AWAY').length} of ${refused.length} orders refused with GATEWAY_STATE_AWAY`,
      },
      {
        name: 'exits without database',
        holds: exits.length === traders.length && left.every(isDone) && times.every((count) => count === 1) && same === again.length && accepts.every(isDone),
        figures: `${how}: ${left.filter(isDone).length} of ${exits.length} left, at most ${Math.max(...times)} times, slowest ${Math.max(...left.map(({ ms }) => ms)).toFixed(0)} ms; ${same} of ${again.length} repetitions got the same answer`,
      },
    )
    await site.ask('mine')
  }
  await fleet.stop()
  return checks
}

/** A call at gateways with 1,000 bots against the same call at gateways with 10, in turns. */
async function cost(site: Site): Promise<Check[]> {
  const [many, few] = [
    await site.fleet({ gateways, callsPerSecond: manyCalls, bots: thousand() }),
    await site.fleet({ gateways, callsPerSecond: manyCalls, bots: thousand().slice(0, 10) }),
  ]
  const measure = async (fleet: Fleet, name: string, call: (fleet: Fleet, bot: SiteBot, at: number) => Promise<Answer>) => {
    let at = 0
    const times: number[] = []
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (at < 240) {
          at += 1
          const mine = at
          const answer = await call(fleet, fleet.bots[mine % fleet.bots.length] as SiteBot, mine)
          if (answer.status >= 400 || answer.status === 0) throw new Error(`${name} got ${answer.status} ${answer.code}`)
          times.push(answer.ms)
        }
      }),
    )
    return median(times)
  }
  const checks: Check[] = []
  const calls = {
    read: (fleet: Fleet, bot: SiteBot, at: number) => fleet.call(at % gateways, bot, '/api/dex/v1/account'),
    order: (fleet: Fleet, bot: SiteBot, at: number) => {
      made += 1
      return fleet.execute(at % gateways, bot, 'create_limit', limitOrder(`cost-${made}-x`, '10'))
    },
  }
  let made = 0
  for (const name of ['read', 'order'] as const) {
    const ratios: number[] = []
    const both: [number[], number[]] = [[], []]
    for (let round = 0; round < 9; round += 1) {
      const inTurn = round % 2 === 0 ? [many, few] : [few, many]
      const medians = new Map<Fleet, number>()
      for (const fleet of inTurn) medians.set(fleet, await measure(fleet, name, calls[name]))
      // The first round warms the gateways up.
      if (round === 0) continue
      const [ofMany, ofFew] = [medians.get(many) ?? Number.NaN, medians.get(few) ?? Number.NaN]
      both[0].push(ofMany)
      both[1].push(ofFew)
      ratios.push(ofMany / ofFew)
    }
    const ratio = median(ratios)
    checks.push({
      name: `cost of a call (${name})`,
      holds: ratio <= 1.5,
      figures: `${median(both[0]).toFixed(1)} ms at ${bots} bots, ${median(both[1]).toFixed(1)} ms at 10, ${ratio.toFixed(2)} times`,
    })
  }
  await Promise.all([many.stop(), few.stop()])
  return checks
}

/** A pause of all bots at one gateway, seen at all of them; then all bots at once again. */
async function pause(site: Site): Promise<Check[]> {
  const fleet = await site.fleet({ gateways, callsPerSecond: manyCalls, bots: thousand() })
  const isPaused = async (gateway: number, bot: SiteBot) => (await fleet.call(gateway, bot, '/api/dex/v1/account')).code === 'GATEWAY_PAUSED'
  const everywhere = async (wanted: boolean, some: readonly SiteBot[]) =>
    (await Promise.all(some.flatMap((bot) => fleet.gateways.map((_, gateway) => isPaused(gateway, bot))))).every((one) => one === wanted)
  const some = [0, 333, 666, 999].flatMap((at) => fleet.bots[at] ?? [])
  const times = { pause: [] as number[], resume: [] as number[] }
  let [stillPaused, stillRunning] = [0, 0]
  for (let round = 0; round < 5; round += 1) {
    const at = round % gateways
    const data = fleet.gateways[at]?.data ?? ''
    for (const what of ['pause', 'resume'] as const) {
      writeFileSync(join(data, what), '')
      times[what].push(await until(() => everywhere(what === 'pause', some), 30 * second, what))
      let wrong = 0
      // A bot that was resumed may still have its notification on the way.
      const check = async () => {
        wrong = await countWhere(fleet.bots, async (bot, number) => (await isPaused(number % gateways, bot)) !== (what === 'pause'))
        return wrong === 0 || what === 'pause'
      }
      await until(check, 20 * second, `${what} of all`).catch(() => undefined)
      if (what === 'pause') stillRunning += wrong
      else stillPaused += wrong
      await until(async () => !existsSync(join(data, what)), 10 * second, `the file ${what}`)
    }
  }
  await fleet.stop()
  const slowest = (of: readonly number[]) => `${Math.max(...of).toFixed(0)} ms`
  return [
    {
      name: 'pause',
      holds: Math.max(...times.pause) < second && stillRunning === 0,
      figures: `slowest of ${times.pause.length} reached ${gateways} gateways after ${slowest(times.pause)}, median ${median(times.pause).toFixed(0)} ms; ${stillRunning} bots not paused`,
    },
    {
      name: 'resume',
      holds: stillPaused === 0,
      figures: `${bots} bots at once, at every gateway after ${slowest(times.resume)} at most; ${stillPaused} bots still paused`,
    },
  ]
}

async function countWhere(all: readonly SiteBot[], holds: (bot: SiteBot, at: number) => Promise<boolean>): Promise<number> {
  let [count, at] = [0, 0]
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (at < all.length) {
        const mine = at
        at += 1
        if (await holds(all[mine] as SiteBot, mine)) count += 1
      }
    }),
  )
  return count
}

export async function open(): Promise<Workbench> {
  if (!hasPostgres) throw new Error('This proof needs the server of PostgreSQL: on Debian, the package postgresql')
  const site = await openSite()
  const works: Readonly<Record<string, (site: Site) => Promise<Check[]>>> = { budget, limits, away, cost, pause }
  return {
    run: async (item) => {
      try {
        return await (works[item]?.(site) ?? kills(site, item))
      } finally {
        await site.clear()
      }
    },
    close: () => site.stop(),
  }
}
