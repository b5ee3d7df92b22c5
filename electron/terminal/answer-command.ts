import { z } from 'zod'
import { versionedPath } from '../../shared/api/host-url.ts'
import { Scope } from '../../shared/api/scopes.ts'
import { reportLines } from '../../shared/fleet-report.ts'
import type { FleetPlan } from '../../shared/ipc/keys/fleet.ts'
import type { BotPolicy, BotRow, GatewayStatus, Paused } from '../../shared/ipc/keys/gateway.ts'
import type { KeySummary } from '../../shared/ipc/keys/keys.ts'
import { noPolicy, policyDraftOf, policyOf, widened } from '../../shared/limits-draft.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import type { AccessibleKey } from '../keys/keys.ts'
import { createFingerprints, type SecretForScan } from '../keys/leaks/scan-job.ts'
import type { FindLeaving, LeavingSecret } from '../store/secrets/leaving-secret.ts'
import type { AccessibleWebhook } from '../webhooks/subscriptions/webhook-parts.ts'
import type { CheckProgress } from '../workspace/service-check/report.ts'
import { chooseKey, chooseProfile, chooseWebhook, type KnownProfile, meant } from './channel/choose.ts'
import type { Answered, Asked, FingerprintFile, FleetAsk, FleetRow, GatewayAsk, ListedKey, PolicyAsk } from './channel/messages.ts'
import { keychainRefusal, policyWords, type Refusal, refusal, refusalOf, signInRefusal } from './channel/refusal.ts'
import type { ProfileAccess } from './profile-access.ts'

/** Asks the user whether the command may do what it requests. While the app is closed, a fixed rule decides instead of the user. */
export type Allow = (
  kind: 'run' | 'listen' | 'rotate' | 'revoke' | 'check' | 'gateway' | 'fleet',
  profile: KnownProfile,
  of: Chosen,
  command: { readonly words: readonly string[]; readonly program: string | null; readonly folder: string },
) => Promise<Result<void, Refusal>>

/** The key and the webhook whose secrets a command gets; null for one that it doesn't need. */
export interface Chosen {
  readonly key: AccessibleKey | null
  readonly webhook: AccessibleWebhook | null
}

export interface TerminalProfiles {
  profiles(): readonly KnownProfile[]
  activeId(): string | null
  open(profile: KnownProfile): Promise<Result<ProfileAccess, Refusal>>
}

/**
 * The connection to a command that waits for its answer. `said` sends the command a message before the answer; `gone` is aborted when the command
 * ends.
 */
export interface Tell {
  said(answer: Answered): void
  readonly gone: AbortSignal
}

const longestNote = 500

/** Answers the requests of `svc-desk`, whether or not the app is running. The caller provides the keys and the check of permission. */
export async function answerCommand(
  asked: Asked,
  { profiles, allow, clock, tell }: { readonly profiles: TerminalProfiles; readonly allow: Allow; readonly clock: Clock; readonly tell: Tell },
): Promise<Answered> {
  const profile = chooseProfile(profiles.profiles(), asked.profile, profiles.activeId())
  if (!profile.ok) return refused(profile.failure)
  const access = await profiles.open(profile.value)
  if (!access.ok) return refused(access.failure)
  if (asked.type === 'list') return listKeys(profile.value, access.value)

  if (asked.type === 'fingerprints') return fingerprints(profile.value, access.value)

  if (asked.type === 'check') return check(asked, profile.value, access.value, allow, tell)

  if (asked.type === 'gateway') return gateway(asked.does, profile.value, access.value, allow, clock)

  if (asked.type === 'fleet') return fleet(asked.does, profile.value, access.value, allow)

  if (asked.type === 'run' || asked.type === 'listen') return giveSecrets(asked, profile.value, access.value, allow, clock)

  const key = chooseKey(access.value.keys, asked.key, clock.now())
  if (!key.ok) return refused(key.failure)
  // Only the running app can rotate or revoke a key. Refuse before asking the user to approve it.
  if (access.value.handlers === null) return refused(needsTheApp(profile.value.name))
  const command = { words: ['svc-desk', 'keys', asked.type, key.value.label], program: null, folder: '' }
  const allowed = await allow(asked.type, profile.value, { key: key.value, webhook: null }, command)
  return allowed.ok ? change(asked.type, profile.value, access.value, key.value) : refused(allowed.failure)
}

/** Whether a command for the gateway only looks or ends something. Such a command is never held up by a question or by the app's lock. */
export const endsOrLooks = ({ do: what }: GatewayAsk): boolean => what !== 'on' && what !== 'add' && what !== 'resume' && what !== 'limits'

/** The policy that a command asks for. Fails if a market is unknown. */
async function askedPolicy(ask: PolicyAsk, before: BotPolicy, handlers: ProfileAccess['handlers']): Promise<Result<BotPolicy, Refusal>> {
  const markets = await pairIdsOf(ask.markets, handlers)
  if (!markets.ok) return markets
  const draft = policyDraftOf(before)
  const [afterSeconds, closes] = ask.silence?.split(':') ?? []
  const [from, to] = ask.hours?.split('-') ?? []
  const policy = policyOf({
    ...draft,
    ...(ask.mode !== undefined && { mode: ask.mode }),
    ...(markets.value !== undefined && { markets: markets.value }),
    ...(ask.sides !== undefined && { sides: ask.sides?.length === 1 ? (ask.sides[0] ?? 'both') : 'both' }),
    ...(ask.maxOrder !== undefined && { orderValue: ask.maxOrder ?? '' }),
    ...(ask.maxLeverage !== undefined && { leverage: ask.maxLeverage ?? '' }),
    ...(ask.maxLoss !== undefined && { dailyLoss: ask.maxLoss ?? '' }),
    ...(ask.maxOpen !== undefined && { openNotional: ask.maxOpen ?? '' }),
    ...(ask.ordersPerMinute !== undefined && { ordersPerMinute: ask.ordersPerMinute ?? '' }),
    ...(ask.hours !== undefined && { from: from ?? '', to: to ?? '' }),
    ...(ask.silence !== undefined && {
      silenceSeconds: afterSeconds ?? '',
      silenceDoes: closes === 'close' ? ('cancel_and_close' as const) : ('cancel' as const),
    }),
  })
  return policy === null ? fail(refusal('usage', 'A limit is not valid. `svc-desk help bots limits` explains them.')) : ok(policy)
}

/** The ids of markets that the user names by symbol or id. undefined: no change; null: all markets. */
async function pairIdsOf(named: PolicyAsk['markets'], handlers: ProfileAccess['handlers']): Promise<Result<readonly number[] | null | undefined, Refusal>> {
  if (named == null) return ok(named)
  const list = handlers === null ? null : await handlers['markets.list']({})
  if (list?.ok !== true) return fail(refusal('unavailable', 'Svc Desk could not read the markets. Try again.'))
  const ids: number[] = []
  for (const name of named) {
    const market = list.value.markets.find(({ id, symbol }) => symbol.toLowerCase() === name.toLowerCase() || String(id) === name)
    if (market === undefined) {
      const known = list.value.markets.map(({ symbol }) => symbol)
      return fail(
        refusal(
          'missing',
          `There is no market ${name}.${meant(
            name,
            known.map((symbol) => symbol.toLowerCase()),
            (symbol) => symbol.toUpperCase(),
          )} Markets are named like ${known[0] ?? 'ETH-PERP'}.`,
        ),
      )
    }
    ids.push(market.id)
  }
  return ok([...new Set(ids)])
}

async function gateway(
  does: GatewayAsk,
  profile: KnownProfile,
  { gateway: bots, keys, handlers }: ProfileAccess,
  allow: Allow,
  clock: Clock,
): Promise<Answered> {
  if (bots === null) return refused(refusal('unavailable', `The gateway runs in Svc Desk. Open ${profile.name} there, then try again.`))
  const said = (token: string | null = null, paused: Paused | null = null, of: string | null = null): Answered => {
    const status = bots.status()
    return {
      type: 'gateway',
      profile: profile.name,
      status: of === null ? status : { ...status, bots: status.bots.filter(({ id }) => id === of) },
      token,
      paused,
    }
  }
  const asks = (words: readonly string[], key: AccessibleKey | null = null) =>
    allow('gateway', profile, { key, webhook: null }, { words: ['svc-desk', ...words], program: null, folder: '' })
  switch (does.do) {
    case 'status':
      return said()
    case 'on':
    case 'off': {
      const allowed = does.do === 'on' ? await asks(['gateway', 'on']) : ok(undefined)
      if (!allowed.ok) return refused(allowed.failure)
      const { trouble } = await bots.set(does.do === 'on' ? { isOn: true, port: does.port ?? undefined } : { isOn: false })
      return trouble === null ? said() : refused(refusal('unavailable', troubleText(trouble)))
    }
    case 'stop': {
      const paused = bots.pause(null)
      return paused.ok ? said(null, paused.value) : refused(refusalOf(paused.failure))
    }
    case 'add': {
      const key = chooseKey(keys, does.key, clock.now())
      if (!key.ok) return refused(key.failure)
      const policy = await askedPolicy(does.policy, { mode: 'observe', ...noPolicy }, handlers)
      if (!policy.ok) return refused(policy.failure)
      const { expiresInDays } = does
      const ends = expiresInDays === null ? [] : ['--expires-in-days', String(expiresInDays)]
      const allowed = await asks(['bots', 'add', does.bot, ...ends, ...policyWords(policy.value)], key.value)
      if (!allowed.ok) return refused(allowed.failure)
      const { wallet, keyId, scopes } = key.value
      const wanted = does.scopes ?? z.array(Scope).parse((scopes ?? []).filter((scope) => scope !== 'collateral:manage'))
      if (wanted.length === 0) return refused(refusal('unavailable', `The scopes of ${key.value.label} are unknown. Open Keys in Svc Desk, then try again.`))
      const added = bots.add({ label: does.bot, wallet, keyId, scopes: wanted, expiresInDays, policy: policy.value })
      return added.ok ? said(added.value.token.reveal()) : refused(refusalOf(added.failure))
    }
    case 'limits': {
      const bot = botNamed(does.bot, bots.status())
      if (!bot.ok) return refused(bot.failure)
      const { id, label, policy: before } = bot.value
      if (Object.keys(does.policy).length === 0) return said(null, null, id)
      const policy = await askedPolicy(does.policy, before, handlers)
      if (!policy.ok) return refused(policy.failure)
      const wider = widened(before, policy.value)
      const allowed = wider.length === 0 ? ok(undefined) : await asks(['bots', 'limits', label, ...policyWords(policy.value)])
      if (!allowed.ok) return refused(allowed.failure)
      const saved = bots.setPolicy(id, policy.value)
      return saved.ok ? said(null, null, id) : refused(refusalOf(saved.failure))
    }
    default: {
      const bot = botNamed(does.bot, bots.status())
      if (!bot.ok) return refused(bot.failure)
      const { id } = bot.value
      const allowed = does.do === 'resume' ? await asks(['bots', 'resume', does.bot]) : ok(undefined)
      if (!allowed.ok) return refused(allowed.failure)
      const done = does.do === 'pause' ? bots.pause(id) : does.do === 'resume' ? bots.resume(id) : bots.revoke(id)
      return done.ok ? said(null, done.value ?? null) : refused(refusalOf(done.failure))
    }
  }
}

/** Lists, pauses, resumes or removes fleet plans. To pause asks nothing, because then nothing more leaves, and pauses all open plans of that name. */
async function fleet(does: FleetAsk, profile: KnownProfile, { handlers }: ProfileAccess, allow: Allow): Promise<Answered> {
  if (handlers === null) return refused(refusal('unavailable', `Plans run in Svc Desk. Open ${profile.name} there, then try again.`))
  const listed = await handlers['fleet.list']({})
  if (!listed.ok) return refused(refusalOf(listed.failure))
  const plans = (of: FleetRow[]): Answered => ({ type: 'fleet', profile: profile.name, plans: of })
  if (does.do === 'list') return plans(listed.value.map((plan) => fleetRow(plan, [])))
  const named = listed.value.filter(({ id, name }) => id === does.plan || name === does.plan)
  // A command that changes plans means those that it can change, if there are any.
  const changeable = named.filter(({ state }) => (does.do === 'remove') === (state === 'ended'))
  const fits = changeable.length > 0 && does.do !== 'show' && does.do !== 'report' ? changeable : named
  const [plan, ...more] = fits
  if (plan === undefined) return refused(refusal('missing', `There is no plan ${does.plan}. \`svc-desk fleet list\` lists them.`))
  if (does.do === 'pause') {
    // One plan that cannot be paused keeps no other one running.
    const each = await Promise.allSettled(fits.map(async ({ id }) => handlers['fleet.set']({ id, to: 'pause' })))
    const paused: FleetRow[] = []
    for (const one of each) {
      if (one.status === 'rejected') throw one.reason
      if (!one.value.ok) return refused(refusalOf(one.value.failure))
      paused.push({ id: one.value.value.id, state: one.value.value.state, about: null })
    }
    return plans(paused)
  }
  if (more.length > 0) return refused(refusal('usage', `Several plans are named ${does.plan}. Use one of these ids: ${fits.map(({ id }) => id).join(', ')}.`))
  if (does.do === 'show' || does.do === 'report') return plans([fleetRow(plan, reportLines(plan))])
  if (does.do === 'remove' && plan.state !== 'ended') return refused(refusal('later', 'The plan has not ended. End it in Svc Desk first.'))
  const words = ['svc-desk', 'fleet', does.do, plan.name, plan.id]
  const allowed = await allow('fleet', profile, { key: null, webhook: null }, { words, program: null, folder: '' })
  if (!allowed.ok) return refused(allowed.failure)
  if (does.do === 'remove') {
    const removed = await handlers['fleet.remove']({ id: plan.id })
    return removed.ok ? plans([{ id: plan.id, state: plan.state, about: null }]) : refused(refusalOf(removed.failure))
  }
  const set = await handlers['fleet.set']({ id: plan.id, to: 'resume' })
  return set.ok ? plans([{ id: plan.id, state: set.value.state, about: null }]) : refused(refusalOf(set.failure))
}

const fleetRow = ({ id, state, name, isDue, items }: FleetPlan, lines: string[][]): FleetRow => ({
  ...{ id, state },
  about: {
    ...{ name, isDue, lines, keys: items.length },
    done: items.filter((item) => item.state === 'done').length,
    needsUser: items.filter((item) => item.needsUser).length,
  },
})

const troubleText = ({ code, detail, port }: NonNullable<GatewayStatus['trouble']>): string =>
  code === 'port_taken'
    ? `Another program uses port ${port}. Choose another one with --port.`
    : `The gateway cannot listen on port ${port} (${detail}). Choose another one with --port.`

function botNamed(wanted: string, { bots }: GatewayStatus): Result<BotRow, Refusal> {
  const fits = bots.filter(({ id, label }) => id === wanted || label === wanted)
  const [found, ...more] = fits
  if (found === undefined) return fail(refusal('missing', `There is no bot ${wanted}. \`svc-desk bots list\` lists them.`))
  return more.length === 0
    ? ok(found)
    : fail(refusal('usage', `Several bots are named ${wanted}. Use one of these ids: ${fits.map(({ id }) => id).join(', ')}.`))
}

async function check(
  { dryRuns, acceptTops }: Extract<Asked, { type: 'check' }>,
  profile: KnownProfile,
  { runCheck }: ProfileAccess,
  allow: Allow,
  { said, gone }: Tell,
): Promise<Answered> {
  if (runCheck === null) return refused(refusal('unavailable', `The check needs your wallet. Open ${profile.name} in Svc Desk, then try again.`))
  const words = ['svc-desk', 'check', ...(dryRuns ? ['--dry-runs'] : []), ...(acceptTops ? ['--accept-top'] : [])]
  const allowed = await allow('check', profile, { key: null, webhook: null }, { words, program: null, folder: '' })
  if (!allowed.ok) return refused(allowed.failure)
  const told = (what: CheckProgress) => said(what.type === 'step' ? { type: 'step', detail: what.detail } : { type: 'accepted', tops: [...what.tops] })
  const ended = await runCheck({ dryRuns, acceptTops }, told, gone)
  return ended.ok ? { type: 'checked' } : refused(refusalOf(ended.failure))
}

async function giveSecrets(
  asked: Extract<Asked, { type: 'run' | 'listen' }>,
  profile: KnownProfile,
  access: ProfileAccess,
  allow: Allow,
  clock: Clock,
): Promise<Answered> {
  const wanted = asked.type === 'run' ? asked.key : null
  const key = wanted === null ? ok(null) : chooseKey(access.keys, wanted, clock.now())
  if (!key.ok) return refused(key.failure)
  const needsNone = asked.type === 'run' && asked.webhook === null
  const webhook = needsNone ? ok(null) : chooseWebhook(access.webhooks, asked.webhook)
  if (!webhook.ok) return refused(webhook.failure)
  const chosen: Chosen = { key: key.value, webhook: webhook.value }
  const noted = (outcome: 'done' | 'failed' | 'denied') => {
    const use = { use: 'run', profileId: profile.id, to: asked.words.join(' ').slice(0, longestNote), by: 'terminal', outcome } as const
    if (chosen.key !== null) access.note({ ...use, keyId: chosen.key.keyId, label: chosen.key.label })
    if (chosen.webhook !== null) access.note({ ...use, of: 'webhook', keyId: chosen.webhook.webhookId, label: chosen.webhook.url })
  }
  const allowed = await allow(asked.type, profile, chosen, asked)
  if (!allowed.ok) {
    noted('denied')
    return refused(allowed.failure)
  }
  const given = await secretsOf(access, chosen)
  noted(given.ok ? 'done' : 'failed')
  return given.ok
    ? { type: 'run', ...given.value, webhookUrl: chosen.webhook?.url ?? null, baseUrl: `${access.hostUrl}${versionedPath}` }
    : refused(given.failure)
}

async function secretsOf(access: ProfileAccess, { key, webhook }: Chosen): Promise<Result<{ apiKey: string | null; webhookSecret: string | null }, Refusal>> {
  const apiKey = key === null ? ok(null) : await find(access.secretOf(key.keyId), key.label)
  if (!apiKey.ok) return apiKey
  const webhookSecret = webhook === null ? ok(null) : await find(access.webhookSecretOf(webhook.webhookId), webhook.url)
  if (!webhookSecret.ok) return webhookSecret
  // Take the secrets last. Taking a secret checks the lock, and the app may lock during any of the waits above.
  const [keyText, webhookText] = [take(apiKey.value), take(webhookSecret.value)]
  if (!keyText.ok) return keyText
  return webhookText.ok ? ok({ apiKey: keyText.value, webhookSecret: webhookText.value }) : webhookText
}

/** Makes fingerprints of all keys and signing secrets. Asks no question, because fingerprints reveal no secret. */
async function fingerprints({ name }: KnownProfile, { keys, secretOf, webhooks, webhookSecretOf }: ProfileAccess): Promise<Answered> {
  const wanted = [
    ...keys.map(({ keyId, label }) => ({ id: keyId, label, find: secretOf })),
    ...webhooks.map(({ webhookId }) => ({ id: webhookId, label: webhookId, find: webhookSecretOf })),
  ]
  const held: SecretForScan[] = []
  for (const { id, find: read } of wanted) {
    const secret = await read(id)
    if (!secret.ok) return refused(keychainRefusal(secret.failure.code))
    const taken = secret.value?.take() ?? null
    if (taken?.ok === false) return refused(refusalOf(taken.failure))
    if (taken !== null) held.push({ keyId: id, wallet: '', secret: taken.value })
  }
  const made = createFingerprints()
  made.learn(held)
  const { key: salt, seed, lengths, glances, known } = made.prints()
  const labels = new Map(wanted.map(({ id, label }) => [id, label]))
  const secrets = known.map(([print, { keyId }]) => ({ print, id: keyId ?? '', label: labels.get(keyId ?? '') ?? '' }))
  const file: FingerprintFile = {
    ...{ format: 'svc-desk fingerprints', version: 1 },
    ...{ salt: Buffer.from(salt).toString('base64'), seed, lengths: [...lengths], glances: [...glances], secrets },
  }
  return { type: 'fingerprints', profile: name, file, missing: wanted.length - held.length }
}

async function find(reading: ReturnType<FindLeaving>, label: string): Promise<Result<LeavingSecret, Refusal>> {
  const secret = await reading
  if (!secret.ok) return fail(keychainRefusal(secret.failure.code))
  return secret.value === null
    ? fail(refusal('missing', `The system keychain no longer has the secret of ${label}. Get a new secret in Svc Desk.`))
    : ok(secret.value)
}

function take(secret: LeavingSecret | null): Result<string | null, Refusal> {
  const taken = secret === null ? ok(null) : secret.take()
  return taken.ok ? ok(taken.value?.reveal() ?? null) : fail(refusalOf(taken.failure))
}

async function listKeys({ name }: KnownProfile, { keys, handlers }: ProfileAccess): Promise<Answered> {
  const listing = handlers === null ? null : await handlers['keys.list']({})
  if (listing?.ok === true)
    return { type: 'list', profile: name, source: 'service', why: null, keys: listing.value.keys.map((key) => listed(key, walletOf(keys, key.id))) }
  return {
    type: 'list',
    profile: name,
    source: 'computer',
    why: listing === null ? 'The profile is not open in Svc Desk.' : refusalOf(listing.failure).sentence,
    keys: keys.map(remembered),
  }
}

async function change(action: 'rotate' | 'revoke', { name }: KnownProfile, { handlers, keys }: ProfileAccess, key: AccessibleKey): Promise<Answered> {
  if (handlers === null) return refused(needsTheApp(name))
  const input = { keyId: key.keyId, confirmLabel: key.label }
  if (action === 'rotate') {
    const rotated = await handlers['keys.rotate'](input)
    return rotated.ok ? { type: 'done', action, profile: name, key: listed(rotated.value, walletOf(keys, key.keyId)) } : refused(refusalOf(rotated.failure))
  }
  const revoked = await handlers['keys.revoke'](input)
  return revoked.ok
    ? { type: 'done', action, profile: name, key: { ...remembered(key), status: 'revoked', here: revoked.value.leftInKeychain } }
    : refused(refusalOf(revoked.failure))
}

const listed = ({ id, label, status, scopes, createdAtMs, expiresAtMs, secret }: KeySummary, wallet: string | null): ListedKey => ({
  id,
  label,
  wallet,
  status,
  scopes,
  createdAtMs,
  expiresAtMs,
  here: secret === 'keychain' || secret === 'memory',
})

const remembered = ({ keyId, label, wallet, status, scopes, createdAtMs, expiresAtMs }: AccessibleKey): ListedKey => ({
  id: keyId,
  label,
  wallet,
  status,
  scopes,
  createdAtMs,
  expiresAtMs,
  here: true,
})

const walletOf = (keys: readonly AccessibleKey[], keyId: string): string | null => keys.find((key) => key.keyId === keyId)?.wallet ?? null

const needsTheApp = (profile: string): Refusal =>
  signInRefusal(`You must be signed in with your wallet. Open ${profile} in Svc Desk, then try again.`, { profile })

export const refused = (why: Refusal): Answered => ({ type: 'refused', ...why })
