// Runs a gateway in its own process, so that a test can kill the process. Takes its facts as JSON in the first argument, and prints one line of JSON
// when it listens. The key comes on standard input, because arguments are visible to other processes; with bots that several gateways share, as JSON.
import { writeFileSync } from 'node:fs'
import { createGateway } from '../../../electron/gateway/gateway.ts'
import { createPostgresState, readStateUrl } from '../../../electron/gateway/state/postgres-state.ts'
import { createRiskLimits } from '../../../electron/intents/risk-limits/risk-limits.ts'
import { sleep } from '../../../electron/kernel/deadline.ts'
import { Secret } from '../../../electron/kernel/secret.ts'
import { createServiceClock, createVitalSigns } from '../../../electron/service/api/vital-signs.ts'
import { createCredentials } from '../../../electron/service/credentials/credentials.ts'
import { createDispatchers } from '../../../electron/service/transport/dispatcher.ts'
import { openJournal } from '../../../electron/store/journal/tables/sqlite-journal.ts'
import type { StoredBot } from '../../../electron/store/records/gateway-records.ts'
import { noLimits } from '../../../shared/limits-draft.ts'
import { ok } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { createMemorySecretStore } from '../main/memory-secret-store.ts'
import { openApi } from '../main/open-api.ts'

export interface ChildFacts {
  readonly journalFile: string
  readonly hostUrl: string
  readonly wallet: string
  readonly keyId: string
  readonly scopes: readonly ('account:read' | 'market:read' | 'trade:execute' | 'orders:manage')[]
  /** How many bots to add if the journal has none; 1 if absent. */
  readonly bots?: number
  /** 10,000 if absent. */
  readonly callsPerSecond?: number
  /** The address of the database that several gateways share; none if absent. */
  readonly state?: string
}

const facts = JSON.parse(process.argv[2] ?? '') as ChildFacts // safe cast: the test writes these facts
const { hostUrl, journalFile, keyId, wallet, scopes, bots = 1, callsPerSecond = 10_000 } = facts
let given = ''
for await (const part of process.stdin) given += String(part)
const { key, stored = [] } = given.startsWith('{') ? (JSON.parse(given) as { key: string; stored?: readonly StoredBot[] }) : { key: given } // safe cast: `fleet.ts` writes it

const vitalSigns = createVitalSigns(systemClock)
const clock = createServiceClock(systemClock, vitalSigns)
const journal = openJournal({ file: journalFile, clock })
const profile = { id: 'practice', kind: 'live' as const, hostUrl, practiceWallet: null }
const secrets = createMemorySecretStore()
const account = `key/${keyId}`
await secrets.set(account, new Secret(key))
journal.secretIndex.remember({ profileId: profile.id, wallet, keyId, account, label: 'bot' })
const credentials = createCredentials({ profile, journal, secrets, clock })
credentials.made({ keyId, wallet, label: 'bot', agent: null, askedScopes: scopes, allowlist: [] })
const api = openApi({
  ...{ hostUrl, clock: systemClock, vitalSigns, sleep, sent: [] },
  connections: createDispatchers(new URL(hostUrl), { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined }),
  onExchange: (...exchange) => journal.requests.add(profile.id, ...exchange),
})
for (const bot of stored)
  if (journal.records.bots.read({ profile: profile.id, id: bot.id }) === null) journal.records.bots.write({ profile: profile.id, id: bot.id }, bot)
if (stored.length > 0) writeFileSync(`${journalFile}.permit`, '')
const shared = facts.state === undefined ? null : readStateUrl({ url: facts.state, password: null })
if (shared?.ok === false) throw new Error(shared.failure)
const state = shared === null ? null : await createPostgresState({ server: shared.value, clock, log: () => undefined })
const shown = { shown: () => ok(wallet) }
const gateway = createGateway({
  ...{ profile, api, journal, credentials, clock, socket: null, permit: `${journalFile}.permit` },
  ...(state !== null && { state }),
  wallet: shown,
  riskLimits: createRiskLimits({
    profile,
    profileName: 'Practice',
    records: journal.records,
    wallet: shown,
    markets: { known: () => null },
    api,
    credentials,
    clock,
  }),
  fieldMap: { names: () => ({}), answers: () => undefined },
  outlets: { reveal: () => ({ closesInMs: 0 }) },
  every: (ms, work) => {
    const timer = setInterval(() => void work(), ms)
    return () => clearInterval(timer)
  },
  emit: () => undefined,
  onInvalidate: () => undefined,
  log: () => undefined,
})
const policy = { mode: 'live' as const, limits: noLimits, sides: null, openNotionalUsdc: null, ordersPerMinute: null, hours: null, silence: null }
const isFirst = gateway.access.status().bots.length === 0
const added = Array.from({ length: isFirst ? bots : 0 }, () =>
  gateway.access.add({ label: 'grid', wallet, keyId, scopes: [...scopes], expiresInDays: null, policy }),
)
await gateway.start()
const status = await gateway.access.set({ isOn: true, port: 0, callsPerSecond })
// A gateway that cannot take new risk yet would make each test wait for it.
while (state?.isReachable() === false) await sleep(20)
process.stdout.write(`${JSON.stringify({ hostUrl: status.hostUrl, tokens: added.flatMap((one) => (one.ok ? [one.value.token.reveal()] : [])) })}\n`)
process.on('message', (asked: { readonly pause?: string | null; readonly resume?: string }) => {
  if (asked.resume !== undefined) gateway.access.resume(asked.resume)
  else gateway.access.pause(asked.pause ?? null)
})
