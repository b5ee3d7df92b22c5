import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Workbench } from '../../../build/scripts/prove/proof.ts'
import { noFaults } from '../../../electron/practice/base/faults.ts'
import { createPracticeClock } from '../../../electron/practice/base/practice-clock.ts'
import { createExchange } from '../../../electron/practice/exchange/exchange.ts'
import { reportColumns, reportLines } from '../../../shared/fleet-report.ts'
import type { FleetItem, FleetPlan, FleetTarget } from '../../../shared/ipc/keys/fleet.ts'
import { systemClock } from '../../../shared/time.ts'
import { callAsBot, startSshd } from '../../support/fleet/fleet-clients.ts'
import { startKeyring } from '../../support/keyring/keyring.ts'
import { createFakeChain } from '../../support/practice/fake-chain.ts'
import type { Check } from '../gateways/gateways-proof.ts'
import type { FleetCommand } from './fleet-child.ts'

const wallets = 3
const keysPerWallet = 9
const kills = 10

/** Real targets in a folder, with the environment that their clients need, and how to read what was delivered. */
async function startTargets(folder: string) {
  const env = {
    GNUPGHOME: join(folder, 'gnupg'),
    PASSWORD_STORE_DIR: join(folder, 'store'),
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    SYSTEMD_CREDENTIAL_SECRET: join(folder, 'host-key'),
  }
  const run = (program: string, words: readonly string[]): string =>
    execFileSync(program, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  writeFileSync(env.CONTAINERS_STORAGE_CONF, `[storage]\ndriver = "vfs"\nrunroot = "${folder}/run"\ngraphroot = "${folder}/graph"\n`)
  mkdirSync(env.GNUPGHOME, { mode: 0o700 })
  run('gpg', ['--batch', '--passphrase', '', '--quick-generate-key', 'bots', 'default', 'default', 'never'])
  run('pass', ['init', 'bots'])
  const sshd = await startSshd(folder)
  writeFileSync(join(folder, 'known'), sshd.knownHost)

  const targetOf = (index: number): FleetTarget => {
    const name = `bot-${index}`
    const targets: readonly FleetTarget[] = [
      { target: 'ssh', options: { host: `${userInfo().username}@bots`, port: sshd.port, path: join(folder, `${name}.key`), content: 'key' } },
      // A new attempt needs no new name, because an attempt of unknown outcome may have created the secret.
      { target: 'pass', options: { name: `bots/${name}`, content: 'key' } },
      { target: 'systemd', options: { name, output: join(folder, `${name}.cred`), seal: 'host', content: 'key' } },
      { target: 'podman', options: { name, how: 'create', content: 'key' } },
    ]
    return targets[index % targets.length] ?? { target: 'gateway', options: {} }
  }
  const deliveredTo = ({ target, options }: FleetTarget): string => {
    switch (target) {
      case 'ssh':
        return readFileSync(options.path, 'utf8')
      case 'pass':
        return run('pass', ['show', options.name])
      case 'systemd':
        return run('systemd-creds', ['decrypt', `--name=${options.name}`, options.output ?? '', '-'])
      case 'podman': {
        const { ID = '' } = (JSON.parse(run('podman', ['secret', 'inspect', options.name])) as { ID?: string }[])[0] ?? {} // safe cast: podman prints this shape
        const data = JSON.parse(readFileSync(join(folder, 'graph/secrets/filedriver/secretsdata.json'), 'utf8')) as Record<string, string> // safe cast: as above
        return Buffer.from(data[ID] ?? '', 'base64').toString()
      }
      default:
        return ''
    }
  }
  /** Removes a secret of podman that an attempt of unknown outcome left, as the user would before another attempt. */
  const clear = ({ target, options }: FleetTarget) => {
    if (target === 'podman' && readdirSync(join(folder, 'graph/secrets'), { recursive: true }).length > 0)
      try {
        run('podman', ['secret', 'rm', options.name])
      } catch {
        // The secret was not created.
      }
  }
  return {
    env: { ...env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
    targetOf,
    deliveredTo,
    clear,
    stop: async () => {
      run('gpgconf', ['--kill', 'all'])
      await sshd.stop()
    },
  }
}

/** The app as a process of its own. */
class App {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #lines: Interface

  constructor(words: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [join(import.meta.dirname, 'fleet-child.ts'), ...words], { env, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child.stderr.resume()
    this.#lines = createInterface({ input: this.#child.stdout })
  }

  get isDead(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** The next line of the app; rejects if the app ends first. */
  async #next(): Promise<{ readonly value?: unknown; readonly error?: string }> {
    const gone = new AbortController()
    const ended = once(this.#child, 'exit', { signal: gone.signal }).then(() => {
      throw new Error('killed')
    })
    const [line] = (await Promise.race([once(this.#lines, 'line', { signal: gone.signal }), ended]).finally(() => gone.abort())) as [string] // safe cast: a line is text
    ended.catch(() => undefined)
    return JSON.parse(line) as { value?: unknown; error?: string } // safe cast: the child writes this shape
  }

  async ready(): Promise<void> {
    await this.#next()
  }

  async ask<T = unknown>(command: FleetCommand): Promise<T> {
    if (this.isDead) throw new Error('killed')
    const answer = this.#next()
    this.#child.stdin.write(`${JSON.stringify(command)}\n`)
    const { value, error } = await answer
    if (error !== undefined) throw new Error(error)
    return value as T // safe cast: the caller knows the command's answer
  }

  async kill(): Promise<void> {
    if (this.isDead) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }
}

/** Whether times follow one another, as far as two logs that may round to a second can tell. False if one is missing. */
const inOrder = (...times: readonly (number | undefined)[]): boolean =>
  times.every((time, at) => (at === 0 ? !Number.isNaN(time ?? Number.NaN) : (time ?? Number.NaN) >= (times[at - 1] ?? Number.NaN) - 1_000))

const isOver = ({ state }: FleetItem): boolean => state === 'done'

/** The arguments and environments of the programs that name the folder, as other programs can read them. */
const seenIn = (folder: string): string[] =>
  leftIn(folder).flatMap((pid) => {
    try {
      return ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1'))
    } catch {
      return []
    }
  })

/** Processes whose environment or arguments name the folder. */
const leftIn = (folder: string): string[] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter((pid) => {
      try {
        return (
          ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(folder)) &&
          !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
        )
      } catch {
        return false
      }
    })

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())

async function prove(): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-fleet-proof-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const keyring = await startKeyring()
  const targets = await startTargets(folder)
  const exchange = createExchange({
    ...{ chain: createFakeChain(), clock: createPracticeClock(systemClock), faults: noFaults(), seed: 7, dataDir: null, resolve: async () => [] },
  })
  const { hostUrl } = await exchange.listen(0)
  const privateKeys = Array.from({ length: wallets }, () => generatePrivateKey())
  const words = [data, hostUrl, ...privateKeys]
  const env = { ...keyring.env, ...targets.env }
  let app = new App(words, env)
  let killed = 0
  let tries = 0
  const checks: Check[] = []
  const check = (name: string, holds: boolean, figures: string) => checks.push({ name, holds, figures })
  const secrets = new Set<string>()
  /** When the bot of each key first called with the secret that was delivered last. */
  const firstUse = new Map<string, number>()
  /** The keys of the plan whose bots made the calls, by the calls' request ids. */
  const callers = new Map<string, string>()
  const seen = new Set<string>()
  const watch = setInterval(() => {
    for (const text of seenIn(folder)) seen.add(text)
  }, 20)
  const startedAt = Date.now()
  try {
    await app.ready()
    const items: { keyId: string; target: FleetTarget }[] = []
    for (let wallet = 0; wallet < wallets; wallet += 1) {
      await app.ask({ do: 'wallet', wallet })
      for (let index = 0; index < keysPerWallet; index += 1) {
        const number = wallet * keysPerWallet + index
        items.push({ keyId: await app.ask<string>({ do: 'make', label: `bot-${number}` }), target: targets.targetOf(number) })
      }
    }
    const { id } = await app.ask<FleetPlan>({ do: 'plan', items })
    await app.ask({ do: 'resume', id })
    let plan = await app.ask<FleetPlan>({ do: 'show', id })
    for (let wallet = 0; wallet < wallets; wallet += 1) {
      const address = privateKeyToAccount(privateKeys[wallet] ?? '0x').address
      const open = async () => {
        if (app.isDead) {
          app = new App(words, env)
          await app.ready()
        }
        await app.ask({ do: 'wallet', wallet })
      }
      await open()
      for (let round = 0; round < 400; round += 1) {
        const mine = plan.items.filter((item) => item.wallet === address)
        if (mine.every(isOver)) break
        const done = plan.items.filter(isOver).length
        // Kills at points that differ from each other, spread over the whole plan. Only a kill that interrupts a step counts.
        const isKill = killed < kills && done >= Math.floor((killed * wallets * keysPerWallet) / kills)
        const timer = isKill ? setTimeout(() => void app.kill(), 40 + ((tries * 173) % 900)) : null
        if (isKill) tries += 1
        try {
          plan = await app.ask<FleetPlan>({ do: 'look', id })
          const now = plan.items.find((item) => item.wallet === address && !isOver(item))
          if (now?.state === 'verifying') {
            const secret = targets.deliveredTo(now.target)
            if (!secrets.has(secret)) firstUse.set(now.id, Date.now())
            secrets.add(secret)
            const requestId = `bot-call-${callers.size}`
            callers.set(requestId, now.id)
            await callAsBot(hostUrl, secret, { requestId })
          } else if (now?.may[0] === 'deliver') {
            targets.clear(now.target)
            await app.ask({ do: 'choose', id, itemId: now.id, choice: 'deliver' })
          } else if (now?.may[0] === 'retry' || now?.may[0] === 'remake') {
            await app.ask({ do: 'resolve', id })
            await app.ask({ do: 'choose', id, itemId: now.id, choice: now.may[0] })
          }
        } catch (error) {
          if (!app.isDead) throw error
          killed += 1
        } finally {
          if (timer !== null) clearTimeout(timer)
        }
        if (app.isDead) await open()
      }
    }
    plan = await app.ask<FleetPlan>({ do: 'show', id })
    const known = exchange.effects().keys
    const active = known.filter(({ status }) => status === 'active').map(({ key_id }) => key_id)
    const doneItems = plan.items.filter((item) => item.state === 'done' && item.proof?.how === 'audit')
    check('all keys replaced and proven by the audit', doneItems.length === wallets * keysPerWallet, `${doneItems.length} of ${plan.items.length}`)
    check('the app was killed during a step', killed === kills, `${killed} kills`)
    const news = plan.items.map(({ newKey }) => newKey?.id ?? '')
    check('no second new key', active.length === news.length && news.every((key) => active.includes(key)), `${active.length} active keys`)
    const olds = known.filter(({ key_id }) => items.some(({ keyId }) => keyId === key_id))
    check(
      'every old key revoked',
      olds.every(({ status }) => status === 'revoked'),
      `${olds.filter(({ status }) => status === 'revoked').length} revoked`,
    )
    const early = plan.items.filter(({ id: itemId, oldKey, proof }) => {
      const revokedAt = Date.parse(String(olds.find(({ key_id }) => key_id === oldKey.id)?.revoked_at))
      const [usedAt, calledAt] = [proof?.usedAtMs ?? Number.NaN, firstUse.get(itemId) ?? Number.NaN]
      return !(calledAt <= usedAt && usedAt <= revokedAt)
    })
    check('no old key ended before its bot used the new one', early.length === 0, `${plan.items.length - early.length} in order`)
    const works = await Promise.all(plan.items.map(({ target }) => callAsBot(hostUrl, targets.deliveredTo(target))))
    check(
      'every delivered secret works',
      works.every((status) => status === 200),
      `${works.filter((status) => status === 200).length} work`,
    )
    const lines = reportLines(plan).map((line) => new Map(line.map((cell, index) => [reportColumns[index], cell])))
    const log = exchange.calls()
    const untrue = lines.flatMap((line, index) => {
      const [made, old] = ['new key id', 'old key id'].map((column) => known.find(({ key_id }) => key_id === line.get(column as 'new key id')))
      const [delivered, used, verified, revoked] = (['delivered', 'used', 'verified', 'revoked'] as const).map((column) => Date.parse(line.get(column) ?? ''))
      const call = log.find(({ requestId }) => requestId === line.get('request id'))
      const changes = log.filter(({ method, path, status }) => method === 'POST' && status === 200 && path.endsWith(`/${line.get('new key id')}/rotate`))
      const figures = {
        cells: line.get('state') === 'done' && line.get('delivery') === 'done (0)' && line.get('address') === '127.0.0.2' && line.get('left keys') === '',
        'new key': active.includes(line.get('new key id') ?? ''),
        call: call?.status === 200 && callers.get(call.requestId) === plan.items[index]?.id,
        delivered: inOrder(Date.parse(String(made?.created_at)), ...changes.map(({ atMs }) => atMs), delivered, call?.atMs),
        used: inOrder(used, call?.atMs) && inOrder(call?.atMs, used),
        verified: inOrder(call?.atMs, verified, Date.parse(String(old?.revoked_at))),
        // After a kill, the app learns of a revocation when it looks again.
        revoked: inOrder(Date.parse(String(old?.revoked_at)), revoked) && Number(revoked) - Date.parse(String(old?.revoked_at)) < 60_000,
      }
      const wrong = Object.entries(figures).flatMap(([name, holds]) => (holds ? [] : [name]))
      return wrong.length === 0 ? [] : [`${line.get('old key')}: ${wrong.join(', ')}`]
    })
    check(
      'the report is true',
      lines.length > 0 && untrue.length === 0,
      `${lines.length} lines, ${untrue.length === 0 ? 'all as the exchange logged' : untrue.join('; ')}`,
    )
    const clients = [...seen].filter((text) => /BatchMode|insert\0--multiline|encrypt\0--name|secret\0create/.test(text))
    const shown = [...seen].filter((text) => [...secrets].some((secret) => text.includes(secret)))
    check('no secret in an argument or environment', clients.length > 0 && shown.length === 0, `${clients.length} clients seen, ${shown.length} texts`)
    await app.kill()
    const found = filesIn(data).filter((file) => [...secrets].some((secret) => readFileSync(file, 'latin1').includes(secret)))
    check('no secret in a file of the app', found.length === 0, `${secrets.size} secrets searched, ${found.length} files`)
  } finally {
    clearInterval(watch)
    await app.kill()
    await exchange.stop()
    await targets.stop()
    await keyring.stop()
    const until = Date.now() + 10_000
    while (leftIn(folder).length > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 100))
    const left = leftIn(folder)
    check('no process left', left.length === 0, `${left.length} left, ${Math.round((Date.now() - startedAt) / 1_000)} s`)
    rmSync(folder, { recursive: true, force: true })
  }
  return checks
}

export async function open(): Promise<Workbench> {
  return { run: prove, close: async () => undefined }
}
