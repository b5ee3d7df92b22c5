import { createPrivateKey, hash, randomBytes, X509Certificate } from 'node:crypto'
import { closeSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { botTokenPrefix } from '../../../shared/api/redact.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { type HeadlessFailure, type HeadlessKey, openGatewayState, startHeadlessGateway } from '../../gateway/headless-gateway.ts'
import type { ListenerPlace } from '../../gateway/http/listener.ts'
import { errnoOf } from '../../kernel/failures.ts'
import { Secret } from '../../kernel/secret.ts'
import { proxyEnvironment, proxyFor } from '../../service/transport/system-proxy.ts'
import type { SecretStore } from '../../store/secrets/secret-store.ts'
import { keychainRefusal, plain, type Refusal, refusal } from '../channel/refusal.ts'
import type { SignalRelay } from '../channel/run-child.ts'
import { type GatewayConfig, readGatewayConfig, type SecretSource } from './gateway-config.ts'

export interface GatewayServerParts {
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  readonly version: string
  readonly secrets: SecretStore
  readonly stdout: Writable
  readonly signals: SignalRelay
  readonly clock: Clock
  readonly say: (sentence: string) => void
}

/** How long the gateway waits at its end for the calls under way. systemd kills a service after 90 seconds. */
const endMs = 15 * second
const largestSecret = 64 * 1_024

/** A new token for a bot of a configuration, and the value of the bot's field `token`. */
export function newConfiguredToken(): { readonly token: Secret; readonly line: string } {
  const id = randomBytes(6).toString('hex')
  const secret = randomBytes(32).toString('base64url')
  return { token: new Secret(`${botTokenPrefix}${id}.${secret}`), line: `${id}.${hash('sha256', secret)}` }
}

/** Runs the gateway of a configuration until a signal ends it. Returns why it could not start; null if it ended in order. */
export async function gatewayServer(file: string, parts: GatewayServerParts): Promise<Refusal | null> {
  const { env, folder, clock, say, stdout, version, signals } = parts
  const { promise: ended, resolve: end } = Promise.withResolvers<NodeJS.Signals>()
  signals.here(end)
  const config = readConfig(resolve(folder, file), file)
  if (!config.ok) return config.failure
  const { hostUrl, state, port, metricsPort, callsPerSecond, bots } = config.value
  const data = config.value.data ?? env.STATE_DIRECTORY?.split(':')[0] ?? ''
  if (data === '') return refusal('usage', `${file}: name the folder for the gateway’s records with data.`)
  const keys = await readKeys(config.value, parts)
  if (!keys.ok) return keys.failure
  const place = await readPlace(config.value, parts)
  if (!place.ok) return place.failure
  const walletOf = (label: string) => keys.value.find((key) => key.label === label)
  const started = await startHeadlessGateway(
    {
      ...{ hostUrl, folder: data, state, port, place: place.value, metricsPort, callsPerSecond, keys: keys.value },
      bots: bots.map(({ key, ...bot }) => ({ ...bot, keyId: walletOf(key)?.id ?? '', wallet: walletOf(key)?.wallet ?? '' })),
    },
    {
      ...{ version, clock, openState: openGatewayState },
      proxy: await proxyFor(hostUrl, proxyEnvironment(env), async () => 'DIRECT'),
      log: (event, facts) => say(`${event} ${JSON.stringify(facts)}`),
    },
  )
  if (!started.ok) return startRefusal(started.failure, config.value, data)
  const { hostUrl: address, socket, metricsUrl, stop } = started.value
  stdout.write(`The gateway listens on ${address}${socket === null ? '' : ` and ${socket}`}\n`)
  if (metricsUrl !== null) stdout.write(`Metrics are at ${metricsUrl}/metrics\n`)
  await ended
  const open = await stop(endMs)
  for (const { botId, key } of open) say(`May still take effect: ${key} of ${plain(bots.find(({ id }) => id === botId)?.label ?? botId)}`)
  stdout.write('The gateway has ended.\n')
  return null
}

function readConfig(path: string, shown: string): Result<GatewayConfig, Refusal> {
  try {
    const read = readGatewayConfig(readFileSync(path, 'utf8'))
    return read.ok ? read : fail(refusal('usage', `${shown}: ${read.failure}`))
  } catch (error) {
    return fail(refusal('missing', `${shown} cannot be read (${errnoOf(error)}).`))
  }
}

/** Reads the secrets of all keys, so that a missing one is found before a bot needs it. */
async function readKeys({ keys }: GatewayConfig, parts: GatewayServerParts): Promise<Result<readonly HeadlessKey[], Refusal>> {
  const read: HeadlessKey[] = []
  for (const { label, id, wallet, scopes, from, expiresAtMs } of keys) {
    if (expiresAtMs !== null && expiresAtMs <= parts.clock.now())
      return fail(refusal('unavailable', `The key ${label} expired on ${new Date(expiresAtMs).toISOString().slice(0, 10)}. Make a new key and change its id.`))
    const secret = await readSource(from, `the key ${label}`, parts)
    if (!secret.ok) return secret
    if (!/^[\x21-\x7e]{8,512}$/.test(secret.value.reveal()))
      return fail(refusal('missing', `The secret of the key ${label} is no key. Check ${sourceText(from)}.`))
    read.push({ id, label, wallet, scopes, secret: secret.value })
  }
  return ok(read)
}

async function readPlace({ tls }: GatewayConfig, parts: GatewayServerParts): Promise<Result<ListenerPlace | undefined, Refusal>> {
  if (tls === null) return ok(undefined)
  const certificate = await readSource({ kind: 'file', path: tls.certificate }, 'the certificate', parts)
  if (!certificate.ok) return certificate
  const clients = await readSource({ kind: 'file', path: tls.clients }, 'the clients’ authority', parts)
  if (!clients.ok) return clients
  const key = await readSource(tls.key, 'the certificate’s key', parts)
  if (!key.ok) return key
  const [own, authority] = [certificateOf(certificate.value), certificateOf(clients.value)]
  if (own === null) return fail(refusal('missing', `${tls.certificate} contains no certificate in the form PEM.`))
  if (authority === null) return fail(refusal('missing', `${tls.clients} contains no certificate in the form PEM.`))
  if (Date.parse(own.validTo) <= parts.clock.now()) return fail(refusal('unavailable', `The certificate ${tls.certificate} has expired.`))
  if (!isKeyOf(own, key.value)) return fail(refusal('missing', `${sourceText(tls.key)} is not the key of ${tls.certificate}.`))
  return ok({
    ...{ address: tls.address, names: tls.names, certificate: certificate.value.reveal(), clientCa: clients.value.reveal(), key: key.value },
  })
}

function certificateOf(pem: Secret): X509Certificate | null {
  try {
    return new X509Certificate(pem.reveal())
  } catch {
    return null
  }
}

function isKeyOf(certificate: X509Certificate, pem: Secret): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(pem.reveal()))
  } catch {
    return false
  }
}

const sourceText = (source: SecretSource): string => {
  switch (source.kind) {
    case 'credential':
      return `the credential ${source.name}`
    case 'fd':
      return `file descriptor ${source.fd}`
    case 'keychain':
      return `the keychain’s entry ${source.account}`
    case 'file':
      return source.path
  }
}

async function readSource(source: SecretSource, of: string, { env, folder, secrets }: GatewayServerParts): Promise<Result<Secret, Refusal>> {
  if (source.kind === 'keychain') {
    const found = await secrets.get(source.account)
    if (!found.ok) return fail(keychainRefusal(found.failure.code))
    if (found.value !== null) return ok(found.value)
    // A locked keychain answers like one without the entry.
    const probed = await secrets.probe()
    return fail(probed.ok ? refusal('missing', `The keychain has no entry ${source.account} for ${of}.`) : keychainRefusal(probed.failure.code))
  }
  const given = env.CREDENTIALS_DIRECTORY ?? ''
  if (source.kind === 'credential' && given === '')
    return fail(refusal('missing', `CREDENTIALS_DIRECTORY names no folder, so there is no credential ${source.name} for ${of}. systemd sets it.`))
  const where = source.kind === 'fd' ? source.fd : source.kind === 'credential' ? join(given, source.name) : resolve(folder, source.path)
  try {
    const text = readFileSync(where, 'utf8')
    if (source.kind === 'fd') closeSync(source.fd)
    return text.length > largestSecret ? fail(refusal('missing', `${sourceText(source)} is too long for ${of}.`)) : ok(new Secret(text.replace(/\r?\n$/, '')))
  } catch (error) {
    return fail(refusal('missing', `${sourceText(source)} for ${of} cannot be read (${errnoOf(error)}).`))
  }
}

function startRefusal(failure: HeadlessFailure, { port }: GatewayConfig, data: string): Refusal {
  switch (failure.code) {
    case 'port': {
      const field = failure.port === port ? 'port' : 'metrics_port'
      return failure.detail === 'EADDRINUSE'
        ? refusal('unavailable', `Another program uses port ${failure.port}. Choose another one with ${field}.`)
        : refusal('unavailable', `The gateway cannot listen on port ${failure.port} (${failure.detail}). Check address and ${field}.`)
    }
    case 'state_unsupported':
      return refusal('usage', 'A shared database as the state of the gateway is not supported yet. Use state = "sqlite".')
    case 'taken':
      return refusal('unavailable', `Another gateway uses ${data}. End it, or name another folder with data.`)
    case 'journal':
      return failure.detail === 'no_space'
        ? refusal('unavailable', `The disk of ${data} is full. Make space, then start the gateway again. Nothing was lost.`)
        : refusal('unavailable', `The gateway cannot write its records in ${data} (${failure.detail}).`)
  }
}
