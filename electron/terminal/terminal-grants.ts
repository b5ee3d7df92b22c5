import type { TerminalGrant, TerminalRequest } from '../../shared/ipc/keys/secrets.ts'
import { type Clock, hour } from '../../shared/time.ts'

/** A command's request, plus values that the user doesn't see. A stored permission applies only if these values are equal too. */
export interface BoundRequest extends TerminalRequest {
  /** Hash of the program's bytes; null if the app must ask the user about this command every time. */
  readonly print: string | null
  /** When the requested secrets were stored, Unix ms. A rotation changes this time, so an old permission no longer matches. */
  readonly storedAtMs: readonly (number | null)[]
}

/** The stored permissions of commands. A permission lets one command use one key again without asking the user, for a limited time. */
export interface Grants {
  list(): TerminalGrant[]
  use(request: BoundRequest): TerminalGrant | null
  /** Stores a permission for this request. Does nothing if the app must ask the user about such a request every time. */
  add(request: BoundRequest): void
  /** Removes the permission with this id. Returns false if it does not exist. */
  remove(id: string): boolean
  /** Ends all permissions, for example when the app locks. */
  clear(): void
}

/** How long the permission for a command lasts, in ms. Half a day, so that a permission from the morning has expired by the next day. */
export const grantLifeMs = 12 * hour

interface Kept {
  readonly request: BoundRequest
  readonly grant: TerminalGrant
}

/** Keeps permissions for commands only in memory, so that a restart ends them. */
export function createGrants({ clock, newId }: { readonly clock: Clock; readonly newId: () => string }): Grants {
  const kept = new Map<string, Kept & { readonly endsAt: number }>()
  const drop = () => {
    for (const [id, { grant, endsAt }] of kept) if (clock.monotonic() >= endsAt || clock.now() >= grant.endsAtMs) kept.delete(id)
  }

  return {
    list: () => {
      drop()
      return [...kept.values()].map(({ grant }) => grant)
    },
    use(request) {
      drop()
      const found = [...kept.values()].find((one) => isSame(one.request, request))
      if (found === undefined) return null
      const grant = { ...found.grant, lastUsedAtMs: clock.now() }
      kept.set(grant.id, { ...found, grant })
      return grant
    },
    add(request) {
      if (request.print === null) return
      const { kind, profile, key, webhook, words, folder } = request
      const atMs = clock.now()
      const grant: TerminalGrant = {
        ...{ id: newId(), kind, profile: { id: profile.id, name: profile.name }, words, folder, atMs, endsAtMs: atMs + grantLifeMs, lastUsedAtMs: null },
        key: key === null ? null : { id: key.id, label: key.label },
        webhook: webhook === null ? null : { id: webhook.id, url: webhook.url },
      }
      kept.set(grant.id, { request, grant, endsAt: clock.monotonic() + grantLifeMs })
    },
    remove: (id) => kept.delete(id),
    clear: () => kept.clear(),
  }
}

const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean => a.length === b.length && a.every((one, index) => one === b[index])

/** Compares every argument, the program's bytes and the folder. A script with the same name in another folder is a different command. */
const isSame = (before: BoundRequest, now: BoundRequest): boolean =>
  before.print !== null &&
  before.print === now.print &&
  before.kind === now.kind &&
  before.profile.id === now.profile.id &&
  before.key?.id === now.key?.id &&
  before.webhook?.id === now.webhook?.id &&
  before.program === now.program &&
  (now.kind !== 'run' || before.folder === now.folder) &&
  sameList(before.storedAtMs, now.storedAtMs) &&
  sameList(before.words, now.words)
