import { versionedPath } from '../../shared/api/host-url.ts'
import type { KeySummary } from '../../shared/ipc/keys.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import type { ShelfKey } from '../keys/key-shelf.ts'
import { chooseKey, chooseProfile, type KnownProfile } from './choose.ts'
import type { Answered, Asked, ListedKey } from './messages.ts'
import { keychainRefusal, type Refusal, refusal, refusalOf } from './refusal.ts'
import type { OpenShelf } from './shelf.ts'

/** Whether the user lets this happen. With the app closed nobody can be asked. */
export type Allow = (
  kind: 'run' | 'rotate' | 'revoke',
  profile: KnownProfile,
  key: ShelfKey,
  command: { readonly words: readonly string[]; readonly program: string | null; readonly folder: string },
) => Promise<Result<void, Refusal>>

export interface Shelves {
  profiles(): readonly KnownProfile[]
  activeId(): string | null
  open(profile: KnownProfile): Promise<Result<OpenShelf, Refusal>>
}

/** Of a command in the log of uses. */
const longestNote = 500

/** Answers what `svc-desk` asks, in the app as well as by itself: only where the keys come from and who allows it differ. */
export async function answerCommand(
  asked: Asked,
  { shelves, allow, clock }: { readonly shelves: Shelves; readonly allow: Allow; readonly clock: Clock },
): Promise<Answered> {
  const profile = chooseProfile(shelves.profiles(), asked.profile, shelves.activeId())
  if (!profile.ok) return refused(profile.failure)
  const shelf = await shelves.open(profile.value)
  if (!shelf.ok) return refused(shelf.failure)
  if (asked.type === 'list') return listKeys(profile.value, shelf.value)

  const key = chooseKey(shelf.value.keys, asked.key, clock.now())
  if (!key.ok) return refused(key.failure)
  const { keyId, label } = key.value
  const command = asked.type === 'run' ? asked : { words: ['svc-desk', 'keys', asked.type, label], program: null, folder: '' }
  // Before the question: nobody is asked in vain.
  if (asked.type !== 'run' && shelf.value.handlers === null) return refused(needsTheApp(profile.value.name))
  const noted = (outcome: 'done' | 'failed' | 'denied') => {
    if (asked.type === 'run')
      shelf.value.note({ use: 'run', profileId: profile.value.id, keyId, label, to: command.words.join(' ').slice(0, longestNote), by: 'terminal', outcome })
  }
  const allowed = await allow(asked.type, profile.value, key.value, command)
  if (!allowed.ok) {
    noted('denied')
    return refused(allowed.failure)
  }
  if (asked.type === 'run') {
    const secret = await secretOf(shelf.value, key.value)
    noted(secret.ok ? 'done' : 'failed')
    return secret.ok ? { type: 'run', apiKey: secret.value, baseUrl: `${shelf.value.hostUrl}${versionedPath}` } : refused(secret.failure)
  }
  return change(asked.type, profile.value, shelf.value, key.value)
}

async function secretOf(shelf: OpenShelf, { keyId, label }: ShelfKey): Promise<Result<string, Refusal>> {
  const secret = await shelf.secretOf(keyId)
  if (!secret.ok) return fail(keychainRefusal(secret.failure.code))
  if (secret.value === null) return fail(refusal('missing', `The secret of ${label} is not in the system keychain any more.`))
  return ok(secret.value.reveal())
}

async function listKeys({ name }: KnownProfile, { keys, handlers }: OpenShelf): Promise<Answered> {
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

async function change(action: 'rotate' | 'revoke', { name }: KnownProfile, { handlers, keys }: OpenShelf, key: ShelfKey): Promise<Answered> {
  if (handlers === null) return refused(needsTheApp(name))
  const input = { keyId: key.keyId, confirmLabel: key.label }
  if (action === 'rotate') {
    const rotated = await handlers['keys.rotate'](input)
    return rotated.ok ? { type: 'done', action, profile: name, key: listed(rotated.value, walletOf(keys, key.keyId)) } : refused(refusalOf(rotated.failure))
  }
  const revoked = await handlers['keys.revoke'](input)
  return revoked.ok ? { type: 'done', action, profile: name, key: { ...remembered(key), status: 'revoked', here: false } } : refused(refusalOf(revoked.failure))
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

const remembered = ({ keyId, label, wallet, status, scopes, createdAtMs, expiresAtMs }: ShelfKey): ListedKey => ({
  id: keyId,
  label,
  wallet,
  status,
  scopes,
  createdAtMs,
  expiresAtMs,
  here: true,
})

const walletOf = (keys: readonly ShelfKey[], keyId: string): string | null => keys.find((key) => key.keyId === keyId)?.wallet ?? null

const needsTheApp = (profile: string): Refusal => refusal('wallet', `This needs the sign-in of your wallet. Open ${profile} in Svc Desk, then try again.`)

export const refused = ({ exitCode, sentence }: Refusal): Answered => ({ type: 'refused', exitCode, sentence })
